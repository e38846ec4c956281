import { Budget, SluiceError, present, type Interval } from '../base/index.ts'
import type { Prepared, QueryContext } from '../backends/index.ts'
import { rowBytes, rowsOf, type RecordBatch, type Row } from '../data/index.ts'
import {
  conjunction,
  mapInputs,
  schemaOf,
  type ExplainTree,
  type Expr,
  type LogicalPlan,
  type Table,
  type Values,
} from '../plan/index.ts'
import type { Arrivals } from '../store/index.ts'
import type { BackendFragment } from './assign.ts'
import { verifyFoundGuards, verifyScope, type DataScope } from '../policy/index.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { withNotes, type NotesOf } from './notes/definition-notes.ts'
import { joinTrees } from './explain.ts'
import type { EngineLimits } from './limits.ts'

/** State that all fragments of one run share. */
export interface RunContext {
  readonly budget: Budget
  readonly nowNs: bigint
  readonly limits: EngineLimits
  /** The caller's scope. Each fragment is verified against the scope again right before it runs. */
  readonly scope: DataScope | undefined
  /** The optimized plan of the query, before its subqueries are replaced. */
  readonly whole: LogicalPlan
  readonly opened: Map<Table, Table>
  readonly arrivals: Arrivals | undefined
  /** Returns notes about user-defined functions and pipes, for explanations. */
  readonly notesOf: NotesOf
}

export function queryContext(context: RunContext, range: Interval): QueryContext {
  const { budget, nowNs, limits, scope, whole, opened, arrivals } = context
  const proveGuards: QueryContext['proveGuards'] =
    scope === undefined ? undefined : (found) => verifyFoundGuards(found, scope)
  return { budget, nowNs, range, batchRows: limits.batchRows, proveGuards, whole, opened, arrivals }
}

/**
 * Removes everything from a tree that depends on hidden rows. Counters include hidden rows. Statements and their plans
 * depend on all stored values. Row counts of all but the topmost node depend on how far storage was read before a
 * `limit` was reached.
 */
function withoutStored(tree: ExplainTree, isLast = true): ExplainTree {
  const { measured } = tree
  return {
    ...tree,
    notes: [],
    estimateRows: undefined,
    measured: measured === undefined || !isLast ? undefined : { ...measured, counters: {} },
    inputs: tree.inputs.map((input) => withoutStored(input, false)),
  }
}

/** Returns the guard conjuncts that a fragment of one scan leaves to the fragment above. */
function guardLeftBy(plan: LogicalPlan): readonly Expr[] {
  return plan.kind === 'scan' ? (plan.guardAbove ?? []) : []
}

/**
 * Adds a filter node above a scan's tree. It represents the guard conjuncts that the fragment above tests on the scan's
 * rows.
 */
function testedTree(tree: ExplainTree): ExplainTree {
  const label = 'what the database cannot test of the policies'
  const notes: readonly string[] = []
  return { kind: 'filter', label, owner: 'engine', notes, estimateRows: undefined, measured: undefined, inputs: [tree] }
}

/** One fragment of a plan during a run, with the fragments below it. */
export class FragmentRun {
  readonly fragment: BackendFragment
  readonly #context: RunContext
  readonly #range: Interval
  readonly #below: readonly (readonly [Values, FragmentRun])[]
  #prepared: Prepared | undefined
  /**
   * Guard conjuncts that the backend does not test on this fragment's rows. The fragment above, the only reader of
   * these rows, tests them.
   */
  readonly #testedAbove: readonly Expr[]

