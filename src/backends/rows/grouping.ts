import { isEmptyValue, type MutableRow, type Value } from '../../data/index.ts'
import { rangeSecondsOf } from '../../functions/index.ts'
import { schemaOf, type Aggregate, type Distinct, type LimitBy, type Window } from '../../plan/index.ts'
import { aggregateOf } from './call.ts'
import type { Environment } from './environment.ts'
import { valueOfExpr } from './expr.ts'
import { groupRows } from './groups.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'
import { compareInDirection, compareKeyLists } from './order.ts'

function keyOrNull(value: Value): Value {
  return isEmptyValue(value) ? null : value
}

export function evaluateAggregate(node: Aggregate, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const schema = schemaOf(node.input)
  const groups = groupRows(input, ({ row }) =>
    node.keys.map((key) => valueOfExpr(key.expr, row, environment.functions)),
  )
  const all = node.keys.length === 0 && groups.length === 0 ? [{ keys: [], rows: [] }] : groups
  const seconds = rangeSecondsOf(node.keys, environment.context.range)
  return all
    .toSorted((a, b) => compareKeyLists(a.keys, b.keys))
    .map((group) => {
      const row: MutableRow = new Map(node.keys.map((key, i) => [key.name, keyOrNull(group.keys[i])]))
      const rows = group.rows.map((member) => member.row)
      for (const { name, call } of node.aggregates) row.set(name, aggregateOf(call, rows, schema, seconds, environment))
      return { row, record: undefined }
    })
}

export function evaluateDistinct(node: Distinct, input: readonly ModelRow[]): ModelRow[] {
  return groupRows(input, ({ row }) => node.keys.map((name) => row.get(name) ?? null))
    .toSorted((a, b) => compareKeyLists(a.keys, b.keys))
    .slice(0, node.limit)
    .map((group) => {
      const row: MutableRow = new Map(node.keys.map((name, i) => [name, keyOrNull(group.keys[i])]))
      if (node.hitsName !== undefined) row.set(node.hitsName, group.rows.length)
      return { row, record: undefined }
    })
}

/** Which rows stay is decided group by group; the order is that of the input. */
export function evaluateLimitBy(node: LimitBy, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const groups = groupRows(input, ({ row }) => node.keys.map((key) => valueOfExpr(key, row, environment.functions)))
  const kept = new Set(groups.flatMap((group) => group.rows.slice(node.offset, node.offset + node.limit)))
  return input.filter((row) => kept.has(row))
}

export function evaluateWindow(node: Window, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const schema = schemaOf(node.input)
  const seconds = rangeSecondsOf([], context.range)
  const values = new Map<ModelRow, MutableRow>(input.map((row) => [row, copyOf(row.row)]))
  for (const group of groupRows(input, ({ row }) => node.partitionBy.map((key) => valueOfExpr(key, row, functions)))) {
    const sorted = group.rows.toSorted((a, b) => {
      for (const key of node.orderBy) {
        const [left, right] = [a, b].map(({ row }) => valueOfExpr(key.expr, row, functions))
        const order = compareInDirection(left, right, key.direction)
        if (order !== 0) return order
      }
      return 0
    })
    const rows = sorted.map(({ row }) => row)
    for (const { name, call, frame } of node.calls) {
      const whole = frame === 'partition' ? aggregateOf(call, rows, schema, seconds, environment) : null
      for (const [position, member] of sorted.entries()) {
        context.budget.checkpoint()
        const value =
          frame === 'partition' ? whole : aggregateOf(call, rows.slice(0, position + 1), schema, seconds, environment)
        values.get(member)?.set(name, value)
      }
    }
  }
  return input.map((row) => withRow(row, values.get(row) ?? row.row))
}
