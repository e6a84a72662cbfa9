/** Where telemetry goes, from the settings that Application Insights has defined. */
export interface TelemetrySettings {
  readonly connectionString: string;
  /** Undefined: the instrumentation key is enough. Else the app proves who it is. */
  readonly identity: { readonly clientId: string | undefined } | undefined;
}

/** Whether a text is a connection string of Application Insights: `name=value` pairs with the key among them. */
export function isConnectionString(text: string): boolean {
  const fields = fieldsOf(text);
  return fields !== undefined && guid.test(fields.get('instrumentationkey') ?? '');
}

/** Reads `ClientId=...;Authorization=AAD`; undefined when it is not that. The client id may be left out. */
export function readAuthentication(text: string): TelemetrySettings['identity'] {
  const fields = fieldsOf(text);
  if (fields?.get('authorization')?.toUpperCase() !== 'AAD') return undefined;
  return { clientId: fields.get('clientid') };
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function fieldsOf(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = text.split(';').filter((pair) => pair.trim() !== '');
  const fields = pairs.map((pair) => pair.split('='));
  if (fields.some(({ length }) => length !== 2)) return undefined;
  return new Map(fields.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]));
}
