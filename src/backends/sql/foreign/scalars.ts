import { bound, emptyText, sqlCall, sqlNull, type SqlExpr } from '../statement/ast.ts'
import type { Call, Expr } from '../../../plan/index.ts'
import { CannotCompile, type ExprContext } from '../block.ts'
import { anything, cell, type Cell } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import { valueCell } from '../expr.ts'
import { compareText, isEmptyValue, toText } from '../../../data/index.ts'
import { isNotEmptyCell } from '../conditions/tests-on-values.ts'

/** Compiles a call of a scalar function to exact SQL, or returns the reason why that is impossible. */
type ForeignScalar = (args: readonly Expr[], context: ExprContext, dialect: Dialect) => Cell | string

/**
 * Compiles the conversion of a value, which may be missing or empty, to a string. `undefined` if the database would
 * write another string than Sluice.
 */
function textOf({ form, sql, facts }: Cell): SqlExpr | undefined {
  if (form === 'text') return facts.isEnum === true ? sqlCall('as-text', sql) : sql
  const isWhole = form === 'number' && (facts.number === 'integer' || facts.number === 'wide')
  return isWhole ? sqlCall('as-text', sql) : undefined
}

/**
 * Compiles the name of a log stream, such as `{a="b",c="d"}`, from the fields that have a value. If the row stores a
 * name, that name is used instead.
 */
const streamName: ForeignScalar = ([first, ...pairs], context, dialect) => {
  if (first === undefined || dialect.functions['quoted-text'] === undefined) return 'it quotes texts in another way'
  const stored = valueCell(first, context)
  const labels = new Map<string, Cell>()
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [name, value] = [pairs[i], pairs[i + 1]]
    if (name?.kind !== 'literal' || value === undefined) return 'its labels are named row by row'
    labels.set(toText(name.value), valueCell(value, context))
  }
  const parts: SqlExpr[] = []
  for (const [name, c] of [...labels].sort(([a], [b]) => compareText(a, b))) {
    if (c.sql === sqlNull || c.facts.values?.every(isEmptyValue) === true) continue
    const text = textOf(c)
    if (text === undefined) return 'it writes values of a stream in another way'
    const part = sqlCall('joined-texts', bound(`,${name}=`), sqlCall('quoted-text', text))
    parts.push({ kind: 'case', branches: [{ when: isNotEmptyCell(c), value: part }], otherwise: emptyText })
  }
  const inside = parts.length === 0 ? [] : [sqlCall('without-first', sqlCall('joined-texts', ...parts, emptyText))]
  const made = sqlCall('joined-texts', bound('{'), ...inside, bound('}'))
  const facts = { ...anything, hasMissing: false, hasEmpty: false }
  // The name begins with a brace, so it never sorts as a number or a time.
  if (stored.sql === sqlNull) return cell(made, 'text', { ...facts, ranked: [] })
  if (stored.form !== 'text') return 'its values are of several kinds'
  const branches = [{ when: isNotEmptyCell(stored), value: stored.sql }]
  return cell({ kind: 'case', branches, otherwise: made }, 'text', facts)
}

const scalars: Readonly<Record<string, ForeignScalar>> = { 'stream-name': streamName }

/** Compiles a call of a scalar function to exact SQL. Throws CannotCompile. */
export function foreignScalar({ name, args }: Call, context: ExprContext, dialect: Dialect): Cell {
  const found = scalars[name]?.(args, context, dialect) ?? `\`${name}\` is no function of its own`
  if (typeof found === 'string') throw new CannotCompile(context.node, found)
  return found
}
