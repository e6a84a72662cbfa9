import type { Container } from '@azure/cosmos';
import { ConfigurationError } from '../errors/configurationError.ts';
import { OutageError } from '../errors/outageError.ts';

/** Asks once what the container for replica items is; nothing is written to one that is not made for them. */
export class ContainerIdentity {
  readonly #container: Container;
  #resourceId: Promise<string> | undefined;

  constructor(container: Container) {
    this.#container = container;
  }

  /**
   * The container's resource id: another one when the container is deleted and made anew.
   * @throws ConfigurationError when its partition key is not `/pkkey`: Cosmos DB would refuse every single item.
   * @throws OutageError when Cosmos DB does not tell.
   */
  resourceId(): Promise<string> {
    this.#resourceId ??= this.#read().catch((error: unknown) => {
      this.#resourceId = undefined;
      throw error;
    });
    return this.#resourceId;
  }

  async #read(): Promise<string> {
    const { resource } = await this.#container.read().catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      const what = `the container ${this.#container.id} of COSMOS_CONTAINER and COSMOS_DATABASE`;
      throw new OutageError(`Cosmos DB: ${what} cannot be read${code}; the batch comes again`, {
        cause: error,
      });
    });
    const paths = resource?.partitionKey?.paths ?? [];
    if (paths.join() !== PARTITION_KEY) {
      throw new ConfigurationError(
        `COSMOS_CONTAINER has the partition key ${paths.join()}: put there a container with ${PARTITION_KEY}`,
      );
    }
    return resource?._rid ?? '';
  }
}

const PARTITION_KEY = '/pkkey';
