import { DAY_NS } from '../../../../base/index.ts'
import type { ValueTest } from '../../../../data/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlOr, type SqlExpr } from '../../statement/ast.ts'
import type { Cell } from '../../cell.ts'
import { polar } from '../../conditions/tests-on-numbers.ts'

interface Cycle {
  readonly lengthNs: bigint
  /** Unit of the test's arguments, nanoseconds. */
  readonly unitNs: bigint
  /** Nanoseconds from the start of a cycle to the start of 1970. */
  readonly epochNs: bigint
}

const cycles: Readonly<Record<string, Cycle>> = {
  'day-range': { lengthNs: DAY_NS, unitNs: 1n, epochNs: 0n },
  // Weeks start on Sunday. 1970-01-01 was a Thursday, four days after Sunday.
  'week-range': { lengthNs: 7n * DAY_NS, unitNs: DAY_NS, epochNs: 4n * DAY_NS },
}

type Range = readonly [lowNs: bigint, highNs: bigint]

/**
 * Returns the intervals of the cycle (a day or a week) that the test `[first, last]` covers, as offsets from a multiple
 * of the cycle since 1970. If `first` is later than `last`, the range contains the end of the cycle and so has two
 * intervals.
 */
function rangesOf(
  { lengthNs, unitNs, epochNs }: Cycle,
  first: bigint,
  last: bigint,
  offsetNs: bigint,
): readonly Range[] {
  const [end, from, to] = [lengthNs - 1n, first * unitNs, last * unitNs + unitNs - 1n]
  const said: readonly Range[] =
    first <= last
      ? [[from, to]]
      : [
          [from, end],
          [0n, to],
        ]
  return said.flatMap(([low, high]): readonly Range[] => {
    const [cutLow, cutHigh] = [low < 0n ? 0n : low, high > end ? end : high]
    if (cutLow > cutHigh) return []
    const moved = (((cutLow - epochNs - offsetNs) % lengthNs) + lengthNs) % lengthNs
    const over = moved + (cutHigh - cutLow) - end
    if (over <= 0n) return [[moved, end + over]]
    return [
      [moved, end],
      [0n, over - 1n],
    ]
  })
}

/**
 * Compiles tests of the time of day and of the day of the week, in UTC or at a fixed offset. `undefined` for other
 * tests and for tests in a time zone.
 */
export function clockTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  const cycle = test.kind === 'named' ? cycles[test.name] : undefined
  if (test.kind !== 'named' || cycle === undefined) return undefined
  const [first, last, offsetNs = 0, zone = null] = test.args
  if (zone !== null || ![first, last, offsetNs].every(Number.isSafeInteger)) return undefined
  const [low, high, moved] = [first, last, offsetNs].map((each) => BigInt(each as number))
  if (low === undefined || high === undefined || moved === undefined) return undefined
  const at = sqlCall('subtract', c.sql, sqlCall('floor-time', c.sql, bound(cycle.lengthNs)))
  const within = rangesOf(cycle, low, high, moved).map(([from, to]) =>
    sqlAnd([compare(at, '>=', bound(from)), compare(at, '<=', bound(to))]),
  )
  return polar(c, sqlOr(within), isPositive)
}
