import { derived } from '../../base/index.ts'
import type { DataType } from '../../data/index.ts'
import {
  inputs,
  plainName,
  propertiesOf,
  schemaOf,
  type LogicalPlan,
  type NodeOf,
  type PlanKind,
  type Rename,
  type Sort,
  type SortKey,
} from '../../plan/index.ts'
import { structureKey } from '../conjuncts.ts'
import { passesOn } from '../passing.ts'
import type { Rule, RuleContext } from '../rule.ts'

interface ColumnOrder {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Types in which equal sort keys are equal values, so that rows with equal keys are ordered by the next key alone. */
const tieFree: ReadonlySet<DataType> = new Set(['time', 'integer', 'bool'])

function upTo(keys: readonly ColumnOrder[], isKept: (column: string) => boolean): readonly ColumnOrder[] {
  const end = keys.findIndex((key) => !isKept(key.column))
  return end === -1 ? keys : keys.slice(0, end)
}

function afterRename(node: Rename, keys: readonly ColumnOrder[]): readonly ColumnOrder[] {
  let current = keys
  // At least the columns of the sort keys; nodes that do not affect these are skipped without cost.
  const columns = new Set(keys.map((key) => key.column))
  for (const step of node.steps) {
    const from = plainName(step.from)
    const to = plainName(step.to)
    // A rename by pattern may affect any name.
    if (from === undefined || to === undefined) return []
    if (from === to) continue
    // The old column with the target name is replaced; a renamed key has this name now.
    if (columns.has(to)) current = upTo(current, (column) => column !== to)
    if (!node.isCopy && columns.has(from)) {
      current = current.map((key) => (key.column === from ? { ...key, column: to } : key))
      columns.add(to)
    }
  }
  return current
}

/** Returns the order of groups by their keys, up to and including the first key that may tie. */
function groupOrder(plan: LogicalPlan, names: readonly string[]): readonly ColumnOrder[] {
  const { fields } = schemaOf(plan)
  const end = names.findIndex((_, i) => !tieFree.has(fields[i]?.type ?? 'any'))
  // Strings such as `1` and `1.0` are different groups with equal rank.
  return names.slice(0, end === -1 ? names.length : end + 1).map((column) => ({ column, direction: 'asc' }))
}

type SortedBy<K extends PlanKind> = (node: NodeOf<K>, context: RuleContext) => readonly ColumnOrder[]

/**
 * Functions that return the columns by which the output is sorted, for kinds of node that read, sort or rename columns.
 */
const ownOrders: { readonly [K in PlanKind]?: SortedBy<K> } = {
  scan: ({ table }, { timeFieldOf }) => {
    const timeField = timeFieldOf(table)
    return timeField === undefined ? [] : [{ column: timeField, direction: 'desc' }]
  },
  rename: (node, context) => afterRename(node, sortedBy(node.input, context)),
  sort: (node) => {
    if (node.partitionBy.length > 0) return []
    const keys: ColumnOrder[] = []
    for (const { expr, direction } of node.keys) {
      if (expr.kind !== 'column' || expr.name === node.rankName) break
      keys.push({ column: expr.name, direction })
    }
    return keys
  },
  aggregate: (node) =>
    groupOrder(
      node,
      node.keys.map((key) => key.name),
    ),
  distinct: (node) => groupOrder(node, node.keys),
}

/** Returns the columns by which the rows of a plan are already sorted, exactly as a sort would order them. */
function sortedBy(plan: LogicalPlan, context: RuleContext): readonly ColumnOrder[] {
  const own = ownOrders[plan.kind] as SortedBy<PlanKind> | undefined
  if (own !== undefined) return own(plan, context)
  const [input] = inputs(plan)
  const isPassedOn = passesOn(plan)
  if (!propertiesOf(plan).keepsOrder || isPassedOn === undefined || input === undefined) return []
  return upTo(sortedBy(input, context), isPassedOn)
}

function isImplied(keys: readonly SortKey[], order: readonly ColumnOrder[]): boolean {
  return (
    keys.length > 0 &&
    keys.length <= order.length &&
    keys.every(
      ({ expr, direction }, i) =>
        expr.kind === 'column' && expr.name === order[i]?.column && direction === order[i]?.direction,
    )
  )
}

/** True for a sort without partitions and rank: it only orders rows, and may drop some. */
function isPlain(sort: Sort): boolean {
  return sort.partitionBy.length === 0 && sort.rankName === undefined
}

/** True for a sort by keys that outputs all its rows unchanged: no window, partitions or rank. */
export function isWholeSort(sort: Sort): boolean {
  return isPlain(sort) && sort.offset === 0 && sort.limit === undefined && sort.keys.length > 0
}

export const removeSort: Rule = {
  name: 'remove-sort',
  summary: 'Rows that come in the wanted order are not sorted; two sorts in a row are one.',
  examples: {
    changes: '* | sort by (_time desc) | stats by (pod) values(status) as n',
    leaves: '* | sort by (_time) | limit 5',
  },
  direction: 'up',
  apply(plan, context) {
    if (plan.kind !== 'sort' || !isPlain(plan)) return plan
    if (isImplied(plan.keys, sortedBy(plan.input, context))) {
      const { input, offset, limit } = plan
      return offset === 0 && limit === undefined
        ? input
        : { kind: 'limit', input, offset, limit, origin: derived('remove-sort', [plan.origin]) }
    }
    if (plan.keys.length > 0 && plan.input.kind === 'sort' && isWholeSort(plan.input)) {
      // Sorting is stable, so the inner keys break ties of the outer ones.
      const outer = new Set(plan.keys.map((key) => structureKey(key.expr)))
      const inner = plan.input.keys.filter((key) => !outer.has(structureKey(key.expr)))
      return {
        ...plan,
        input: plan.input.input,
        keys: [...plan.keys, ...inner],
        origin: derived('remove-sort', [plan.input.origin, plan.origin]),
      }
    }
    return plan
  },
}
