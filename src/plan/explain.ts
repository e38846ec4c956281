import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'
import { inputs, subqueries } from './traverse.ts'

/** One node in the output of `explain`: its backend, its notes, and its measurements after a run. */
export interface ExplainTree {
  readonly kind: string
  readonly label: string
  /** The backend that runs the node: `columnar`, `sqlite`, `rows` or `engine`. */
  readonly owner: string
  /** Reasons why another backend runs the node, filters pushed into it, index look-ups. */
  readonly notes: readonly string[]
  readonly estimateRows: number | undefined
  /** Measurements of the last run: output rows, milliseconds, counters of the backend. */
  readonly measured: ExplainMeasure | undefined
  readonly inputs: readonly ExplainTree[]
}

/** Measurements of one run of a plan node. */
export interface ExplainMeasure {
  readonly rows: number
  readonly milliseconds: number
  /**
   * Counters of the backend, such as `segmentsTotal`, `segmentsSkipped`, `postingsRead`, `bytesTouched`, `rowsScanned`.
   */
  readonly counters: Readonly<Record<string, number>>
}

/** Returns the tree of a plan that one backend runs as a whole. Notes and measurements are at the root. */
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
