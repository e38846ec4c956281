import type { Interval } from '../../base/index.ts'

/** Returns the last whole millisecond before a time. */
function lastMsBefore(ns: bigint): number {
  return Number((ns - 1n) / 1_000_000n) - ((ns - 1n) % 1_000_000n < 0n ? 1 : 0)
}

/**
 * Converts a range whose end is exclusive to milliseconds: in the result, `startMs` is exclusive and `endMs` inclusive.
 */
export function msRange({ startNs, endNs }: Interval): { readonly startMs: number; readonly endMs: number } {
  return { startMs: lastMsBefore(startNs), endMs: lastMsBefore(endNs) }
}
