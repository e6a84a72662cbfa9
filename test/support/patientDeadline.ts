import { Deadline } from '../../src/deadline.ts';

/** Seconds after which a test counts as hanging. */
const HANG_S = 60;

/** A deadline that is far away, and waits that take no time but are written down, in milliseconds. */
export class PatientDeadline extends Deadline {
  readonly waits: number[] = [];

  constructor() {
    super(HANG_S);
  }

  override async sleep(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds);
  }
}