  constructor(fragment: BackendFragment, context: RunContext, range: Interval, testedAbove: readonly Expr[] = []) {
    this.fragment = fragment
    this.#testedAbove = testedAbove
    this.#context = context
    this.#range = range
    this.#below = [...fragment.inputs].map(([bridge, input]) => [
      bridge,
      new FragmentRun(input, context, range, guardLeftBy(input.plan)),
    ])
  }

  #prepare(plan: LogicalPlan): Prepared {
    return this.fragment.backend.prepare(plan, queryContext(this.#context, this.#range))
  }

  /** Returns the answer of the latest run as if its input ended now; `undefined` if that is not supported. */
  soFar(context: RunContext): AsyncIterable<RecordBatch> | undefined {
    return this.#prepared?.soFar?.(queryContext(context, this.#range))
  }

  /**
   * Verifies that the plan enforces the scope. Called before the rows of the fragments below are filled in, because
   * these fragments verify their own plans.
   */
  #prove(): void {
    const { scope } = this.#context
    if (scope !== undefined) verifyScope(this.fragment.plan, scope, this.#testedAbove)
  }

  async *batches(): AsyncIterable<RecordBatch> {
    this.#prove()
    const filled = new Map<LogicalPlan, LogicalPlan>()
    let heldBytes = 0
    try {
      for (const [bridge, run] of this.#below) {
        const { rows, bytes } = await this.#collect(run)
        heldBytes += bytes
        filled.set(bridge, { ...bridge, rows })
      }
      // Memoized, so that a subtree that occurs twice stays one subtree.
      const fill = (node: LogicalPlan): LogicalPlan => {
        const found = filled.get(node) ?? mapInputs(node, fill)
        filled.set(node, found)
        return found
      }
      this.#prepared = this.#prepare(fill(this.fragment.plan))
      yield* this.#prepared.run()
    } finally {
      this.#context.budget.charge(-heldBytes)
    }
  }

  /** Yields the rows of a fragment below that pass the remaining guard. Other rows are never counted or stored. */
  async *#seen(run: FragmentRun): AsyncIterable<RecordBatch> {
    const left = run.#testedAbove
    if (left.length === 0) {
      yield* run.batches()
      return
    }
    const { origin } = run.fragment.plan
    const outputSchema = schemaOf(run.fragment.plan)
    for await (const batch of run.batches()) {
      const input: Values = { kind: 'values', outputSchema, rows: [...rowsOf(batch)], origin }
      yield* this.#prepare({ kind: 'filter', input, predicate: conjunction(left, origin), origin }).run()
    }
  }

  /** Collects the rows of a fragment below. Their memory stays reserved until the fragment above has ended. */
  async #collect(run: FragmentRun): Promise<{ rows: readonly Row[]; bytes: number }> {
    const { budget, limits } = this.#context
    const rows: Row[] = []
    let bytes = 0
    for await (const batch of this.#seen(run)) {
      if (rows.length + batch.rowCount > limits.bridgeRows) {
        const data = {
          limit: limits.bridgeRows,
          backend: run.fragment.backend.name,
          reason: this.fragment.reason ?? '',
        }
        throw new SluiceError([engineDiagnostic('bridge-too-large', data, run.fragment.plan.origin)])
      }
      let added = 0
      for (const row of rowsOf(batch)) {
        rows.push(row)
        added += rowBytes(row)
      }
      bytes += added
      budget.charge(added)
      budget.checkpoint()
    }
    return { rows, bytes }
  }

  /** Requests the plans of the SQL statements from their databases. Afterwards, `explain` includes the plans. */
  async askPlans(): Promise<void> {
    this.#prepared ??= this.#below.length === 0 ? this.#prepare(this.fragment.plan) : undefined
    await this.#prepared?.askPlan?.()
    for (const [, run] of this.#below) await run.askPlans()
  }

  /** Joins the trees of all fragments, with the measurements of the run. */
  explain(): ExplainTree {
    const runs = new Map(this.#below.map(([, run]) => [run.fragment, run]))
    this.#prove()
    const prepared = this.#prepared ?? this.#prepare(this.fragment.plan)
    const { scope, notesOf } = this.#context
    const isLast = this.#testedAbove.length === 0
    const tree = scope === undefined ? prepared.explain() : withoutStored(prepared.explain(), isLast)
    const joined = joinTrees(this.fragment, withNotes(tree, this.fragment.plan, notesOf), (fragment) =>
      present(runs.get(fragment)).explain(),
    )
    return isLast ? joined : testedTree(joined)
  }
}
