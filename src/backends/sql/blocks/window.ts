import { rangeSecondsOf } from '../../../functions/index.ts'
import type { Window } from '../../../plan/index.ts'
import { aggregateCell } from '../aggregates.ts'
import { CannotCompile, withField, type Block } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { groupKeyCell, refine, sortTerms } from '../order.ts'
import { settled } from './ranked.ts'

export function windowBlock(node: Window, context: CompileContext): Block {
  const block = settled(context.block(node.input), context)
  const scope = { block, node }
  const partitionBy = node.partitionBy.map((expr) => groupKeyCell(valueCell(expr, scope)).sql)
  const keys = node.orderBy.flatMap((key) => sortTerms(valueCell(key.expr, scope), key.direction))
  const orderBy = refine(keys, block.order)
  const rangeSeconds = context.range === undefined ? undefined : rangeSecondsOf([], context.range)
  let windowed = block
  for (const { name, call, frame } of node.calls) {
    const where = { block, node, context, rangeSeconds, mayBeEmpty: call.filter !== undefined, isWindow: true }
    const value = aggregateCell(call, where)
    const { sql } = value
    // The window stands inside what is made of the state.
    const state = sql.kind === 'call' ? sql.args[sql.args.length - 1] : sql
    if (state.kind !== 'aggregate' || state.isDistinct) {
      throw new CannotCompile(node, `\`${call.fn}\` has no form over a window in SQL`)
    }
    const over = { kind: 'window', call: state, partitionBy, orderBy, frame } as const
    const whole = sql.kind === 'call' ? { ...sql, args: [...sql.args.slice(0, -1), over] } : over
    windowed = withField(windowed, name, { ...value, sql: whole })
  }
  return nest(windowed, context)
}
