import { ConfigurationError } from '../../../src/errors/configurationError.ts';
import type { Environment } from '../../../src/settings/readSettings.ts';
import { oneLine } from '../../run/command.ts';
import { UserError } from '../../run/userError.ts';

/** Where CES is to send. */
export interface HubAddress {
  /** Host of the namespace. */
  readonly namespace: string;
  readonly hub: string;
}

const SUFFIX = '.servicebus.windows.net';
/** `sys.sp_create_event_stream_group` of SQL Server 2025 takes no other host than one of this form. */
const NAMESPACE = /^[a-z][a-z0-9-]*[a-z0-9]$/i;
const HUB = /^[a-z0-9][a-z0-9._-]{0,255}$/i;

/**
 * The event hub, from the options or from the app's own settings. Of a connection string only the host is taken.
 * @throws UserError for options that make no sense; ConfigurationError for settings that are missing or of no use.
 */
export function hubAddress(given: Partial<HubAddress>, values: Environment): HubAddress {
  return {
    namespace: given.namespace === undefined ? namespaceOf(values) : checkedNamespace(given.namespace),
    hub: given.hub === undefined ? hubOf(values) : checkedHub(given.hub),
  };
}

function checkedNamespace(text: string): string {
  const host = hostOf(text);
  if (host !== undefined) return host;
  throw new UserError(`--namespace: '${oneLine(text)}' is neither a namespace nor <namespace>${SUFFIX}`);
}

function checkedHub(text: string): string {
  if (HUB.test(text)) return text;
  throw new UserError(`--hub: '${oneLine(text)}' is not the name of an event hub`);
}

function namespaceOf(values: Environment): string {
  const named = values['EventHub__fullyQualifiedNamespace'];
  const connected = /Endpoint=sb:\/\/([^/;:]+)/i.exec(values['EventHub'] ?? '')?.[1];
  const host = hostOf(named || connected || '');
  if (host !== undefined) return host;
  throw new ConfigurationError(
    `neither EventHub__fullyQualifiedNamespace nor EventHub names a namespace <namespace>${SUFFIX}: put it there, or give --namespace`,
  );
}

function hubOf(values: Environment): string {
  const hub = values['EVENT_HUB_NAME'] ?? '';
  if (HUB.test(hub)) return hub;
  throw new ConfigurationError(
    'EVENT_HUB_NAME is not the name of an event hub: put the name of the hub that CES publishes to there, or give --hub',
  );
}

/** Undefined when it is none; a bare `localhost`, as of an emulator, is none either. */
function hostOf(text: string): string | undefined {
  const name = text.toLowerCase().endsWith(SUFFIX) ? text.slice(0, -SUFFIX.length) : text;
  return NAMESPACE.test(name) && name.toLowerCase() !== 'localhost' ? `${name}${SUFFIX}` : undefined;
}
