import type { Aggregate, Distinct } from '../../../plan/index.ts'
import { column } from '../../../plan/index.ts'
import { present } from '../../../base/index.ts'
import { aggregate, compare, emptyText, type OrderTerm, type SqlExpr } from '../statement/ast.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { aggregateCell } from '../aggregates.ts'
import type { QueryBlock, ExprContext } from '../block.ts'
import { cell, emptyIsMissing, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { valueCell } from '../expr.ts'
import { nest } from '../nest.ts'
import { groupKeyCell, groupTerms } from '../order.ts'
import { addLimit } from './limit.ts'
import { settled } from './ranked.ts'

/** Removes a collation from a group key, so that an index on the column can be used. Grouping needs only equality. */
function inAnyOrder(sql: SqlExpr): SqlExpr {
  const [arg] = sql.kind === 'call' && (sql.name === 'in-order' || sql.name === 'in-bytes') ? sql.args : []
  return arg ?? sql
}

interface Key {
  readonly cell: Cell
  readonly groupBy: SqlExpr
  /** The condition that detects the group `''`, which must be merged with the group of missing values. */
  readonly unmerged?: SqlExpr
}

/**
 * Compiles a group key. Converting `''` to NULL in each row is slow and prevents the use of an index. If the context
 * allows it, stored values are grouped instead, and a condition detects a group `''`.
 */
function keyOf(given: Cell, exprContext: ExprContext, context: CompileContext): Key {
  const cell = groupKeyCell(given, exprContext)
  const stored = inAnyOrder(given.sql)
  const { hasEmpty, hasMissing } = given.facts
  const isStored = stored.kind === 'column' && stored.path === undefined && given.form === 'text'
  if (context.keepsEmptyKeys !== true || !isStored || !hasEmpty || !hasMissing)
    return { cell, groupBy: groupedBy(given, cell, context) }
  const key = groupKeyCell({ ...given, facts: { ...given.facts, hasEmpty: false } }, exprContext)
  return { cell: key, groupBy: stored, unmerged: compare(stored, '=', emptyText) }
}

function unmergedOf(keys: readonly Key[]): QueryBlock['unmerged'] {
  const unmerged = keys.flatMap((key) => key.unmerged ?? [])
  return unmerged.length === 0 ? undefined : unmerged
}

/**
 * Returns the expression by which rows are grouped. If `''` is the only missing value, this is the stored value,
 * because converting it to NULL is slower.
 */
function groupedBy(given: Cell, key: Cell, { dialect }: CompileContext): SqlExpr {
  const { sql, facts } = emptyIsMissing(given)
  return dialect.foreign !== undefined && given.form === 'text' && !facts.hasMissing ? sql : key.sql
}

export function aggregateBlock(node: Aggregate, context: CompileContext): QueryBlock {
  const block = settled(context.block(node.input), context)
  const exprContext = { block, node }
  const fields = new Map<string, Cell>()
  const order: OrderTerm[] = []
  const keys = node.keys.map((key) => keyOf(valueCell(key.expr, exprContext), exprContext, context))
  for (const [i, { name }] of node.keys.entries()) {
    const { cell: keyCell } = present(keys[i])
    fields.set(name, keyCell)
    order.push(...groupTerms(keyCell, exprContext))
  }
  const rangeSeconds = context.range === undefined ? undefined : rangeSecondsOf(node.keys, context.range)
  for (const { name, call } of node.aggregates) {
    const where = { block, node, context, rangeSeconds, mayBeEmpty: node.keys.length === 0 }
    fields.set(name, aggregateCell(call, where))
  }
  const groupBy = keys.map((key) => key.groupBy)
  return { ...block, fields, rest: undefined, groupBy, order, record: undefined, unmerged: unmergedOf(keys) }
}

/**
 * Reads a single dictionary-encoded string column by an inner SELECT DISTINCT, `''` included, which is faster than
 * grouping rows. Returns the block unchanged in all other cases.
 */
function codesFirst(block: QueryBlock, node: Distinct, context: CompileContext): QueryBlock {
  const [name, ...others] = node.keys
  if (name === undefined || others.length > 0 || node.hitsName !== undefined) return block
  const given = valueCell(column(name), { block, node })
  const isText = given.facts.isCoded === true && !given.facts.hasMissing && given.sql.kind === 'column'
  if (!isText || context.dialect.foreign === undefined) return block
  const fields = new Map([[name, given]])
  return nest({ ...block, fields, rest: undefined, isDistinct: true, order: [], record: undefined }, context)
}

export function distinctBlock(node: Distinct, context: CompileContext): QueryBlock {
  const input = settled(context.block(node.input), context)
  const block = codesFirst(input, node, context)
  const isFound = block !== input
  const exprContext = { block, node }
  const keys = node.keys.map((name) => keyOf(valueCell(column(name), exprContext), exprContext, context))
  const cells = keys.map((key) => key.cell)
  const fields = new Map<string, Cell>(node.keys.map((name, i) => [name, present(cells[i])]))
  const order = cells.flatMap((c) => groupTerms(c, exprContext))
  const isPlain = node.hitsName === undefined && cells.every((c) => c.sql.kind === 'column')
  if (node.hitsName !== undefined) {
    fields.set(node.hitsName, cell(aggregate('COUNT', [{ kind: 'constant', text: '*' }]), 'number', block.host.counts))
  }
  const groups: QueryBlock = {
    ...block,
    fields,
    rest: undefined,
    groupBy: isPlain || isFound ? undefined : keys.map((key) => key.groupBy),
    isDistinct: isPlain,
    order,
    record: undefined,
    unmerged: unmergedOf(keys),
  }
  return node.limit === undefined ? groups : addLimit(groups, 0, node.limit)
}
