import { nowhere } from '../../base/index.ts'
import {
  column,
  literal,
  expressions,
  inputs,
  mapInputs,
  matchesField,
  not,
  printPlan,
  propertiesOf,
  subqueries,
  visitExpr,
  type Aggregate,
  type Catalog,
  type LogicalPlan,
} from '../../plan/index.ts'

/** A plan whose answer over a time range depends on the rows of this range alone, each by itself up to an aggregation. */
export interface RangePlan {
  /** Nodes above the last aggregation, the outermost first. */
  readonly above: readonly LogicalPlan[]
  readonly aggregate: Aggregate
  /** Field of the time, as the input of the aggregation has it. */
  readonly timeField: string
}

/** Nodes that make each row from one input row alone, and do not read the time of the query. */
const ROW_KINDS: ReadonlySet<string> = new Set(['filter', 'extend', 'rename', 'drop'])

function isRowByRow(node: LogicalPlan): boolean {
  return ROW_KINDS.has(node.kind) && subqueries(node).length === 0
}

/** Whether a node reads or changes fields that it does not name, so that a further field would change its rows. */
function isOpen(node: LogicalPlan): boolean {
  let isFound = propertiesOf(node).touches?.some(({ parts }) => parts.length > 1) ?? true
  for (const root of expressions(node))
    visitExpr(root, (expr) => {
      const isPattern = expr.kind === 'field-filter' && (expr.field?.parts.length ?? 1) > 1
      isFound ||= isPattern || expr.kind === 'any-field' || expr.kind === 'columns'
    })
  return isFound
}

/** The time field of the rows that nodes make of a scan row by row, then its other names; empty if it may be changed. */
function timeNames(plan: LogicalPlan, catalog: Catalog): readonly string[] {
  if (plan.kind === 'scan') {
    const isPlain = plan.ignoresRequestRange !== true && (plan.rangeShiftNs ?? 0n) === 0n
    const { timeField, aliases = new Map<string, string>() } = catalog.tables.get(plan.table) ?? {}
    if (!isPlain || timeField === undefined) return []
    return [timeField, ...[...aliases].flatMap(([alias, field]) => (field === timeField ? [alias] : []))]
  }
  const [input] = inputs(plan)
  const { touches } = propertiesOf(plan)
  if (input === undefined || !isRowByRow(plan) || touches === undefined) return []
  const names = timeNames(input, catalog)
  return touches.some((pattern) => names.some((name) => matchesField(pattern, name))) ? [] : names
}

/** Reads a plan; `undefined` if its answer over a range may depend on rows or ranges beside it. */
export function rangePlan(plan: LogicalPlan, catalog: Catalog): RangePlan | undefined {
  const above: LogicalPlan[] = []
  let node = plan
  while (node.kind !== 'aggregate') {
    const [input] = inputs(node)
    if (input === undefined || !isRowByRow(node) || isOpen(node)) return undefined
    above.push(node)
    node = input
  }
  const [timeField] = timeNames(node.input, catalog)
  return timeField === undefined || subqueries(node).length > 0 ? undefined : { above, aggregate: node, timeField }
}

function whole(above: readonly LogicalPlan[], aggregate: Aggregate): LogicalPlan {
  return above.reduceRight((input: LogicalPlan, node) => mapInputs(node, () => input), aggregate)
}

/**
 * Returns the plan with a time bucket of its rows as a further key: one bucket begins at `startNs`, each is `widthNs`
 * wide. The rows of one bucket are the answer over the range of the bucket, and the column `key` has its start.
 */
export function bucketedPlan(
  { above, aggregate, timeField }: RangePlan,
  startNs: bigint,
  widthNs: bigint,
): { readonly plan: LogicalPlan; readonly key: string } {
  const text = printPlan(whole(above, aggregate))
  let key = '_bucket'
  while (text.includes(key)) key = `_${key}`
  const bucket = { kind: 'time', widthNs, offsetNs: -startNs % widthNs, zone: undefined } as const
  const expr = { kind: 'bucket', arg: column(timeField), bucket, origin: nowhere } as const
  // The last key, so that `rate()` divides by a time bucket of the query itself, if it has one.
  const keys = [...aggregate.keys, { name: key, expr, type: 'time' as const }]
  return { plan: whole(above, { ...aggregate, keys }), key }
}

/**
 * Returns the plan over no rows, if it has a row even then: without keys, an aggregation always has one. The row of a
 * bucket with rows must never be removed, so that a bucket without a row is known to have had none.
 */
export function planOfNoRows({ above, aggregate }: RangePlan): LogicalPlan | 'none' | 'unknown' {
  if (aggregate.keys.length > 0) return 'none'
  if (!above.every((node) => propertiesOf(node).keepsRowCount)) return 'unknown'
  const { input } = aggregate
  // Not the literal `false`, which says that the query has no time range, so that `rate()` would divide by another.
  return whole(above, {
    ...aggregate,
    input: { kind: 'filter', input, predicate: not(literal(true)), origin: nowhere },
  })
}
