import type { Row, StoredRow } from '../../data/index.ts'
import {
  inputs,
  type ExplainMeasure,
  type LogicalPlan,
  type NodeOf,
  type PlanKind,
  type Scan,
} from '../../plan/index.ts'
import { ticker, type Environment } from './environment.ts'
import { holds } from './expr.ts'
import { evaluateDrop, evaluateExtend, evaluateProject, evaluateRename } from './fields.ts'
import { evaluateApply, evaluateTableApply } from './functions.ts'
import { evaluateAggregate, evaluateDistinct, evaluateLimitBy, evaluateWindow } from './grouping.ts'
import { evaluateJoin } from './join.ts'
import type { ModelRow } from './model-row.ts'
import { evaluateSample, evaluateSort } from './ordering.ts'

type Evaluator<K extends PlanKind> = (
  node: NodeOf<K>,
  environment: Environment,
  inputs: readonly (readonly ModelRow[])[],
) => readonly ModelRow[]

function newestFirst(a: StoredRow, b: StoredRow): number {
  return a.timeNs === b.timeNs ? b.sequence - a.sequence : a.timeNs < b.timeNs ? 1 : -1
}

/** Evaluates a scan. The guard is applied first, so that no other code sees hidden rows. */
function evaluateScan(node: Scan, environment: Environment): ModelRow[] {
  const { budget } = environment.context
  const tick = ticker(budget)
  const stored = environment.tables.get(node.table) ?? []
  const { range, guard, predicate } = node
  const isVisible = ({ timeNs, row }: StoredRow): boolean => {
    tick()
    if (timeNs < range.startNs || (timeNs >= range.endNs && range.endNs !== 2n ** 63n - 1n)) return false
    return guard === undefined || holds(guard, row, environment.functions)
  }
  if (guard === undefined) budget.scanned(stored.length)
  const visible = stored.filter(isVisible)
  // The row limit counts visible rows only, so that it does not reveal hidden ones.
  if (guard !== undefined) budget.scanned(visible.length)
  return visible
    .filter(({ row }) => predicate === undefined || holds(predicate, row, environment.functions))
    .sort(newestFirst)
    .map(({ row }) => ({ row: node.columns === undefined ? row : onlyColumns(row, node.columns), record: row }))
}

function onlyColumns(row: Row, columns: readonly string[]): Row {
  const wanted = new Set(columns)
  return new Map([...row].filter(([name]) => wanted.has(name)))
}

const evaluators: { readonly [K in PlanKind]: Evaluator<K> } = {
  scan: (node, environment) => evaluateScan(node, environment),
  values: (node) => node.rows.map((row) => ({ row, record: undefined })),
  filter: (node, environment, [input = []]) =>
    input.filter(({ row }) => holds(node.predicate, row, environment.functions)),
  project: (node, _, [input = []]) => evaluateProject(node, input),
  drop: (node, _, [input = []]) => evaluateDrop(node, input),
  rename: (node, _, [input = []]) => evaluateRename(node, input),
  extend: (node, environment, [input = []]) => evaluateExtend(node, input, environment),
  aggregate: (node, environment, [input = []]) => evaluateAggregate(node, input, environment),
  sort: (node, environment, [input = []]) => evaluateSort(node, input, environment),
  limit: (node, _, [input = []]) =>
    input.slice(node.offset, node.limit === undefined ? undefined : node.offset + node.limit),
  'limit-by': (node, environment, [input = []]) => evaluateLimitBy(node, input, environment),
  distinct: (node, _, [input = []]) => evaluateDistinct(node, input),
  join: (node, environment, [left = [], right = []]) => evaluateJoin(node, left, right, environment),
  union: (_, __, all) => all.flat(),
  sample: (node, _, [input = []]) => evaluateSample(node, input),
  window: (node, environment, [input = []]) => evaluateWindow(node, input, environment),
  apply: (node, environment, [input = []]) => evaluateApply(node, input, environment),
  'table-apply': (node, environment, [input = []]) => evaluateTableApply(node, input, environment),
}

export function canEvaluate(kind: string): boolean {
  return Object.hasOwn(evaluators, kind)
}

/** Evaluates a plan recursively, inputs first, and returns its rows. Records measurements for `explain`. */
export function evaluate(
  plan: LogicalPlan,
  environment: Environment,
  measures: Map<LogicalPlan, ExplainMeasure>,
): readonly ModelRow[] {
  const { budget } = environment.context
  const parts = inputs(plan).map((input) => evaluate(input, environment, measures))
  budget.checkpoint()
  const startMs = performance.now()
  const run = evaluators[plan.kind] as Evaluator<PlanKind>
  const rows = run(plan, environment, parts)
  const bytes = (rows.length - parts.reduce((sum, part) => sum + part.length, 0)) * 100
  budget.charge(bytes)
  measures.set(plan, { rows: rows.length, milliseconds: performance.now() - startMs, counters: {} })
  return rows
}
