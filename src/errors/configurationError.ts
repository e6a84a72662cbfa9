/** A setting is missing or wrong. The message names it and says what to put there. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
