import type { FunctionDefinitions } from '../functions/index.ts'
import { MAX_NS, MIN_NS, type Interval } from '../base/index.ts'
import {
  columnsOf,
  inputs,
  opsOf,
  printExpr,
  printInterval,
  subqueries,
  type Expr,
  type Limit,
  type LogicalPlan,
  type Scan,
  type Sort,
  type Table,
} from '../plan/index.ts'
import { conjuncts } from './conjuncts.ts'
import { ignoresOrder } from './order.ts'

/** The request of one scan to its table, and the operations that remain for its rows. */
export interface ScanPlan {
  readonly scan: Scan
  /** Conditions that the table tests exactly. */
  readonly exact: readonly Expr[]
  /**
   * Conditions that the table tests approximately: it may return other rows too, so the conditions are tested again.
   */
  readonly superset: readonly Expr[]
  /** Conditions that the table does not test. */
  readonly rest: readonly Expr[]
  /** Columns that the table must read: the scan's output columns, and the columns that its conditions read. */
  readonly columns: readonly string[] | undefined
  readonly range: Interval
  readonly order: 'newest-first' | 'any'
  readonly limitRows: number | undefined
  /**
   * Fields by which the plan selects rows, if it returns only a few whole rows. A table that supports late reads then
   * reads the other fields only for the selected rows.
   */
  readonly findsBy: readonly string[] | undefined
  /** True if only the number of rows matters, and no row is filtered out. */
  readonly onlyCounts: boolean
  /** Rows of the scan that the plan must hold in memory at one time. */
  readonly holds: RowsToHold
}

/**
 * Rows that a plan must hold in memory at one time. `none`: rows are aggregated as they arrive. `all`: all rows must
 * arrive first. Otherwise only the first `rows` rows by `keys`; rows with equal keys are in newest-first order.
 */
export type RowsToHold = 'none' | 'all' | { readonly keys: Sort['keys']; readonly rows: number }

/**
 * Up to this number of rows, a plan holds only the first rows instead of all, and reads late the fields that `findsBy`
 * does not list.
 */
const FEW_ROWS = 10_000

/** The requirements of the nodes above on the rows of a node. */
interface Above {
  readonly order: 'newest-first' | 'any'
  /** Maximum number of rows, from the first, that the nodes above read. */
  readonly limitRows: number | undefined
  /** True if a sample chooses among the rows; it needs all their fields. */
  readonly isSampled: boolean
  readonly holds: RowsToHold
}

const asWritten: Above = { order: 'newest-first', limitRows: undefined, isSampled: false, holds: 'all' }

/** Returns which input rows a node must hold, given that the nodes above hold `above` of its output rows. */
function heldBelow(node: LogicalPlan, above: RowsToHold, functions: FunctionDefinitions): RowsToHold {
  if (ignoresOrder(node, functions)) return addsUp(node, functions) ? 'none' : 'all'
  if (node.kind === 'limit') return firstRows([], node)
  if (node.kind === 'sort') {
    const isByAll = node.keys.length === 0 || node.keys.some(({ expr }) => expr.kind === 'columns')
    return isByAll || node.partitionBy.length > 0 ? 'all' : firstRows(node.keys, node)
  }
  const { isRowWise, keepsOrder, keepsRowCount } = opsOf(node).properties(node)
  if (!isRowWise) return 'all'
  // Keys refer to column names above this node, so a request with keys cannot be passed through.
  const isSame = above === 'none' || (above !== 'all' && above.keys.length === 0 && keepsOrder && keepsRowCount)
  return isSame ? above : 'all'
}

/** True if the memory that a node needs does not grow with the number of rows. */
function addsUp(node: LogicalPlan, functions: FunctionDefinitions): boolean {
  return (
    node.kind !== 'aggregate' ||
    node.aggregates.every(({ call }) => functions.stats.get(call.fn)?.algebra !== 'holistic')
  )
}

function firstRows(keys: Sort['keys'], { offset, limit = Infinity }: Limit | Sort): RowsToHold {
  return offset + limit > FEW_ROWS ? 'all' : { keys, rows: offset + limit }
}

function below(node: LogicalPlan, above: Above, functions: FunctionDefinitions): Above {
  const isSampled = node.kind === 'sample' || (above.isSampled && node.kind !== 'aggregate' && node.kind !== 'distinct')
  const holds = heldBelow(node, above.holds, functions)
  if (ignoresOrder(node, functions)) return { order: 'any', limitRows: undefined, isSampled, holds }
  if (node.kind === 'limit') {
    const limit = Math.min(node.limit ?? Infinity, above.limitRows ?? Infinity)
    return { order: 'newest-first', limitRows: limit === Infinity ? undefined : node.offset + limit, isSampled, holds }
  }
  const { isRowWise, keepsOrder, keepsRowCount } = opsOf(node).properties(node)
  return {
    order: isRowWise && keepsOrder ? above.order : 'newest-first',
    limitRows: keepsOrder && keepsRowCount ? above.limitRows : undefined,
    isSampled,
    holds,
  }
}

