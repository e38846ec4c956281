import { sqlColumn, sqlNull, type SelectColumn, type SqlExpr } from './statement/ast.ts'
import { bareBlock, isLimited, type QueryBlock } from './block.ts'
import type { Cell } from './cell.ts'
import type { CompileContext } from './context.ts'
import { finish } from './finish.ts'

/**
 * Makes the block the FROM source of a new block, to which clauses can be added. A subquery has no order, so its sort
 * keys become result columns.
 */
export function nest(block: QueryBlock, context: CompileContext): QueryBlock {
  const alias = context.alias('q')
  const columns: SelectColumn[] = []
  const lift = (expr: SqlExpr): SqlExpr => {
    const known = columns.find((column) => column.expr === expr)
    if (known !== undefined) return sqlColumn(alias, known.name)
    const name = `c${columns.length}`
    columns.push({ expr, name })
    return sqlColumn(alias, name)
  }
  const fields = new Map<string, Cell>()
  for (const [name, c] of block.fields) {
    const sql = c.sql === sqlNull ? c.sql : lift(c.sql)
    const { assembled, form, facts } = c
    fields.set(name, {
      sql,
      form,
      facts,
      stored: undefined,
      ...(assembled === undefined ? {} : { assembled: { ...assembled, parts: assembled.parts.map(lift) } }),
    })
  }
  const rest = block.rest === undefined ? undefined : { ...block.rest, parts: block.rest.parts.map(lift) }
  const record = block.record === undefined ? undefined : lift(block.record)
  const order = block.order.map((term) => ({
    ...term,
    expr: lift(term.expr),
    ...(term.read === undefined ? {} : { read: { ...term.read, sql: lift(term.read.sql) } }),
  }))
  if (columns.length === 0) columns.push({ expr: { kind: 'constant', text: '1' }, name: 'c0' })
  // Foreign subqueries need ORDER BY only if they have a limit.
  const isOrdered = isLimited(block) || context.dialect.foreign === undefined
  const query = finish(isOrdered ? block : { ...block, order: [] }, columns, context)
  return {
    ...bareBlock,
    host: block.host,
    source: { kind: 'derived', from: { kind: 'select', query, alias } },
    fields,
    rest,
    order,
    record,
  }
}
