import { float, integer, nearestFloat, type Value } from '../../../data/index.ts'
import { aggregate, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignValue } from './engine.ts'

/** How to compute a value from several result columns, without the columns. */
export type Of = Omit<Assembled, 'parts'>

/**
 * Compiles an exact sum or mean of whole numbers to two result columns: the count, and the sum as a string, so that no
 * float rounds it.
 */
export function wholeSum(kind: Assembled['kind'], arg: SqlExpr, filter: SqlExpr | undefined): Assembled {
  const parts = [aggregate('COUNT', [arg], { filter }), sqlCall('as-text', aggregate('SUM', [arg], { filter }))]
  return { kind, how: 'whole', parts }
}

/** Computes a sum or mean of whole numbers from its two result columns, count and sum. */
export function integerFromComponents({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  // In a row that an outer join has added, the count is NULL.
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = BigInt(sum ?? 0)
  return kind === 'mean' ? float(nearestFloat(total, BigInt(count))) : integer(total)
}

/** Computes a sum or mean of floats from two result columns: the count of numbers, and the database's sum. */
export function floatFromComponents({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = Number(sum)
  return float(kind === 'mean' ? total / Number(count) : total)
}
