import { MAX_INT64, MIN_INT64 } from '../numbers/integers.ts'

/** The first and last representable instants: int64 nanoseconds since 1970, from 1677-09-21 to 2262-04-11. */
export const MIN_NS = MIN_INT64
export const MAX_NS = MAX_INT64

/** A half-open range of instants `[startNs, endNs)`; empty when `startNs >= endNs`. */
export interface Interval {
  readonly startNs: bigint
  readonly endNs: bigint
}

export const always: Interval = { startNs: MIN_NS, endNs: MAX_NS }

/** Returns the interval `[startNs, endNs)`, in nanoseconds since 1970. */
export function interval(startNs: bigint, endNs: bigint): Interval {
  return { startNs: clampNs(startNs), endNs: clampNs(endNs) }
}

/** Limits a time to the range of representable instants. */
export function clampNs(ns: bigint): bigint {
  return ns < MIN_NS ? MIN_NS : ns > MAX_NS ? MAX_NS : ns
}

export function intersect(a: Interval, b: Interval): Interval {
  return {
    startNs: a.startNs > b.startNs ? a.startNs : b.startNs,
    endNs: a.endNs < b.endNs ? a.endNs : b.endNs,
  }
}

export function isEmptyInterval(range: Interval): boolean {
  return range.startNs >= range.endNs
}

/**
 * Returns whether an instant is inside an interval. If the interval ends at `MAX_NS`, this last instant counts as
 * inside.
 */
export function isInInterval(ns: bigint, range: Interval): boolean {
  return ns >= range.startNs && (ns < range.endNs || range.endNs === MAX_NS)
}
