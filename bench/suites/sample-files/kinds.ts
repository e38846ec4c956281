import type { Random } from '../../../src/base/index.ts'

export const START_MS = 1_767_225_600_000

/** Draws the next value of a series, and the deviation of its scrape time in milliseconds. */
export interface SampleKind {
  readonly jitterMs: number
  readonly next: (random: Random, before: number) => number
}

export const kinds: Readonly<Record<string, SampleKind>> = {
  'counter, steps below 300': { jitterMs: 1, next: (random, before) => before + random.below(300) },
  'counter of bytes, steps below 3 M': { jitterMs: 1, next: (random, before) => before + random.below(3_000_000) },
  'gauge of two decimals, jitter 20 ms': { jitterMs: 20, next: (random) => random.below(10_000) / 100 },
  'random doubles': { jitterMs: 1, next: (random) => random.next() * 100 },
  constant: { jitterMs: 1, next: (_, before) => before },
}
