import type { LetterFilter } from '../../src/deadletter/letterFilter.ts';
import type { SqlRequest } from './sql/sqlRequest.ts';

/** What the operator asked for. */
export type Request = (
  | ListRequest
  | ShowRequest
  | ReplayRequest
  | DiscardRequest
  | ExplainRequest
  | SqlRequest
) & {
  /** File with app settings; `local.settings.json` where there is one unless given. */
  readonly settings?: string;
};

export interface ListRequest {
  readonly kind: 'list';
  readonly filter: LetterFilter;
  /** Most letters to show. */
  readonly limit: number;
  /** Show those whose names come after this one. */
  readonly after?: string;
  readonly json: boolean;
}

export interface ShowRequest {
  readonly kind: 'show';
  readonly name: string;
  readonly json: boolean;
  /** Give the original bytes and nothing else. */
  readonly body: boolean;
}

export interface ReplayRequest {
  readonly kind: 'replay';
  readonly selection: Selection;
  /** Create items that are missing also for messages older than tombstones get. */
  readonly create: boolean;
  readonly json: boolean;
}

export interface DiscardRequest {
  readonly kind: 'discard';
  readonly selection: Selection;
  /** Do not ask. */
  readonly yes: boolean;
}

export interface ExplainRequest {
  readonly kind: 'explain';
  /** File or folder with messages. */
  readonly path: string;
  /** Path of a document, instead of the setting REPLICA_CONFIG. */
  readonly config?: string;
  readonly json: boolean;
}

/** The letters that are meant; an empty filter means all. */
export type Selection =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'filter'; readonly filter: LetterFilter };
