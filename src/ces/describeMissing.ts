import type { Segment } from '../model/segment.ts';

/**
 * Says which segments of an incomplete event are there and which are missing.
 * @param segments those known of one event, at least one, in any order, each index once.
 */
export function describeMissing(segments: readonly Pick<Segment, 'index' | 'final'>[]): string {
  const runs = runsOf(segments.map(({ index }) => index).sort((a, b) => a - b));
  const first = runs[0]?.from ?? 0;
  const last = runs.at(-1)?.to ?? 0;
  const ended = segments.some(({ final }) => final);
  const gaps = runs.slice(1).map(({ from }, index) => ({ from: (runs[index]?.to ?? 0) + 1, to: from - 1 }));
  const missing = [
    ...(first === 1 ? ['0, if there is one'] : []),
    ...(first > 1 ? [`all before ${first}`] : []),
    ...gaps.map(runText),
    ...(ended ? [] : [`all after ${last}`]),
  ];
  const there = `segment${segments.length === 1 ? '' : 's'} ${runs.map(runText).join(', ')}`;
  const verb = segments.length === 1 ? 'was' : 'were';
  // Numbered from 1 and all there: either 0 was still to come, or this is all and cannot be decoded.
  const doubt = first === 1 && ended && gaps.length === 0 ? '; if there is none, the data is broken' : '';
  return `${there} of an event ${verb} there${ended ? `, ${last} being the last` : ''}; missing: ${join(missing)}${doubt}`;
}

interface Run {
  readonly from: number;
  readonly to: number;
}

function runsOf(ascending: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (const index of ascending) {
    const run = runs.at(-1);
    if (run !== undefined && index === run.to + 1) runs[runs.length - 1] = { from: run.from, to: index };
    else runs.push({ from: index, to: index });
  }
  return runs;
}

function runText({ from, to }: Run): string {
  if (from === to) return String(from);
  return to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`;
}

function join(parts: readonly string[]): string {
  const [last, ...others] = parts.toReversed();
  return others.length === 0 ? (last ?? 'none') : `${others.toReversed().join(', ')} and ${last}`;
}
