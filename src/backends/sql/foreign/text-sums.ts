import { ExactSum, toNumber, type Value } from '../../../data/index.ts'
import { aggregate, bound, sqlAnd, sqlCall, sqlNot, type SqlExpr } from '../statement/ast.ts'
import type { CompiledCall } from '../block.ts'
import { emptyIsMissing, type Assembled, type Cell } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import type { ForeignValue } from './engine.ts'
import { listedTexts } from './listed-texts.ts'
import { mayRank } from './ranks.ts'
import type { Of } from './sums.ts'

/**
 * Pattern for whole numbers of at most 18 digits in their usual notation; they fit in 64 bits. Nearly all numbers among
 * strings match.
 */
const WHOLE = '^(?:0|-?[1-9][0-9]{0,17})$'

/**
 * Compiles a sum or mean of the numbers among strings to result columns. The database adds whole numbers, and lists
 * other strings that may be numbers. `undefined` if the database cannot compute them.
 */
export function textSum(
  kind: Assembled['kind'],
  arg: Cell,
  { filter, isWindow }: Pick<CompiledCall, 'filter' | 'isWindow'>,
  dialect: Dialect,
): Assembled | undefined {
  // In a window, the same strings would be listed for each row.
  if (arg.form !== 'text' || arg.facts.isEnum === true || isWindow) return undefined
  if (dialect.functions['whole-of-text'] === undefined) return undefined
  const { sql } = emptyIsMissing(arg)
  const isWhole = sqlCall('matches', sql, bound(WHOLE))
  const of = (...conditions: readonly SqlExpr[]): SqlExpr =>
    sqlAnd(filter === undefined ? conditions : [filter, ...conditions])
  const wholes = aggregate('SUM', [sqlCall('whole-of-text', sql)], { filter: of(isWhole) })
  const others = aggregate('LIST', [sql], { filter: of(mayRank(sql, dialect), sqlNot(isWhole)) })
  const parts = [
    aggregate('COUNT', [sql], { filter: of(isWhole) }),
    sqlCall('as-text', wholes),
    sqlCall('as-json', others),
  ]
  return { kind, how: 'texts', parts }
}

/**
 * Computes the sum or mean of numbers among strings from three result columns: count, sum of whole numbers, and list of
 * other strings.
 */
export function sumOfTexts({ kind }: Of, [count, whole, others]: readonly ForeignValue[]): Value {
  // In a row that an outer join has added, the count is NULL.
  if (count === null) return null
  const sum = new ExactSum()
  let numbers = Number(count ?? 0)
  if (numbers > 0) sum.add(BigInt(whole ?? 0))
  for (const text of listedTexts(others)) {
    const number = toNumber(text)
    if (number === undefined) continue
    sum.add(number)
    numbers++
  }
  if (numbers === 0) return NaN
  return kind === 'mean' ? sum.mean(numbers) : sum.value()
}
