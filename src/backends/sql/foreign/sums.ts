import { float, integer, nearestFloat, type Value } from '../../../data/index.ts'
import { aggregate, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignValue } from './engine.ts'

/** A description of what to compute from several result columns, without the columns themselves. */
export type Of = Omit<Assembled, 'parts'>

/**
 * Compiles an exact sum or mean of whole numbers to two result columns: their count, and their sum as a string, which
 * no float rounds.
 */
export function wholeSum(kind: Assembled['kind'], arg: SqlExpr, filter: SqlExpr | undefined): Assembled {
  const parts = [aggregate('COUNT', [arg], { filter }), sqlCall('as-text', aggregate('SUM', [arg], { filter }))]
  return { kind, how: 'whole', parts }
}

/** Computes a sum or mean of whole numbers from its two result columns, count and sum. */
export function integerFromComponents({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  // The count is NULL in a row that an outer join has added.
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = BigInt(sum ?? 0)
  return kind === 'mean' ? float(nearestFloat(total, BigInt(count))) : integer(total)
}

/**
 * Computes a sum or mean of floats from two result columns: the count of numbers, and their sum in the database's
 * arithmetic.
 */
export function floatFromComponents({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = Number(sum)
  return float(kind === 'mean' ? total / Number(count) : total)
}
