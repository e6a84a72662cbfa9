import { createDeadLetterArchive, createServices } from '../../src/createServices.ts';
import type { Settings } from '../../src/settings/readSettings.ts';
import { silentProgress, visibleProgress } from '../run/progress.ts';
import { askUser } from './askUser.ts';
import { discardLetters } from './discardLetters.ts';
import { explain } from './explain/explain.ts';
import { listLetters } from './listLetters.ts';
import { readOpsSettings, readOpsValues } from './readOpsSettings.ts';
import { replayLetters } from './replayLetters.ts';
import { isComplete, replayLines } from './replayReport.ts';
import type { ReplayRequest, Request } from './request.ts';
import { selectNames } from './selectNames.ts';
import { showLetter } from './showLetter.ts';
import { printSql } from './sql/printSql.ts';
import { stopAtSignal } from './stopAtSignal.ts';

/**
 * Does what the operator asked for; results go to standard output.
 * @returns the exit code: 1 when something of it is not done.
 * @throws UserError, InputError, ConfigurationError for what the operator can put right; OutageError
 */
export async function runOps(request: Request): Promise<0 | 1> {
  if (request.kind === 'explain') {
    await explain(request, await readOpsValues(request.settings, process.env), process.stdout);
    return 0;
  }
  if (request.kind === 'sql') {
    await printSql(request, () => readOpsValues(request.settings, process.env), process.stdout);
    return 0;
  }
  const settings = await readOpsSettings(request.settings, process.env, request.kind === 'replay');
  switch (request.kind) {
    case 'list':
      await listLetters(request, createDeadLetterArchive(settings), process.stdout);
      return 0;
    case 'show':
      await showLetter(request, createDeadLetterArchive(settings), process.stdout);
      return 0;
    case 'replay':
      return replay(request, settings);
    case 'discard':
      return discardLetters(request, createDeadLetterArchive(settings), process.stdout, askUser());
    default:
      return request satisfies never;
  }
}

async function replay({ selection, create, json }: ReplayRequest, settings: Settings): Promise<0 | 1> {
  const services = { ...createServices(settings), archive: createDeadLetterArchive(settings) };
  const progress = json ? silentProgress : visibleProgress();
  const stop = stopAtSignal();
  const selected = await selectNames(selection, services.archive, stop.signal);
  const report = await progress.step('Replay dead letters', (retitle) =>
    replayLetters(selected, services, {
      create,
      stop: stop.signal,
      now: Date.now(),
      onProgress: (done) => retitle(`Replay dead letters: ${done} of ${selected.names.length}`),
    }),
  );
  stop.release();
  console.log(
    json ? JSON.stringify(report, null, 2) : replayLines(report, settings.tombstoneSeconds).join('\n'),
  );
  return isComplete(report) ? 0 : 1;
}
