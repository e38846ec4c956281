import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'
import { inputs, subqueries } from './traverse.ts'

/** What `explain` shows of one node: who runs it, what was pushed into it, and afterwards what it did. */
export interface ExplainTree {
  readonly kind: string
  readonly label: string
  /** `columnar`, `sqlite`, `rows`, `engine`. */
  readonly owner: string
  /** Why this owner and not the data's own; pushed filters; index look-ups. */
  readonly notes: readonly string[]
  readonly estimateRows: number | undefined
  /** After a run: rows out, milliseconds, and the owner's counters by name. */
  readonly measured: ExplainMeasure | undefined
  readonly inputs: readonly ExplainTree[]
}

export interface ExplainMeasure {
  readonly rows: number
  readonly milliseconds: number
  /** `segmentsTotal`, `segmentsSkipped`, `postingsRead`, `bytesTouched`, `rowsScanned` … */
  readonly counters: Readonly<Record<string, number>>
}

/** The tree of a plan that one owner runs whole: its notes and measures stand at the top. */
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
