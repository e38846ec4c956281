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

/**
 * A plan for which the answer over a time range depends only on the rows in the range. Each row is processed
 * independently of the others up to an aggregation.
 */
export interface RangePlan {
  /** Nodes above the last aggregation, outermost first. */
  readonly above: readonly LogicalPlan[]
  readonly aggregate: Aggregate
  /** Name of the time field in the input of the aggregation. */
  readonly timeField: string
}

/** Nodes that compute each output row from a single input row, independently of the query's time. */
const ROW_KINDS: ReadonlySet<string> = new Set(['filter', 'extend', 'rename', 'drop'])

function isRowByRow(node: LogicalPlan): boolean {
  return ROW_KINDS.has(node.kind) && subqueries(node).length === 0
}

/** True if a node reads or changes fields that it does not name: an additional field would change its output. */
function isOpen(node: LogicalPlan): boolean {
  let isFound = propertiesOf(node).touches?.some(({ parts }) => parts.length > 1) ?? true
  for (const root of expressions(node))
    visitExpr(root, (expr) => {
      const isPattern = expr.kind === 'field-filter' && (expr.field?.parts.length ?? 1) > 1
      isFound ||= isPattern || expr.kind === 'any-field' || expr.kind === 'columns'
    })
  return isFound
}

/**
 * Returns the names that the time field has in the output of row-wise nodes over a scan, its current name first; empty
 * if the field may have been changed.
 */
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

/**
 * Analyzes a plan. Returns `undefined` if its answer over a range may depend on rows outside the range or on other
 * ranges.
 */
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
 * Adds a time bucket as the last key of the plan's aggregation. One bucket begins at `startNs`, and each is `widthNs`
 * wide. The rows of a bucket are the plan's answer over the range of the bucket. The column `key` has the start of the
 * bucket.
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
  // The added key is last, so that `rate()` divides by a time bucket of the query itself, if the query has one.
  const keys = [...aggregate.keys, { name: key, expr, type: 'time' as const }]
  return { plan: whole(above, { ...aggregate, keys }), key }
}

/**
 * Returns the plan over no rows, if its answer has a row even then. Returns `none` if the answer has no row, as for an
 * aggregation with keys. Returns `unknown` if a later stage could remove the row of a bucket with data, because a
 * missing row then does not mean an empty bucket.
 */
export function planOfNoRows({ above, aggregate }: RangePlan): LogicalPlan | 'none' | 'unknown' {
  if (aggregate.keys.length > 0) return 'none'
  if (!above.every((node) => propertiesOf(node).keepsRowCount)) return 'unknown'
  const { input } = aggregate
  // With the literal `false` the query would count as having no time range, and `rate()` would divide by another one.
  return whole(above, {
    ...aggregate,
    input: { kind: 'filter', input, predicate: not(literal(true)), origin: nowhere },
  })
}
