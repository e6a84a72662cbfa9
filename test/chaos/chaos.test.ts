import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Chaos, type ChaosCounts } from './chaos.ts';

/**
 * Promises 1 and 2 of the design when everything fails; `npm run chaos` runs many more schedules. None of these has
 * to wait long for a deadline, and the last has rows that do not fit into an item.
 */
const SEEDS = [5_001, 5_002, 5_006, 5_010, 5_011, 5_019];
