import { toTimeNs } from '../../coerce.ts'
import type { ValuePredicate } from '../ops.ts'
import { numberArg, type NamedTest } from './definition.ts'
import type { Value } from '../../../value.ts'

const DAY_NS = 86_400_000_000_000

function floorMod(a: bigint, b: bigint): bigint {
  const rest = a % b
  return rest < 0n ? rest + b : rest
}

function dayRangePredicate(args: readonly Value[]): ValuePredicate {
  const start = numberArg(args, 0, 0)
  const end = numberArg(args, 1, DAY_NS - 1)
  const offset = BigInt(numberArg(args, 2, 0))
  return (value) => {
    const ns = toTimeNs(value)
    if (ns === undefined) return false
    const inDay = Number(floorMod(ns + offset, BigInt(DAY_NS)))
    return inDay >= start && inDay <= end
  }
}

/** Arguments: first and last nanosecond of the day, both included, and how far local time is ahead of UTC in ns. */
export const dayRange: NamedTest = { name: 'day-range', text: dayRangePredicate, value: dayRangePredicate }

function weekRangePredicate(args: readonly Value[]): ValuePredicate {
  const start = numberArg(args, 0, 0)
  const end = numberArg(args, 1, 6)
  const offset = BigInt(numberArg(args, 2, 0))
  return (value) => {
    const ns = toTimeNs(value)
    if (ns === undefined) return false
    // 1970-01-01 was a Thursday.
    const day = Number(floorMod(ns + offset, BigInt(DAY_NS) * 7n) / BigInt(DAY_NS) + 4n) % 7
    return start <= end ? day >= start && day <= end : day >= start || day <= end
  }
}

/** Arguments: first and last day of the week (Sunday is 0), both included, and how far local time is ahead of UTC in ns. */
export const weekRange: NamedTest = { name: 'week-range', text: weekRangePredicate, value: weekRangePredicate }
