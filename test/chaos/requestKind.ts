import type { RequestKind } from './fault.ts';
import type { Incoming } from './faultyProxy.ts';

export function cosmosRequestKind({ headers }: Incoming): RequestKind {
  return headers['x-ms-cosmos-is-batch-request'] === undefined ? 'otherCosmos' : 'bulk';
}

export function blobRequestKind({ method, path, headers }: Incoming): RequestKind {
  if (method === 'GET' && path.includes('comp=list')) return 'list';
  return method === 'PUT' && headers['if-none-match'] === '*' ? 'conditionalUpload' : 'otherBlob';
}
