import type { Container } from '@azure/cosmos';
import { codeIn } from '../errors/codeIn.ts';
import { ConfigurationError } from '../errors/configurationError.ts';
import { OutageError } from '../errors/outageError.ts';

/** Asks once what the container for replica items is; nothing is written to one that is not made for them. */
export class ContainerIdentity {
  readonly #container: Container;
  readonly #setting: NamingSetting;
  #resourceId: Promise<string> | undefined;

  /** @param setting the one that names the container. */
  constructor(container: Container, setting: NamingSetting = 'COSMOS_CONTAINER') {
    this.#container = container;
    this.#setting = setting;
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
      const code = codeIn(error);
      const what = `the container ${this.#container.id} of ${this.#setting} and COSMOS_DATABASE`;
      throw new OutageError(`Cosmos DB: ${what} cannot be read${code}; the batch comes again`, {
        cause: error,
      });
    });
    const paths = resource?.partitionKey?.paths ?? [];
    if (paths.join() !== PARTITION_KEY) {
      throw new ConfigurationError(
        `${this.#setting} names ${this.#container.id}, which has the partition key ${paths.join()}: put there a container with ${PARTITION_KEY}`,
      );
    }
    return resource?._rid ?? '';
  }
}

type NamingSetting = 'COSMOS_CONTAINER' | 'REPLICA_CONFIG' | 'COSMOS_TRANSACTIONS_CONTAINER';

const PARTITION_KEY = '/pkkey';
