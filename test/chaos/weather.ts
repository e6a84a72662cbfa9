import { Random } from '../../local/simulation/random.ts';
import type { Fault, RequestKind } from './fault.ts';

/** How much goes wrong in a run. */
export interface Climate {
  /** Share of the requests that meet a fault, 0..1. */
  readonly rate: number;
  /** Share of the faults that go on for the requests that follow, 0..1. */
  readonly storms: number;
  /** Faults after which all goes well: every run comes to an end. */
  readonly faults: number;
  /** Faults among them that take {@link SILENCE_MS}. */
  readonly silences: number;
}

export function randomClimate(seed: number): Climate {
  const random = new Random(seed, 'climate');
  return {
    rate: random.pick([0.05, 0.2, 0.5]),
    storms: random.pick([0, 0.1, 0.4]),
    faults: random.integer(5, 60),
    silences: random.integer(0, 2),
  };
}

/** Decides which request gets which fault, all from the seed and the order in which requests come. */
export class Weather {
  /** Faults so far, by kind. */
  readonly counts = new Map<string, number>();
  readonly #climate: Climate;
  readonly #random: Random;
  #left: number;
  #silencesLeft: number;
  #storm: { readonly request: RequestKind; readonly fault: Fault; left: number } | undefined;

  constructor(seed: number, climate: Climate) {
    this.#climate = climate;
    this.#random = new Random(seed, 'weather');
    this.#left = climate.faults;
    this.#silencesLeft = climate.silences;
  }

  next(request: RequestKind): Fault | undefined {
    if (this.#left <= 0) return undefined;
    const fault = this.#fromStorm(request) ?? this.#fresh(request);
    if (fault === undefined) return undefined;
    this.#left -= 1;
    const name =
      fault.kind === 'status' || fault.kind === 'operations' ? `${fault.kind} ${fault.status}` : fault.kind;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return fault;
  }

  #fromStorm(request: RequestKind): Fault | undefined {
    if (this.#storm?.request !== request || this.#storm.left === 0) return undefined;
    this.#storm.left -= 1;
    return this.#storm.fault;
  }

  #fresh(request: RequestKind): Fault | undefined {
    if (!this.#random.chance(this.#climate.rate)) return undefined;
    const fault = this.#choose(request);
    if (fault.kind !== 'silence' && this.#random.chance(this.#climate.storms)) {
      this.#storm = { request, fault, left: this.#random.integer(3, LONGEST_STORM) };
    }
    return fault;
  }

  #choose(request: RequestKind): Fault {
    const random = this.#random;
    if (this.#silencesLeft > 0 && random.chance(SILENCE_SHARE)) {
      this.#silencesLeft -= 1;
      return { kind: 'silence', milliseconds: SILENCE_MS, done: random.chance(0.5) };
    }
    return random.pick([...ofConnections(random), ...ofService(request, random)]);
  }
}

/** Requests that a storm lasts. */
const LONGEST_STORM = 9;
const SILENCE_SHARE = 0.1;
const SILENCE_MS = 1_500;
/** Longest that a throttled request is told to wait: a second of the service, scaled down. */
const LONGEST_RETRY_AFTER_MS = 40;
const LONGEST_DELAY_MS = 60;

function ofConnections(random: Random): Fault[] {
  return [
    { kind: 'cutBefore' },
    { kind: 'cutAfter' },
    { kind: 'cutMidway' },
    { kind: 'slow', milliseconds: random.integer(1, LONGEST_DELAY_MS) },
  ];
}

/** None that says "never": a sound history must not lead to dead letters. */
function ofService(request: RequestKind, random: Random): Fault[] {
  const retryAfterMs = random.integer(0, LONGEST_RETRY_AFTER_MS);
  const throttled: Fault = {
    kind: 'status',
    status: 429,
    headers: { 'x-ms-retry-after-ms': String(retryAfterMs) },
  };
  const busy = [408, 410, 449, 500, 503].map((status): Fault => ({ kind: 'status', status }));
  switch (request) {
    case 'bulk': {
      const everyNth = random.integer(1, 4);
      const operations = [429, 449, 503].map(
        (status): Fault => ({ kind: 'operations', status, everyNth, done: false, retryAfterMs }),
      );
      const lost: Fault = { kind: 'operations', status: 408, everyNth, done: true, retryAfterMs };
      return [throttled, ...busy, ...operations, lost];
    }
    case 'otherCosmos':
      return [throttled, ...busy];
    case 'list':
      return [
        { kind: 'lag', hidden: random.integer(1, 3) },
        { kind: 'status', status: 503 },
      ];
    case 'conditionalUpload':
      return [409, 412, 500, 503].map((status) => ({ kind: 'status', status }));
    case 'otherBlob':
      return [500, 503].map((status) => ({ kind: 'status', status }));
    default:
      return request satisfies never;
  }
}
