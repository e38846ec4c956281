import { DAY_NS, HOUR_NS, MINUTE_NS, SECOND_NS, type Interval } from '../../../base/index.ts'

const STEPS: readonly bigint[] = [
  1_000_000n,
  10_000_000n,
  100_000_000n,
  SECOND_NS,
  2n * SECOND_NS,
  5n * SECOND_NS,
  10n * SECOND_NS,
  30n * SECOND_NS,
  MINUTE_NS,
  2n * MINUTE_NS,
  5n * MINUTE_NS,
  10n * MINUTE_NS,
  30n * MINUTE_NS,
  HOUR_NS,
  2n * HOUR_NS,
  6n * HOUR_NS,
  12n * HOUR_NS,
  DAY_NS,
  7n * DAY_NS,
  30n * DAY_NS,
  365n * DAY_NS,
]

/** Preferred maximum number of steps, which fit in a chart. */
const WANTED = 60n

/** Maximum number of steps in an answer. */
export const MAX_STEPS = 11_000

/** Returns the shortest round step that divides a range into at most sixty parts. */
export function roundStep({ startNs, endNs }: Interval): bigint {
  return STEPS.find((step) => (endNs - startNs) / step < WANTED) ?? 3650n * DAY_NS
}

/** Returns the number of steps that overlap a range. */
export function stepCount({ startNs, endNs }: Interval, stepNs: bigint): bigint {
  if (endNs <= startNs) return 0n
  return floorStep(endNs - 1n, stepNs) / stepNs - floorStep(startNs, stepNs) / stepNs + 1n
}

/** Returns the start of the step that contains a time. */
export function floorStep(ns: bigint, stepNs: bigint): bigint {
  const rest = ns % stepNs
  return ns - (rest < 0n ? rest + stepNs : rest)
}
