import {
  matchesField,
  plainName,
  type Apply,
  type Limit,
  type LogicalPlan,
  type Rename,
  type Sort,
} from '../plan/index.ts'

function leavesAlone({ steps, isCopy }: Rename, field: string): boolean {
  return steps.every(({ from, to }) => {
    const [source, target] = [plainName(from), plainName(to)]
    if (source !== undefined && source === target) return true
    return !matchesField(to, field) && (isCopy || !matchesField(from, field))
  })
}

function writesTime({ fn, use, condition }: Apply, field: string): boolean {
  // `time_add` shifts all times by the same amount, so the order stays. Names unpacked by pattern depend on the data.
  if (fn === 'time_add' && condition === undefined) return false
  return use.writes.some((pattern) => plainName(pattern) === field)
}

/** True if each output row of a node is made of one input row, in the same order, with the field unchanged. */
function keepsOrder(node: LogicalPlan, field: string): boolean {
  switch (node.kind) {
    case 'filter':
      return true
    case 'project':
      return node.fields.some((pattern) => matchesField(pattern, field))
    case 'drop':
      return !node.fields.some((pattern) => matchesField(pattern, field))
    case 'rename':
      return leavesAlone(node, field)
    case 'extend':
      return node.assignments.every(({ name }) => name !== field)
    case 'apply':
      return !writesTime(node, field)
    default:
      return false
  }
}

function inputOf(node: LogicalPlan): LogicalPlan | undefined {
  return 'input' in node ? node.input : undefined
}

/**
 * True if the newest rows of the answer come from the newest stored rows: each output row is made of one stored row,
 * newest first, and shows its time. Then a caller can request a few rows and continue from the time of the last one.
 */
export function canReturnNewest(plan: LogicalPlan, timeField = '_time'): boolean {
  if (plan.kind === 'scan') return true
  const below = inputOf(plan)
  return below !== undefined && keepsOrder(plan, timeField) && canReturnNewest(below, timeField)
}

/** A query for the newest rows. */
export interface NewestRows {
  /** The stages that limit the rows: limits, and a sort by time below them. */
  readonly stages: readonly (Sort | Limit)[]
  readonly offset: number
  readonly limit: number
}

interface Window {
  readonly stages: readonly (Sort | Limit)[]
  /** Selects rows `[start, end)` of its input. */
  readonly start: number
  readonly end: number
  readonly below: LogicalPlan
}

function isNewestFirst({ keys, partitionBy, rankName }: Sort, timeField: string): boolean {
  const [key] = keys
  if (partitionBy.length > 0 || rankName !== undefined || keys.length !== 1 || key === undefined) return false
  const { expr, direction } = key
  return expr.kind === 'column' && expr.name === timeField && direction === 'desc'
}

function windowOf(plan: LogicalPlan, timeField: string): Window {
  const isWindow = plan.kind === 'limit' || (plan.kind === 'sort' && isNewestFirst(plan, timeField))
  if (!isWindow) return { stages: [], start: 0, end: Infinity, below: plan }
  const { input, offset, limit = Infinity } = plan
  // A limit below the sort would choose rows in another order, so only an unlimited input is accepted.
  const inner =
    plan.kind === 'limit' ? windowOf(input, timeField) : { stages: [], start: 0, end: Infinity, below: input }
  const start = inner.start + offset
  return { stages: [plan, ...inner.stages], start, end: Math.min(inner.end, start + limit), below: inner.below }
}

/**
 * Returns the range of the newest stored rows that a query needs; `undefined` unless it consists of limits over rows
 * that satisfy `canReturnNewest`, with or without a sort by time. Stages after the limits must keep each row and its
 * time.
 */
export function newestRows(plan: LogicalPlan, timeField = '_time'): NewestRows | undefined {
  const { stages, start, end, below } = windowOf(plan, timeField)
  if (stages.length > 0) {
    if (end === Infinity || !canReturnNewest(below, timeField)) return undefined
    return { stages, offset: start, limit: Math.max(0, end - start) }
  }
  const input = inputOf(plan)
  const isOneToOne = plan.kind !== 'filter' && (plan.kind !== 'apply' || plan.isOneToOne)
  if (input === undefined || !isOneToOne || !keepsOrder(plan, timeField)) return undefined
  return newestRows(input, timeField)
}
