import { createHash } from 'node:crypto';

interface Place {
  readonly endpoint: string;
  readonly database: string;
  readonly container: string;
}

/**
 * Says where the large values of a Cosmos DB container lie: what the names of their blobs begin with. A sweep removes
 * there what no item of the container refers to, so no other container in the world may have the same.
 */
export function valueFolder({ endpoint, database, container }: Place): (other?: string) => string {
  const account = URL.parse(endpoint)?.host ?? endpoint;
  const digest = createHash('sha256')
    .update(JSON.stringify([account, database]))
    .digest('hex');
  return (name = container) => `${name}-${digest.slice(0, DIGEST_DIGITS)}`;
}

const DIGEST_DIGITS = 8;
