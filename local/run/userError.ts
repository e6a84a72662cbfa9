/** Something the user can put right. The message is one line that says what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
