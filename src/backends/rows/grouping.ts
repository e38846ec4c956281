import type { MutableRow, Value } from '../../data/index.ts'
import { rangeSecondsOf } from '../../functions/index.ts'
import { schemaOf, type Aggregate, type Distinct, type LimitBy, type Window } from '../../plan/index.ts'
import { startCall } from './call.ts'
import { isEmpty } from './coerce.ts'
import { ticker, type Environment } from './environment.ts'
import { valueOfExpr } from './expr.ts'
import { groupRows, type ModelGroup } from './groups.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'
import { compareKeys, comparePositionsIn, sortedBy } from './order.ts'

function keyOrNull(value: Value | undefined): Value {
  return value === undefined || isEmpty(value) ? null : value
}

function inKeyOrder(groups: readonly ModelGroup[]): readonly ModelGroup[] {
  return sortedBy(groups, (group) => group.keys, compareKeys)
}

export function evaluateAggregate(node: Aggregate, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const schema = schemaOf(node.input)
  const groups = groupRows(input, ({ row }) =>
    node.keys.map((key) => valueOfExpr(key.expr, row, environment.functions)),
  )
  const all = node.keys.length === 0 && groups.length === 0 ? [{ keys: [], rows: [] }] : groups
  const seconds = rangeSecondsOf(node.keys, environment.context.range)
  return inKeyOrder(all).map((group) => {
    const row: MutableRow = new Map(node.keys.map((key, i) => [key.name, keyOrNull(group.keys[i])]))
    for (const { name, call } of node.aggregates) {
      const running = startCall(call, schema, seconds, environment)
      for (const member of group.rows) running.add(member.row)
      row.set(name, running.value())
    }
    return { row, record: undefined }
  })
}

export function evaluateDistinct(node: Distinct, input: readonly ModelRow[]): ModelRow[] {
  return inKeyOrder(groupRows(input, ({ row }) => node.keys.map((name) => row.get(name) ?? null)))
    .slice(0, node.limit)
    .map((group) => {
      const row: MutableRow = new Map(node.keys.map((name, i) => [name, keyOrNull(group.keys[i])]))
      if (node.hitsName !== undefined) row.set(node.hitsName, group.rows.length)
      return { row, record: undefined }
    })
}

/** Keeps the rows at the wanted positions of each group, in input order. */
export function evaluateLimitBy(node: LimitBy, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const groups = groupRows(input, ({ row }) => node.keys.map((key) => valueOfExpr(key, row, environment.functions)))
  const kept = new Set(groups.flatMap((group) => group.rows.slice(node.offset, node.offset + node.limit)))
  return input.filter((row) => kept.has(row))
}

export function evaluateWindow(node: Window, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const schema = schemaOf(node.input)
  const tick = ticker(context.budget)
  const seconds = rangeSecondsOf([], context.range)
  const values = new Map<ModelRow, MutableRow>(input.map((row) => [row, copyOf(row.row)]))
  for (const group of groupRows(input, ({ row }) => node.partitionBy.map((key) => valueOfExpr(key, row, functions)))) {
    const sorted = sortedBy(
      group.rows,
      ({ row }) => node.orderBy.map((key) => valueOfExpr(key.expr, row, functions)),
      (a, b, i) => comparePositionsIn(a, b, node.orderBy[i]?.direction ?? 'asc'),
    )
    for (const { name, call, frame } of node.calls) {
      const running = startCall(call, schema, seconds, environment)
      for (const member of sorted) {
        tick()
        running.add(member.row)
        if (frame === 'running') values.get(member)?.set(name, running.value())
      }
      if (frame === 'running') continue
      const whole = running.value()
      for (const member of sorted) values.get(member)?.set(name, whole)
    }
  }
  return input.map((row) => withRow(row, values.get(row) ?? row.row))
}
