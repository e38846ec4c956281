import { MAX_NS, MIN_NS, always, formatRfc3339, nowhere, type Interval, type Origin } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

/** Reads one table, newest first, then latest ingested. It is the only node that reads stored data. */
export interface Scan {
  readonly kind: 'scan'
  readonly table: string
  /** The table's schema from the catalog. It is open for telemetry. */
  readonly tableSchema: Schema
  /** Half-open time range on the table's time field. */
  readonly range: Interval
  /** Nanoseconds by which the range of the request is moved back before it is applied. Default: 0. */
  readonly rangeShiftNs?: bigint
  /** True if the query excludes this scan from the range of the request. */
  readonly ignoresRequestRange?: boolean
  /** A condition that the table tests. Rules may add to it. */
  readonly predicate: Expr | undefined
  /** The caller's data scope. It is set before any rule runs, never shown, and applied before all other conditions. */
  readonly guard: Expr | undefined
  /**
   * Conditions of the guard that the table's backend cannot test. The plan part that receives the rows must test these
   * conditions before anything else reads a row. Set only if the scan alone is a plan part.
   */
  readonly guardAbove?: readonly Expr[]
  /**
   * Conditions that follow from `guardAbove` and that the backend can test, so that it reads fewer rows. They are never
   * shown, like the guard.
   */
  readonly guardImplies?: readonly Expr[]
  /** Fields that the nodes above read; `undefined` means all. */
  readonly columns: readonly string[] | undefined
  readonly origin: Origin
}

/** Schema of a table until binding (the resolution of names), which replaces it by the schema of the catalog. */
const UNBOUND: Schema = { fields: [], isOpen: true }

/** Returns the scan of all rows and fields of a table. */
export function wholeScan(
  { name, schema }: { readonly name: string; readonly schema?: Schema | undefined },
  origin: Origin = nowhere,
): Scan {
  return {
    kind: 'scan',
    table: name,
    tableSchema: schema ?? UNBOUND,
    range: always,
    predicate: undefined,
    guard: undefined,
    columns: undefined,
    origin,
  }
}

export function printInterval(range: Interval): string {
  if (range.startNs === MIN_NS && range.endNs === MAX_NS) return 'always'
  const start = range.startNs === MIN_NS ? '-inf' : formatRfc3339(range.startNs, true)
  const end = range.endNs === MAX_NS ? 'inf' : formatRfc3339(range.endNs, true)
  return `[${start}, ${end})`
}

export const scanOps: NodeOps<Scan> = {
  inputs: () => [],
  withInputs: (node) => node,
  // Without the guard, so that no rule can change the guard as an expression.
  expressions: (node) => (node.predicate === undefined ? [] : [node.predicate]),
  withExpressions: (node, [predicate]) => ({ ...node, predicate }),
  schema: (node) =>
    node.columns === undefined
      ? node.tableSchema
      : {
          isOpen: false,
          fields: node.columns.map(
            (name) =>
              node.tableSchema.fields.find((f) => f.name === name) ?? { name, type: 'any', presence: 'dynamic' },
          ),
        },
  order: () => ({ keys: [], base: 'newest-first' }),
  properties: () => otherRows,
  maxRows: () => Infinity,
  label: (node) => {
    const parts = [node.table, printInterval(node.range)]
    if (node.ignoresRequestRange === true) parts.push('whatever the request')
    if ((node.rangeShiftNs ?? 0n) !== 0n) parts.push(`shifted by ${node.rangeShiftNs}ns`)
    if (node.columns !== undefined) parts.push(`columns=(${node.columns.join(', ')})`)
    if (node.guard !== undefined) parts.push(node.guardAbove === undefined ? 'guarded' : 'guarded in part')
    if (node.predicate !== undefined) parts.push(`where ${printExpr(node.predicate)}`)
    return parts.join(' ')
  },
}

declare module '../kinds.ts' {
  interface PlanKinds {
    scan: Scan
  }
}
