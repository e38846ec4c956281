import type { Aggregate, Distinct } from '../../../plan/index.ts'
import { column } from '../../../plan/index.ts'
import { aggregate, type OrderTerm, type SqlExpr } from '../ast.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { aggregateCell } from '../aggregates.ts'
import type { Block } from '../block.ts'
import { cell, emptyIsMissing, missingCell, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { groupKeyCell, groupTerms } from '../order.ts'
import { addLimit } from './limit.ts'
import { settled } from './ranked.ts'

/** What rows are grouped by: `''` itself where it alone is missing, which is quicker than to make it NULL row by row. */
function groupedBy(given: Cell, key: Cell, { dialect }: CompileContext): SqlExpr {
  const { sql, facts } = emptyIsMissing(given)
  return dialect.foreign !== undefined && given.form === 'text' && !facts.hasMissing ? sql : key.sql
}

export function aggregateBlock(node: Aggregate, context: CompileContext): Block {
  const block = settled(context.block(node.input), context)
  const place = { block, node }
  const fields = new Map<string, Cell>()
  const groupBy: SqlExpr[] = []
  const order: OrderTerm[] = []
  for (const key of node.keys) {
    const given = valueCell(key.expr, place)
    const keyCell = groupKeyCell(given, place)
    fields.set(key.name, keyCell)
    groupBy.push(groupedBy(given, keyCell, context))
    order.push(...groupTerms(keyCell, place))
  }
  const rangeSeconds = context.range === undefined ? undefined : rangeSecondsOf(node.keys, context.range)
  for (const { name, call } of node.aggregates) {
    const where = { block, node, context, rangeSeconds, mayBeEmpty: node.keys.length === 0 }
    fields.set(name, aggregateCell(call, where))
  }
  return { ...block, fields, rest: undefined, groupBy, order, record: undefined }
}

/** The different texts of one column, `''` among them, where that is quicker than groups: below the rest of the statement. */
function codesFirst(block: Block, node: Distinct, context: CompileContext): Block {
  const [name, ...others] = node.keys
  if (name === undefined || others.length > 0 || node.hitsName !== undefined) return block
  const given = valueCell(column(name), { block, node })
  const isText = given.facts.isCoded === true && !given.facts.hasMissing && given.sql.kind === 'column'
  if (!isText || context.dialect.foreign === undefined) return block
  const fields = new Map([[name, given]])
  return nest({ ...block, fields, rest: undefined, isDistinct: true, order: [], record: undefined }, context)
}

export function distinctBlock(node: Distinct, context: CompileContext): Block {
  const input = settled(context.block(node.input), context)
  const block = codesFirst(input, node, context)
  const isFound = block !== input
  const place = { block, node }
  const given = node.keys.map((name) => valueCell(column(name), place))
  const keys = node.keys.map((name, i) => [name, groupKeyCell(given[i] ?? missingCell, place)] as const)
  const fields = new Map<string, Cell>(keys)
  const cells = keys.map(([, c]) => c)
  const order = cells.flatMap((c) => groupTerms(c, place))
  const isPlain = node.hitsName === undefined && cells.every((c) => c.sql.kind === 'column')
  if (node.hitsName !== undefined) {
    fields.set(node.hitsName, cell(aggregate('COUNT', [{ kind: 'constant', text: '*' }]), 'number', block.host.counts))
  }
  const groups: Block = {
    ...block,
    fields,
    rest: undefined,
    groupBy: isPlain || isFound ? undefined : cells.map((c, i) => groupedBy(given[i] ?? c, c, context)),
    isDistinct: isPlain,
    order,
    record: undefined,
  }
  return node.limit === undefined ? groups : addLimit(groups, 0, node.limit)
}
