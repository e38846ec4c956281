import { SECOND_NS, type Interval } from '../../../base/index.ts'

const MINUTE = 60n * SECOND_NS
const HOUR = 60n * MINUTE
const DAY = 24n * HOUR

const STEPS: readonly bigint[] = [
  1_000_000n,
  10_000_000n,
  100_000_000n,
  SECOND_NS,
  2n * SECOND_NS,
  5n * SECOND_NS,
  10n * SECOND_NS,
  30n * SECOND_NS,
  MINUTE,
  2n * MINUTE,
  5n * MINUTE,
  10n * MINUTE,
  30n * MINUTE,
  HOUR,
  2n * HOUR,
  6n * HOUR,
  12n * HOUR,
  DAY,
  7n * DAY,
  30n * DAY,
  365n * DAY,
]

/** About as many steps as a chart has room for. */
const WANTED = 60n

/** More steps than this are refused. */
export const MAX_STEPS = 11_000

/** The shortest round step that cuts a range into at most sixty. */
export function roundStep({ startNs, endNs }: Interval): bigint {
  return STEPS.find((step) => (endNs - startNs) / step < WANTED) ?? 3650n * DAY
}

/** How many steps touch a range. */
export function stepCount({ startNs, endNs }: Interval, stepNs: bigint): bigint {
  if (endNs <= startNs) return 0n
  return floorStep(endNs - 1n, stepNs) / stepNs - floorStep(startNs, stepNs) / stepNs + 1n
}

/** The start of the step that a time lies in. */
export function floorStep(ns: bigint, stepNs: bigint): bigint {
  const rest = ns % stepNs
  return ns - (rest < 0n ? rest + stepNs : rest)
}
