import { compareGroupKeys, type Value } from '../../../data/index.ts'
import { aggregate, sqlAnd, sqlCall, sqlNot, type SqlExpr } from '../ast.ts'
import type { CompiledCall } from '../block.ts'
import { withoutEmpty, type Assembled, type Cell } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import type { ForeignValue } from './engine.ts'
import { mayRank } from './ranks.ts'

/**
 * The least or greatest of texts: the database finds that of the plain ones, and lists those that may rank as numbers or times.
 * `undefined` where it cannot.
 */
export function textExtreme(
  kind: 'least' | 'greatest',
  arg: Cell,
  { filter, isWindow }: Pick<CompiledCall, 'filter' | 'isWindow'>,
  dialect: Dialect,
): Assembled | undefined {
  // A window would list the texts row by row.
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

function extremeOf(kind: Assembled['kind'], [plain, others]: readonly ForeignValue[]): Value {
  const listed = typeof others === 'string' ? (JSON.parse(others) as readonly string[] | null) : null
  let best: Value = plain ?? null
  for (const text of listed ?? []) {
    const order = best === null ? 0 : compareGroupKeys(text, best)
    if (best === null || (kind === 'least' ? order < 0 : order > 0)) best = text
  }
  return best
}

/** The values of such a call from its result columns. */
export function assembleExtremes(
  kind: Assembled['kind'],
  columns: readonly (readonly ForeignValue[])[],
  rowCount: number,
): readonly Value[] {
  return Array.from({ length: rowCount }, (_, row) =>
    extremeOf(
      kind,
      columns.map((values) => values[row] ?? null),
    ),
  )
}
