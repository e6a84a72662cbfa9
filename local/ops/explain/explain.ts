import type { Environment } from '../../../src/settings/readSettings.ts';
import { readChoices } from '../../run/choices.ts';
import { MAX_EXPLAINED, MAX_EXPLAINED_BYTES } from '../limits.ts';
import type { Output } from '../output.ts';
import type { ExplainRequest } from '../request.ts';
import { explainMessages } from './explainMessages.ts';
import { explanationLines } from './explanationLines.ts';
import { type PlacedMessage, readMessages } from './readMessages.ts';

/**
 * Shows what messages mean and what would become of them. Row values are shown: that is what it is for.
 * @param environment app settings, of which only those count that decide about messages.
 * @throws UserError, InputError, ConfigurationError for what the user can put right
 */
export async function explain(
  { path, config, json }: ExplainRequest,
  environment: Environment,
  output: Output,
): Promise<void> {
  const { settings, placeholderSalt } = readChoices(config, environment);
  const { messages, notes } = await read(path);
  const explanations = explainMessages(messages, settings);
  if (placeholderSalt) notes.push('MASK_SALT is not set: hashed values are made with a placeholder');
  if (json) {
    output.write(`${JSON.stringify({ explanations, notes }, null, 2)}\n`);
    return;
  }
  const lines = explanations.flatMap((one) => [...explanationLines(one, output.columns), '']);
  output.write(`${[...lines, ...notes.map((note) => `Note: ${note}`)].join('\n').trimEnd()}\n`);
}

async function read(path: string): Promise<{ messages: readonly PlacedMessage[]; notes: string[] }> {
  const messages: PlacedMessage[] = [];
  const notes: string[] = [];
  let bytes = 0;
  const onSkip = (file: string, reason: string): void => {
    notes.push(`${file} was left out: ${reason}`);
  };
  for await (const message of readMessages(path, onSkip)) {
    bytes += message.body.length;
    if (messages.length === MAX_EXPLAINED || (bytes > MAX_EXPLAINED_BYTES && messages.length > 0)) {
      notes.push(
        `only the first ${messages.length} messages are explained, and segments behind them count as missing; ` +
          'name a smaller file or folder',
      );
      break;
    }
    messages.push(message);
  }
  return { messages, notes };
}
