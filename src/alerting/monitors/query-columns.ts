import { inputs, renamed, type LogicalPlan } from '../../plan/index.ts'

/** Roles of the output columns of a query. */
export interface QueryColumns {
  /** Group keys, except times. */
  readonly labels: readonly string[]
  /** Column whose number is compared with thresholds. */
  readonly value: string
  /** Other result columns. */
  readonly others: readonly string[]
  /** Time bucket among the keys; each bucket is a point. */
  readonly time: string | undefined
}

/** Names of time buckets in structured queries, and of the time fields of tables. */
const TIME_KEYS: ReadonlySet<string> = new Set(['_bucket_timestamp', '_time'])

function renameAll(columns: QueryColumns, change: (name: string) => string): QueryColumns {
  return {
    labels: columns.labels.map(change),
    value: change(columns.value),
    others: columns.others.map(change),
    time: columns.time === undefined ? undefined : change(columns.time),
  }
}

/**
 * Determines the roles of a plan's columns from its last aggregation. The value is the first aggregate, or the last
 * name that a later `math` computes (M10). `undefined` for a plan without aggregation, whose rows are counted (M11).
 */
export function queryColumns(plan: LogicalPlan): QueryColumns | undefined {
  if (plan.kind === 'aggregate') {
    const [first, ...others] = plan.aggregates.map(({ name }) => name)
    if (first === undefined) return undefined
    const isTime = ({ name, expr }: (typeof plan.keys)[number]): boolean =>
      TIME_KEYS.has(name) || (expr.kind === 'bucket' && expr.bucket.kind === 'time')
    const time = plan.keys.find(isTime)?.name
    const labels = plan.keys.map(({ name }) => name).filter((name) => name !== time)
    return { labels, value: first, others, time }
  }
  const [input] = inputs(plan)
  const below = input === undefined ? undefined : queryColumns(input)
  if (below === undefined) return undefined
  if (plan.kind === 'extend') {
    const names = plan.assignments.map(({ name }) => name)
    const value = names.at(-1)
    if (value === undefined) return below
    const others = [below.value, ...below.others, ...names].filter((name) => name !== value)
    return { ...below, value, others: [...new Set(others)] }
  }
  if (plan.kind === 'rename' && !plan.isCopy) {
    return plan.steps.reduce((columns, step) => renameAll(columns, (name) => renamed(step, name) ?? name), below)
  }
  return below
}
