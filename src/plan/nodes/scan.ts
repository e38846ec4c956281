import { MAX_NS, MIN_NS, always, formatRfc3339, nowhere, type Interval, type Origin } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import type { Expr } from '../expr/index.ts'
import { printExpr } from '../expr/print.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

/** Reads one table, newest first, then latest ingested. The only node that touches stored data. */
export interface Scan {
  readonly kind: 'scan'
  readonly table: string
  /** The table's schema as the catalog gives it; open for telemetry. */
  readonly tableSchema: Schema
  /** Half-open range on the table's time field. */
  readonly range: Interval
  /** The range of the request is moved back by this many ns before it is applied. Default: 0. */
  readonly rangeShiftNs?: bigint
  /** True if the query excludes this scan from the range of the request. */
  readonly ignoresRequestRange?: boolean
  /** Pushed-down condition; rules may add to it. */
  readonly predicate: Expr | undefined
  /** The caller's data scope: set before any rule, visible to none, applied first. */
  readonly guard: Expr | undefined
  /**
   * Guard conjuncts that the table's backend cannot test: the part that receives the rows tests them before anything
   * else sees a row. Only a scan that is a whole part of a plan has them.
   */
  readonly guardAbove?: readonly Expr[]
  /**
   * Conditions that follow from `guardAbove` and that the backend can test, to read fewer rows; never shown, like the
   * guard.
   */
  readonly guardImplies?: readonly Expr[]
  /** Fields needed above; `undefined` is all. */
  readonly columns: readonly string[] | undefined
  readonly origin: Origin
}

/** Schema of a table that is not known yet; binding, the step that resolves names, fills in that of the catalog. */
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
  // The guard is left out so that no rule sees it as an expression.
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
