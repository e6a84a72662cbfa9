import type { HubMessage } from '../../../local/hubMessage.ts';

/** The consumer asks for the next batch of a partition; all messages before `checkpoint` are done. */
export interface Ask {
  readonly partitionId: string;
  /** Undefined at the start: the parent knows where the one before came to. */
  readonly checkpoint: number | undefined;
}

/** The messages from the checkpoint on; none at the end of the partition. */
export interface Give {
  readonly partitionId: string;
  readonly checkpoint: number;
  readonly messages: readonly HubMessage[];
}
