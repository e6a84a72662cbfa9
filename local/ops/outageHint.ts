/**
 * What an operator can do about a service that refused or could not be reached; undefined when nothing is known.
 * @param error the outage; its causes say more.
 */
export function outageHint(error: Error): string | undefined {
  for (const cause of causesOf(error)) {
    const { name, code, statusCode } = cause as Cause;
    if (SIGN_IN_ERRORS.includes(name))
      return 'nobody is signed in to Azure here: az login, with an account that has the rights of operatorPrincipalId';
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return 'the name of the service is not known here: compare the endpoint with the outputs of the deployment';
    if (code === 401 || statusCode === 401)
      return 'the service does not accept this account or key: az login, with the tenant of the deployment';
    if (code === 403 || statusCode === 403)
      return 'you have no right to this, or come from a network that is kept out: see operatorPrincipalId and "The private network" in docs/deploy.md';
  }
  return undefined;
}

type Cause = Error & { readonly code?: unknown; readonly statusCode?: unknown };

/** What @azure/identity throws when none of its ways leads to a token. */
const SIGN_IN_ERRORS = [
  'AggregateAuthenticationError',
  'AuthenticationError',
  'AuthenticationRequiredError',
  'CredentialUnavailableError',
];

/** Causes go only so deep. */
const DEEPEST = 5;

function causesOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth === DEEPEST) return [];
  return [error, ...causesOf(error.cause, depth + 1)];
}
