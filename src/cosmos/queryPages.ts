import type { Container, SqlQuerySpec } from '@azure/cosmos';
import { codeIn } from '../errors/codeIn.ts';
import { OutageError } from '../errors/outageError.ts';

/**
 * Asks page by page, for as many as are taken.
 * @param what is looked for, for the message of the error.
 * @param most items of a page.
 * @throws OutageError when it is not answered.
 */
export async function* queryPages<Item>(
  container: Container,
  query: SqlQuerySpec,
  what: string,
  most: number,
  abortSignal: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  const pages = container.items.query<Item>(query, { maxItemCount: most, abortSignal });
  while (pages.hasMoreResults()) {
    const page = await pages.fetchNext().catch((error: unknown) => {
      throw new OutageError(`Cosmos DB: looking for ${what} failed${codeIn(error)}; it is tried again`, {
        cause: error,
      });
    });
    yield page.resources ?? [];
  }
}
