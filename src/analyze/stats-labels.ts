import {
  matchesField,
  plainName,
  renamed,
  type FieldPattern,
  type LogicalPlan,
  type Rename,
  type Window,
} from '../plan/index.ts'

/** The columns of an answer that groups rows: what tells the groups apart, and what was computed of each. */
export interface StatsLabels {
  readonly labels: readonly string[]
  readonly values: readonly string[]
}

/** Columns while stages behind the groups change them; a name is in one of the two sets at most. */
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
    // A field that is not there hides the value that it is moved onto.
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

/** A group's value on each of its rows is one of the same line when lines tell the groups apart; so far, also the reverse. */
function throughWindow({ partitionBy, calls }: Window, columns: Columns): boolean {
  const keys = partitionBy.map((expr) => (expr.kind === 'column' ? expr.name : undefined))
  if (keys.some((key) => key === undefined || !columns.labels.has(key))) return false
  const isTotal = calls.every(({ frame }) => frame === 'partition')
  const others = [...columns.labels].filter((name) => name !== '_time' && !keys.includes(name))
  if (!isTotal && others.length > 0) return false
  for (const { name } of calls) columns.addValue(name)
  return true
}

/** Row functions whose results say what a line is. */
const LABELLING = new Set(['format', 'unpack_json'])
/** Stats functions whose results are rows. */
const ROWS = /^row_/

const among = (patterns: readonly FieldPattern[], name: string): boolean =>
  patterns.some((pattern) => matchesField(pattern, name))

/** Changes the columns as a stage does; false when they are not labels and values any more. */
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
 * Labels and values of a query that ends in groups, so that its answer can be drawn as one line for each combination of
 * labels. `undefined` when there are no groups, when a stage behind them changes labels in ways that are not known from
 * the query alone, and when no value is left.
 */
export function statsLabels(plan: LogicalPlan): StatsLabels | undefined {
  if (plan.kind === 'aggregate') {
    const rows = plan.aggregates.filter(({ call }) => ROWS.test(call.fn))
    const labels = [...plan.keys, ...rows].map(({ name }) => name)
    const values = plan.aggregates.map(({ name }) => name).filter((name) => !labels.includes(name))
    return values.length === 0 ? undefined : { labels, values }
  }
  // Both made by one pipe, `top`: a ranking, whose groups change from time to time.
  const isRanking = plan.kind === 'sort' && plan.input.kind === 'aggregate' && plan.origin.kind !== 'none'
  if (isRanking && plan.input.origin === plan.origin) return undefined
  const found = 'input' in plan ? statsLabels(plan.input) : undefined
  if (found === undefined) return undefined
  const columns = new Columns(found)
  return through(plan, columns) ? columns.done() : undefined
}
