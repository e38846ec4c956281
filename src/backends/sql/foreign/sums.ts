import { float, integer, nearestFloat, type Value } from '../../../data/index.ts'
import { aggregate, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignValue } from './engine.ts'

/** The properties that a value is assembled by, without its parts. */
export type Of = Omit<Assembled, 'parts'>

/** An exact sum or mean of whole numbers: their count, and their sum as text, which no float rounds. */
export function wholeSum(kind: Assembled['kind'], arg: SqlExpr, filter: SqlExpr | undefined): Assembled {
  const parts = [aggregate('COUNT', [arg], { filter }), sqlCall('as-text', aggregate('SUM', [arg], { filter }))]
  return { kind, how: 'whole', parts }
}

/** Such a sum or mean of its parts. */
export function wholeOfParts({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  // A row that an outer join adds has no count.
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = BigInt(sum ?? 0)
  return kind === 'mean' ? float(nearestFloat(total, BigInt(count))) : integer(total)
}

/** A sum or mean of floats: the count of those that are numbers, and their sum as the database adds them. */
export function floatOfParts({ kind }: Of, [count = null, sum]: readonly ForeignValue[]): Value {
  if (count === null) return null
  if (Number(count) === 0) return NaN
  const total = Number(sum)
  return float(kind === 'mean' ? total / Number(count) : total)
}
