import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'
import { inputs, subqueries } from './traverse.ts'

/** One node in the output of `explain`: its backend, what was pushed into it, and its measures after a run. */
export interface ExplainTree {
  readonly kind: string
  readonly label: string
  /** Backend: `columnar`, `sqlite`, `rows` or `engine`. */
  readonly owner: string
  /** Notes: why another backend runs it, pushed filters, index look-ups. */
  readonly notes: readonly string[]
  readonly estimateRows: number | undefined
  /** After a run: output rows, ms, and counters of the backend. */
  readonly measured: ExplainMeasure | undefined
  readonly inputs: readonly ExplainTree[]
}

/** Measurements of one run of a plan node. */
export interface ExplainMeasure {
  readonly rows: number
  readonly milliseconds: number
  /** Counters such as `segmentsTotal`, `segmentsSkipped`, `postingsRead`, `bytesTouched`, `rowsScanned`. */
  readonly counters: Readonly<Record<string, number>>
}

/** Tree of a plan that one backend runs whole; notes and measures are at the root. */
export function planTree(
  plan: LogicalPlan,
  owner: string,
  notes: readonly string[] = [],
  measured?: ExplainMeasure,
): ExplainTree {
  return {
    kind: plan.kind,
    label: opsOf(plan).label(plan),
    owner,
    notes,
    estimateRows: undefined,
    measured,
    inputs: [
      ...inputs(plan).map((input) => planTree(input, owner)),
      ...subqueries(plan).map((inner) => planTree(inner, owner, ['subquery: runs first'])),
    ],
  }
}
