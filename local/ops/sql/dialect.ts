/**
 * The products that have CES, and what differs between them. `destination_type` has three values; the third,
 * `AzureEventHubsAmqp`, is deprecated, does not work after April 2027, and is not made here.
 * Sources: the SQL documentation's "Configure change event streaming" and "Deprecation of AMQP protocol for change
 * event streaming", both of 2026-08-15.
 */
export const dialects = {
  'azure-sql': {
    product: 'Azure SQL Database',
    /** The only value that new stream groups may have since 2026-08-15. */
    destinationType: 'AzureEventHubs',
    entra: 'the identity of the logical server',
    ownServer: false,
    preview: false,
  },
  'fabric-sql': {
    product: 'SQL database in Microsoft Fabric',
    destinationType: 'AzureEventHubs',
    /** Microsoft Entra authentication is not available there. */
    entra: undefined,
    ownServer: false,
    preview: false,
  },
  'managed-instance': {
    product: 'Azure SQL Managed Instance',
    /** `AzureEventHubs` is announced for a later update. */
    destinationType: 'AzureEventHubsApacheKafka',
    entra: 'the identity of the instance',
    ownServer: true,
    preview: false,
  },
  'sql-server': {
    product: 'SQL Server 2025',
    destinationType: 'AzureEventHubsApacheKafka',
    entra: 'the identity of the instance: from CU3 on, enabled by Azure Arc or on an Azure VM',
    ownServer: true,
    /** PREVIEW_FEATURES has to be on. */
    preview: true,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;

export interface Dialect {
  readonly product: string;
  readonly destinationType: string;
  /** Whose identity sends to the hub; undefined where only keys can be used. */
  readonly entra: string | undefined;
  /** Server options, such as `max text repl size`, are the user's to set. */
  readonly ownServer: boolean;
  readonly preview: boolean;
}

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
}