/** Returns the fields by which a plan selects its rows, if it returns only a few whole rows; else `undefined`. */
function findingFields(plan: LogicalPlan): ReadonlySet<string> | undefined {
  const fields = new Set<string>()
  const read = (expr: Expr): boolean => {
    const names = columnsOf(expr)
    for (const name of names ?? []) fields.add(name)
    return names !== undefined
  }
  let picksFew = false
  let node = plan
  while (node.kind !== 'scan') {
    if (node.kind === 'limit') {
      if (node.offset > 0) return undefined
      picksFew ||= node.limit !== undefined && node.limit <= FEW_ROWS
    } else if (node.kind === 'sort') {
      if (node.offset > 0 || node.rankName !== undefined || node.keys.length === 0) return undefined
      if (!node.keys.every(({ expr }) => read(expr)) || !node.partitionBy.every(read)) return undefined
      picksFew ||= node.partitionBy.length === 0 && node.limit !== undefined && node.limit <= FEW_ROWS
    } else if (node.kind !== 'filter' || !read(node.predicate)) return undefined
    node = node.input
  }
  if (!picksFew || node.columns !== undefined || node.guard !== undefined) return undefined
  return node.predicate === undefined || read(node.predicate) ? fields : undefined
}

function union(...lists: readonly (Iterable<string> | undefined)[]): readonly string[] | undefined {
  const all = new Set<string>()
  for (const list of lists) {
    if (list === undefined) return undefined
    for (const name of list) all.add(name)
  }
  return [...all]
}

export function isBounded({ startNs, endNs }: Interval): boolean {
  return startNs !== MIN_NS || endNs !== MAX_NS
}

/** Returns the scan plan of one scan. For an unknown table, no condition counts as tested by it. */
function scanPlanOf(scan: Scan, table: Table | undefined, above: Above, findsBy?: ReadonlySet<string>): ScanPlan {
  const all = scan.predicate === undefined ? [] : conjuncts(scan.predicate)
  const grades = all.map((each) => table?.grade(each) ?? 'none')
  const graded = (wanted: string): readonly Expr[] => all.filter((_, i) => grades[i] === wanted)
  const rest = graded('none')
  const superset = graded('superset')
  const guards = scan.guard === undefined ? [] : [scan.guard]
  const timeField = table?.definition.timeField
  const isTimed = timeField !== undefined && (above.order === 'newest-first' || isBounded(scan.range))
  const columns = above.isSampled
    ? undefined
    : union(scan.columns, isTimed ? [timeField] : [], ...[...all, ...guards].map(columnsOf))
  const isDecided = rest.length === 0 && superset.length === 0 && scan.guard === undefined
  return {
    scan,
    exact: graded('exact'),
    superset,
    rest,
    columns,
    range: scan.range,
    order: timeField === undefined ? 'any' : above.order,
    limitRows: isDecided ? above.limitRows : undefined,
    findsBy:
      findsBy === undefined || above.holds === 'all'
        ? undefined
        : union(findsBy, timeField === undefined ? [] : [timeField]),
    onlyCounts: columns?.length === 0 && all.length === 0 && scan.guard === undefined && !isBounded(scan.range),
    holds: above.holds,
  }
}

/** Returns the scan plan of each scan, subqueries included. */
export function scanPlans(
  plan: LogicalPlan,
  tables: ReadonlyMap<string, Table>,
  functions: FunctionDefinitions,
): ReadonlyMap<Scan, ScanPlan> {
  const found = new Map<Scan, ScanPlan>()
  const walk = (node: LogicalPlan, above: Above, findsBy: ReadonlySet<string> | undefined): void => {
    if (node.kind === 'scan') {
      const known = found.get(node)
      const each = scanPlanOf(node, tables.get(node.table), above, findsBy)
      found.set(node, known === undefined ? each : forBoth(known, each))
    }
    const next = below(node, above, functions)
    for (const input of inputs(node)) walk(input, next, findsBy)
    for (const inner of subqueries(node)) walk(inner, asWritten, undefined)
  }
  walk(plan, asWritten, findingFields(plan))
  return found
}

/** Merges the scan plans of one scan object that occurs twice in the plan: the result satisfies both. */
function forBoth(a: ScanPlan, b: ScanPlan): ScanPlan {
  return {
    ...a,
    columns: union(a.columns, b.columns),
    order: a.order === 'any' ? b.order : a.order,
    limitRows: a.limitRows === undefined || b.limitRows === undefined ? undefined : Math.max(a.limitRows, b.limitRows),
    findsBy: undefined,
    onlyCounts: a.onlyCounts && b.onlyCounts,
    holds: 'all',
  }
}

/**
 * Returns the notes that `explain` shows on a scan. `readsLate` is true if the table can read fields of rows later by
 * position.
 */
export function scanPlanNotes(plan: ScanPlan, readsLate = false): readonly string[] {
  const { exact, superset, rest, columns, range, order, limitRows, findsBy, onlyCounts } = plan
  const list = (exprs: readonly Expr[]): string => exprs.map(printExpr).join(' and ')
  const names = (fields: readonly string[]): string => fields.join(', ') || 'no field'
  const notes = [columns === undefined ? 'reads all fields' : `reads only ${names(columns)}`]
  if (readsLate && findsBy !== undefined)
    notes[0] = `finds rows by ${names(findsBy)}, and reads only those whole (late)`
  if (exact.length > 0) notes.push(`the table decides: ${list(exact)} (exact)`)
  if (superset.length > 0)
    notes.push(`the table leaves out rows, and they are tested again: ${list(superset)} (superset)`)
  if (rest.length > 0) notes.push(`tested above the table: ${list(rest)}`)
  if (isBounded(range)) notes.push(`times requested: ${printInterval(range)}`)
  if (onlyCounts) notes.push('counted without a scan when the table knows its number of rows')
  if (order === 'newest-first') notes.push('newest first is requested')
  if (limitRows !== undefined) notes.push(`at most ${limitRows} rows are requested`)
  return notes
}
