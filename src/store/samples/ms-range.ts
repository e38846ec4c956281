import type { Interval } from '../../base/index.ts'

/** The last whole millisecond before a time. */
function lastMsBefore(ns: bigint): number {
  return Number((ns - 1n) / 1_000_000n) - ((ns - 1n) % 1_000_000n < 0n ? 1 : 0)
}

/** A range of times, its end not in it, as samples are asked for: `startMs` exclusive, `endMs` inclusive. */
export function msRange({ startNs, endNs }: Interval): { readonly startMs: number; readonly endMs: number } {
  return { startMs: lastMsBefore(startNs), endMs: lastMsBefore(endNs) }
}
