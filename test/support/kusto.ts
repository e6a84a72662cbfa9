import { createRequire } from 'node:module';

/** What is used of the library, which is compiled from C# and puts itself into the global object. */
interface Kusto {
  readonly Language: {
    readonly Symbols: {
      readonly TableSymbol: {
        readonly $ctor7: new (name: string, schema: string, description: null) => object;
      };
      readonly DatabaseSymbol: { readonly $ctor1: new (name: string, tables: readonly object[]) => object };
    };
    readonly GlobalState: { readonly Default: { WithDatabase(database: object): object } };
    readonly KustoCode: {
      ParseAndAnalyze(text: string, globals: object): { GetDiagnostics(): Diagnostics };
    };
  };
}

interface Diagnostics {
  readonly Count: number;
  getItem(index: number): { readonly Message: string; readonly Start: number };
}

const COMMON = `timestamp: datetime, customDimensions: dynamic, operation_Name: string, operation_Id: string,
  cloud_RoleName: string, cloud_RoleInstance: string, itemCount: int`;

/** Tables of an Application Insights resource, as far as the queries may use them. */
const TABLES = {
  customMetrics: `name: string, value: real, valueCount: int, valueSum: real, valueMin: real, valueMax: real`,
  traces: 'message: string, severityLevel: int',
  exceptions: 'type: string, outerMessage: string, problemId: string, severityLevel: int',
  requests: 'name: string, success: string, duration: real, resultCode: string',
};

let language: { readonly kusto: Kusto['Language']; readonly globals: object } | undefined;

/** What Kusto's own parser says against a query for Application Insights; a parameter of a workbook stands for a time span. */
export function kustoComplaints(query: string): readonly string[] {
  language ??= load();
  const text = query.replaceAll(/\{[A-Za-z:]+\}/g, '5m');
  const found = language.kusto.KustoCode.ParseAndAnalyze(text, language.globals).GetDiagnostics();
  return Array.from({ length: found.Count }, (_, index) => {
    const { Message, Start } = found.getItem(index);
    return `line ${text.slice(0, Start).split('\n').length}: ${Message}`;
  });
}

function load(): NonNullable<typeof language> {
  const require = createRequire(import.meta.url);
  require('@kusto/language-service-next/bridge.min.js');
  require('@kusto/language-service-next/Kusto.Language.Bridge.min.js');
  const { Language: kusto } = (globalThis as unknown as { readonly Kusto: Kusto }).Kusto;
  const { TableSymbol, DatabaseSymbol } = kusto.Symbols;
  const tables = Object.entries(TABLES).map(
    ([name, columns]) => new TableSymbol.$ctor7(name, `(${COMMON}, ${columns})`, null),
  );
  const globals = kusto.GlobalState.Default.WithDatabase(new DatabaseSymbol.$ctor1('app', tables));
  return { kusto, globals };
}
