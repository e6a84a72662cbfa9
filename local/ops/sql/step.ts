/** One batch of T-SQL that can be run by itself, and again. It ends in an error unless it has come to its end. */
export interface Step {
  readonly title: string;
  readonly sql: string;
}
