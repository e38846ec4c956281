import type { Interval } from '../../base/index.ts'

/** Returns the last whole millisecond before a time. */
function lastMsBefore(ns: bigint): number {
  return Number((ns - 1n) / 1_000_000n) - ((ns - 1n) % 1_000_000n < 0n ? 1 : 0)
}

/** Converts a range with exclusive end to the range of a sample request: `startMs` exclusive, `endMs` inclusive. */
export function msRange({ startNs, endNs }: Interval): { readonly startMs: number; readonly endMs: number } {
  return { startMs: lastMsBefore(startNs), endMs: lastMsBefore(endNs) }
}
