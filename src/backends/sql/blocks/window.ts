import type { SqlExpr } from '../statement/ast.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import type { Window } from '../../../plan/index.ts'
import { aggregateCell } from '../aggregates.ts'
import { CannotCompile, withField, type QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { groupKeyCell, refine, sortTerms } from '../order.ts'
import { settled } from './ranked.ts'

export function windowBlock(node: Window, context: CompileContext): QueryBlock {
  const block = settled(context.block(node.input), context)
  const scope = { block, node }
  const partitionBy = node.partitionBy.map((expr) => groupKeyCell(valueCell(expr, scope), scope).sql)
  const keys = node.orderBy.flatMap((key) => sortTerms(valueCell(key.expr, scope), key.direction, scope))
  const orderBy = refine(keys, block.order)
  const rangeSeconds = context.range === undefined ? undefined : rangeSecondsOf([], context.range)
  let windowed = block
  for (const { name, call, frame } of node.calls) {
    const where = { block, node, context, rangeSeconds, mayBeEmpty: call.filter !== undefined, isWindow: true }
    const value = aggregateCell(call, where)
    const over = (sql: SqlExpr): SqlExpr => {
      if (sql.kind === 'call') return { ...sql, args: sql.args.map(over) }
      if (sql.kind !== 'aggregate') return sql
      if (sql.isDistinct) throw new CannotCompile(node, `\`${call.fn}\` counts distinct values, which no window does`)
      const refusal = context.dialect.cannot[`window ${sql.name}`]
      if (refusal !== undefined) throw new CannotCompile(node, refusal)
      const own = `${sql.name}-OVER`
      const isOwn = context.dialect.aggregates[own] !== undefined && sql.args.every((arg) => arg.kind !== 'constant')
      return { kind: 'window', call: isOwn ? { ...sql, name: own } : sql, partitionBy, orderBy, frame }
    }
    const { assembled } = value
    windowed = withField(windowed, name, {
      ...value,
      sql: over(value.sql),
      ...(assembled === undefined ? {} : { assembled: { ...assembled, parts: assembled.parts.map(over) } }),
    })
  }
  return nest(windowed, context)
}
