import { DAY_NS, isKnownZone, zoneOffsetNs } from '../../../../base/index.ts'
import type { Value } from '../../../value.ts'
import { toTimeNs } from '../../coerce.ts'
import type { ValuePredicate } from '../ops.ts'
import { numberArg, type NamedTest } from './definition.ts'

function floorMod(a: bigint, b: bigint): bigint {
  const rest = a % b
  return rest < 0n ? rest + b : rest
}

/** Returns a test of the local time of a value; the zone is UTC unless given. */
function onLocalTime(args: readonly Value[], holds: (localNs: bigint) => boolean): ValuePredicate {
  const offsetNs = BigInt(numberArg(args, 2, 0))
  const zone = args[3]
  const zoneName = typeof zone === 'string' && isKnownZone(zone) ? zone : undefined
  return (value) => {
    const ns = toTimeNs(value)
    if (ns === undefined) return false
    const movedNs = ns + offsetNs
    return holds(zoneName === undefined ? movedNs : movedNs + zoneOffsetNs(zoneName, movedNs))
  }
}

/**
 * Returns whether a value is inside the cyclic range `[first, last]`, which wraps around if `first` is greater than
 * `last`.
 */
function isBetween(value: number, first: number, last: number): boolean {
  return first <= last ? value >= first && value <= last : value >= first || value <= last
}

function dayRangePredicate(args: readonly Value[]): ValuePredicate {
  const first = numberArg(args, 0, 0)
  const last = numberArg(args, 1, Number(DAY_NS - 1n))
  return onLocalTime(args, (localNs) => isBetween(Number(floorMod(localNs, DAY_NS)), first, last))
}

/**
 * Arguments: the first and last nanosecond of the day, both included; optionally the nanoseconds by which local time is
 * ahead of UTC, and a zone name.
 */
export const dayRange: NamedTest = { name: 'day-range', text: dayRangePredicate, value: dayRangePredicate }

function weekRangePredicate(args: readonly Value[]): ValuePredicate {
  const first = numberArg(args, 0, 0)
  const last = numberArg(args, 1, 6)
  // 1970-01-01 was a Thursday, so the day of the week is shifted by four.
  return onLocalTime(args, (localNs) =>
    isBetween(Number(floorMod(localNs / DAY_NS - (localNs % DAY_NS < 0n ? 1n : 0n) + 4n, 7n)), first, last),
  )
}

/** Like `day-range`, with the first and last day of the week. Sunday is 0. */
export const weekRange: NamedTest = { name: 'week-range', text: weekRangePredicate, value: weekRangePredicate }
