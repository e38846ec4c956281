import {
  matchesField,
  plainName,
  renamed,
  type FieldPattern,
  type LogicalPlan,
  type Rename,
  type Window,
} from '../plan/index.ts'

/** Columns of a grouped answer: labels identify a group, values are computed. */
export interface StatsLabels {
  readonly labels: readonly string[]
  readonly values: readonly string[]
}

/** Labels and values, updated stage by stage after the grouping. A column is a label, a value, or neither. */
class Columns {
  readonly labels: Set<string>
  readonly values: Set<string>

  constructor({ labels, values }: StatsLabels) {
    this.labels = new Set(labels)
    this.values = new Set(values)
  }

  addValue(name: string): void {
    this.labels.delete(name)
    this.values.add(name)
  }

  addLabel(name: string): void {
    this.values.delete(name)
    this.labels.add(name)
  }

  keep(isKept: (name: string) => boolean): void {
    for (const names of [this.labels, this.values]) for (const name of names) if (!isKept(name)) names.delete(name)
  }

  done(): StatsLabels | undefined {
    return this.values.size === 0 ? undefined : { labels: [...this.labels], values: [...this.values] }
  }
}

function rename(columns: Columns, { steps, isCopy }: Rename): void {
  for (const step of steps) {
    const matching = [...columns.labels, ...columns.values].filter((name) => matchesField(step.from, name))
    // Renaming a missing field removes the field of the target name.
    if (matching.length === 0) columns.keep((name) => !columns.values.has(name) || !matchesField(step.to, name))
    for (const name of matching) {
      const target = renamed(step, name)
      if (target === undefined || target === name) continue
      const isValue = columns.values.has(name)
      if (!isCopy) columns.keep((each) => each !== name)
      if (isValue) columns.addValue(target)
      else columns.addLabel(target)
    }
  }
}

/** Adds the columns of a window function to the values. False if a window mixes rows of several groups. */
function throughWindow({ partitionBy, calls }: Window, columns: Columns): boolean {
  const keys = partitionBy.map((expr) => (expr.kind === 'column' ? expr.name : undefined))
  if (keys.some((key) => key === undefined || !columns.labels.has(key))) return false
  const isTotal = calls.every(({ frame }) => frame === 'partition')
  const others = [...columns.labels].filter((name) => name !== '_time' && !keys.includes(name))
  if (!isTotal && others.length > 0) return false
  for (const { name } of calls) columns.addValue(name)
  return true
}

/** Row functions whose output can be a label. */
const LABELLING = new Set(['format', 'unpack_json'])
/** Stats functions whose results are rows. */
const ROWS = /^row_/

const among = (patterns: readonly FieldPattern[], name: string): boolean =>
  patterns.some((pattern) => matchesField(pattern, name))

/** Applies a stage to the columns; false if its output cannot be split into labels and values. */
function through(node: LogicalPlan, columns: Columns): boolean {
  switch (node.kind) {
    case 'filter':
    case 'limit':
    case 'limit-by':
      return true
    case 'sort':
      if (node.rankName !== undefined) columns.addValue(node.rankName)
      return true
    case 'extend':
      for (const { name } of node.assignments) columns.addValue(name)
      return true
    case 'window':
      return throughWindow(node, columns)
    case 'project':
      columns.keep((name) => among(node.fields, name))
      return true
    case 'drop':
      columns.keep((name) => !among(node.fields, name))
      return true
    case 'rename':
      rename(columns, node)
      return true
    case 'apply': {
      const names = node.use.writes.map(plainName)
      if (!LABELLING.has(node.fn) || names.includes(undefined)) return false
      for (const name of names) if (name !== undefined) columns.addLabel(name)
      return true
    }
    default:
      return false
  }
}

/**
 * Returns the labels and values of a query that ends in a grouping, so that a chart can draw one line for each
 * combination of labels. `undefined` if the query has no grouping, if no value column remains, or if a stage changes
 * the labels in a way that depends on the data.
 */
export function statsLabels(plan: LogicalPlan): StatsLabels | undefined {
  if (plan.kind === 'aggregate') {
    const rows = plan.aggregates.filter(({ call }) => ROWS.test(call.fn))
    const labels = [...plan.keys, ...rows].map(({ name }) => name)
    const values = plan.aggregates.map(({ name }) => name).filter((name) => !labels.includes(name))
    return values.length === 0 ? undefined : { labels, values }
  }
  // The pipe `top` makes a sort and a grouping of the same origin. Its groups change over time, so they cannot be
  // lines.
  const isRanking = plan.kind === 'sort' && plan.input.kind === 'aggregate' && plan.origin.kind !== 'none'
  if (isRanking && plan.input.origin === plan.origin) return undefined
  const found = 'input' in plan ? statsLabels(plan.input) : undefined
  if (found === undefined) return undefined
  const columns = new Columns(found)
  return through(plan, columns) ? columns.done() : undefined
}
