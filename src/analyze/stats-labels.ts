import { matchesField, plainName, renamed, type FieldPattern, type LogicalPlan, type Rename } from '../plan/index.ts'

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

  /** False when the label would take the place of a value. */
  addLabel(name: string): boolean {
    if (this.values.has(name)) return false
    this.labels.add(name)
    return true
  }

  keep(isKept: (name: string) => boolean): void {
    for (const names of [this.labels, this.values]) for (const name of names) if (!isKept(name)) names.delete(name)
  }

  done(): StatsLabels | undefined {
    return this.values.size === 0 ? undefined : { labels: [...this.labels], values: [...this.values] }
  }
}

function rename(columns: Columns, { steps, isCopy }: Rename): boolean {
  for (const step of steps) {
    const matching = [...columns.labels, ...columns.values].filter((name) => matchesField(step.from, name))
    // A field that is not there hides what it is moved onto.
    if (matching.length === 0 && [...columns.values].some((name) => matchesField(step.to, name))) return false
    for (const name of matching) {
      const target = renamed(step, name)
      if (target === undefined || target === name) continue
      const isValue = columns.values.has(name)
      if (!isCopy) columns.keep((each) => each !== name)
      if (isValue) columns.addValue(target)
      else if (!columns.addLabel(target)) return false
    }
  }
  return true
}

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
      for (const { name } of node.calls) columns.addValue(name)
      return true
    case 'project':
      columns.keep((name) => among(node.fields, name))
      return true
    case 'drop':
      columns.keep((name) => !among(node.fields, name))
      return true
    case 'rename':
      return rename(columns, node)
    case 'apply':
      return node.fn === 'format' && node.use.writes.every((pattern) => columns.addLabel(plainName(pattern) ?? ''))
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
    return { labels: plan.keys.map(({ name }) => name), values: plan.aggregates.map(({ name }) => name) }
  }
  const found = 'input' in plan ? statsLabels(plan.input) : undefined
  if (found === undefined) return undefined
  const columns = new Columns(found)
  return through(plan, columns) ? columns.done() : undefined
}
