/** Cosmos DB or Blob storage did not do its work in time: the batch has to come again. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
}
