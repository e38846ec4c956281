import { compareGroupKeys, type Value } from '../../../data/index.ts'
import { aggregate, sqlAnd, sqlCall, sqlNot, type SqlExpr } from '../statement/ast.ts'
import type { CompiledCall } from '../block.ts'
import { withoutEmpty, type Assembled, type Cell } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import type { ForeignValue } from './engine.ts'
import { listedTexts } from './listed-texts.ts'
import { mayRank } from './ranks.ts'
import type { Of } from './sums.ts'

/**
 * Compiles the minimum or maximum of strings to two result columns: the extreme of the strings that sort by characters,
 * and a list of the strings that may sort as numbers or times. `undefined` if the database cannot compute them.
 */
export function textExtreme(
  kind: 'least' | 'greatest',
  arg: Cell,
  { filter, isWindow }: Pick<CompiledCall, 'filter' | 'isWindow'>,
  dialect: Dialect,
): Assembled | undefined {
  // In a window, the same strings would be listed for each row.
  if (arg.form !== 'text' || arg.facts.isEnum === true || isWindow) return undefined
  const text = withoutEmpty(arg)
  const of = (condition: SqlExpr): SqlExpr => (filter === undefined ? condition : sqlAnd([filter, condition]))
  const ranks = mayRank(text, dialect)
  const parts = [
    aggregate(kind === 'least' ? 'MIN' : 'MAX', [text], { filter: of(sqlNot(ranks)) }),
    sqlCall('as-json', aggregate('LIST', [text], { filter: of(ranks), isDistinct: true })),
  ]
  return { kind, how: 'extreme', parts }
}

/**
 * Computes the minimum or maximum of strings from its two result columns: the extreme of plain strings, and the list of
 * all other strings.
 */
export function extremeOfTexts({ kind }: Of, [plain, others]: readonly ForeignValue[]): Value {
  let best: Value = plain ?? null
  for (const text of listedTexts(others)) {
    const order = best === null ? 0 : compareGroupKeys(text, best)
    if (best === null || (kind === 'least' ? order < 0 : order > 0)) best = text
  }
  return best
}
