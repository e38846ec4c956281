import { sqlColumn, sqlNull, type SelectColumn, type SqlExpr } from './ast.ts'
import { bareBlock, type Block } from './block.ts'
import type { Cell } from './cell.ts'
import type { CompileContext } from './context.ts'
import { finish } from './finish.ts'

/** Makes the block the source of a new one, which has room again. Sources promise no order, so its keys come along. */
export function nest(block: Block, context: CompileContext): Block {
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
    fields.set(name, { sql, form: c.form, facts: c.facts, stored: undefined })
  }
  const rest = block.rest === undefined ? undefined : { ...block.rest, parts: block.rest.parts.map(lift) }
  const record = block.record === undefined ? undefined : lift(block.record)
  const order = block.order.map((term) => ({ ...term, expr: lift(term.expr) }))
  if (columns.length === 0) columns.push({ expr: { kind: 'constant', text: '1' }, name: 'c0' })
  const query = finish(block, columns, context)
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
