import { ERROR_NUMBER } from './limits.ts';
import { literal } from './quote.ts';
import type { Step } from './step.ts';

/** A step that refuses to run in another database, also where the tool goes on after an error. */
export function guardedStep(database: string, title: string, lines: readonly string[]): Step {
  const here = throwIf(`DB_NAME() <> ${literal(database)}`, `connect to the database ${database} first`);
  // sqlcmd starts with QUOTED_IDENTIFIER off, with which tables with some indexes cannot be changed.
  const options = ['SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;', 'SET XACT_ABORT OFF;'];
  return { title, sql: [...options, here, ...lines].join('\n') };
}

/** Ends the batch with a message when a condition holds. */
export function throwIf(condition: string, message: string): string {
  return `IF ${condition}\n    ${throwText(message)}`;
}

/** THROW takes a percent sign for a placeholder unless it is doubled. */
export function throwText(message: string): string {
  return `THROW ${ERROR_NUMBER}, ${literal(message.replaceAll('%', '%%'))}, 1;`;
}

/** Says something without ending anything. */
export function note(message: string): string {
  return `PRINT ${literal(message)};`;
}

/** Lines of a block, indented. */
export function indented(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split('\n')).map((line) => (line === '' ? line : `    ${line}`));
}

/** Lines between BEGIN and END. */
export function block(head: string, lines: readonly string[]): string[] {
  return [head, 'BEGIN', ...indented(lines), 'END;'];
}
