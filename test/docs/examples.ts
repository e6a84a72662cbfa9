import { z } from 'zod';

/** An example of a page: a document, and what becomes of changes with it. */
export interface Example {
  /** Line of the page where it begins. */
  readonly line: number;
  readonly config: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly changes: readonly ExampleChange[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly deadLetters: readonly string[];
}

const values = z.record(
  z.string(),
  z.union([z.string(), z.null(), z.strictObject({ repeat: z.string(), times: z.int() })]),
);
const change = z.strictObject({
  table: z.string().regex(/^\w+\.\w+\.\w+$/),
  operation: z.enum(['INS', 'UPD', 'DEL']).default('INS'),
  key: z.array(z.string()).default(['id']),
  types: z.record(z.string(), z.string()).default({}),
  current: values.default({}),
  old: values.default({}),
});
export type ExampleChange = z.infer<typeof change>;

interface Block {
  readonly line: number;
  /** What stands behind the three backticks. */
  readonly info: string;
  readonly text: string;
}

/** The examples of a page: a block `json config` with the blocks `json changes`, `items` and `dead-letters` after it. */
export function examplesOf(page: string): readonly Example[] {
  const examples: (Example & { readonly steps: Step[] })[] = [];
  for (const { line, info, text } of blocksOf(page)) {
    if (info === 'json config') {
      examples.push({ line, config: text, steps: [] });
      continue;
    }
    const steps = examples.at(-1)?.steps ?? [];
    if (info === 'json changes') {
      steps.push({ changes: z.array(change).parse(JSON.parse(text)), items: [], deadLetters: [] });
      continue;
    }
    const step = steps.pop();
    if (info === 'json items') steps.push({ ...required(step, line), items: JSON.parse(text) });
    if (info === 'json dead-letters') steps.push({ ...required(step, line), deadLetters: JSON.parse(text) });
    if (info !== 'json items' && info !== 'json dead-letters' && step !== undefined) steps.push(step);
  }
  return examples;
}

/** Documents that are refused, each with what the app says: a block `json refused`, and the block after it. */
export function refusalsOf(page: string): readonly (readonly [document: string, message: string])[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ info, text }, index) =>
    info === 'json refused' ? [[text, (blocks[index + 1]?.text ?? '').trim()] as const] : [],
  );
}

/** All fenced blocks. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info = '', 2: text = '' }) => ({
    line: page.slice(0, index).split('\n').length,
    info,
    text,
  }));
}

function required(step: Step | undefined, line: number): Step {
  if (step === undefined) throw new RangeError(`line ${line}: no changes come before`);
  return step;
}
