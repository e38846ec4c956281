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
import type { Part } from './assign.ts'
import { verifyFoundGuards, verifyScope, type DataScope } from '../policy/index.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { withNotes, type NotesOf } from './notes/definition-notes.ts'
import { joinTrees } from './explain.ts'
import type { EngineLimits } from './limits.ts'

/** What all parts of one run share. */
export interface RunContext {
  readonly budget: Budget
  readonly nowNs: bigint
  readonly limits: EngineLimits
  /** What the caller may see; proved again of every part, right before it runs. */
  readonly scope: DataScope | undefined
  /** The optimized plan of the query, before its subqueries have run. */
  readonly whole: LogicalPlan
  readonly opened: Map<Table, Table>
  readonly arrivals: Arrivals | undefined
  /** What explanations say of definitions. */
  readonly notesOf: NotesOf
}

export function queryContext(context: RunContext, range: Interval): QueryContext {
  const { budget, nowNs, limits, scope, whole, opened, arrivals } = context
  const proveGuards: QueryContext['proveGuards'] =
    scope === undefined ? undefined : (found) => verifyFoundGuards(found, scope)
  return { budget, nowNs, range, batchRows: limits.batchRows, proveGuards, whole, opened, arrivals }
}

/**
 * Without what a backend tells of its storage: counters count hidden rows too, and statements and their plans are made
 * from what is known of all stored values. How many rows a stage below the last one has given depends on how far
 * ahead of a `limit` storage was read, which hidden rows change.
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

/** Of a part that is one scan: what it leaves of its guard to the part above. */
function guardLeftBy(plan: LogicalPlan): readonly Expr[] {
  return plan.kind === 'scan' ? (plan.guardAbove ?? []) : []
}

/** What the part above does first with the rows of a scan that leaves some of its guard. */
function testedTree(tree: ExplainTree): ExplainTree {
  const label = 'what the database cannot test of the policies'
  const notes: readonly string[] = []
  return { kind: 'filter', label, owner: 'engine', notes, estimateRows: undefined, measured: undefined, inputs: [tree] }
}

/** One part of a plan, and those below it, on the way through backends. */
export class PartRun {
  readonly part: Part
  readonly #context: RunContext
  readonly #range: Interval
  readonly #below: readonly (readonly [Values, PartRun])[]
  #prepared: Prepared | undefined
  /** Conditions of a guard that its rows have yet to pass: only the part above that tests them takes any. */
  readonly #testedAbove: readonly Expr[]

  constructor(part: Part, context: RunContext, range: Interval, testedAbove: readonly Expr[] = []) {
    this.part = part
    this.#testedAbove = testedAbove
    this.#context = context
    this.#range = range
    this.#below = [...part.inputs].map(([bridge, input]) => [
      bridge,
      new PartRun(input, context, range, guardLeftBy(input.plan)),
    ])
  }

  #prepare(plan: LogicalPlan): Prepared {
    return this.part.backend.prepare(plan, queryContext(this.#context, this.#range))
  }

  /** What its latest run would answer if its input ended now. */
  soFar(context: RunContext): AsyncIterable<RecordBatch> | undefined {
    return this.#prepared?.soFar?.(queryContext(context, this.#range))
  }

  /** Rows that come in from below have passed their own proof, so the plan is proved before they are filled in. */
  #prove(): void {
    const { scope } = this.#context
    if (scope !== undefined) verifyScope(this.part.plan, scope, this.#testedAbove)
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
      // A part that stands at two places stays one part.
      const fill = (node: LogicalPlan): LogicalPlan => {
        const found = filled.get(node) ?? mapInputs(node, fill)
        filled.set(node, found)
        return found
      }
      this.#prepared = this.#prepare(fill(this.part.plan))
      yield* this.#prepared.run()
    } finally {
      this.#context.budget.charge(-heldBytes)
    }
  }

  /** The rows of a part below that pass what is left of its guard: nothing else sees, counts or keeps the others. */
  async *#seen(run: PartRun): AsyncIterable<RecordBatch> {
    const left = run.#testedAbove
    if (left.length === 0) {
      yield* run.batches()
      return
    }
    const { origin } = run.part.plan
    const outputSchema = schemaOf(run.part.plan)
    for await (const batch of run.batches()) {
      const input: Values = { kind: 'values', outputSchema, rows: [...rowsOf(batch)], origin }
      yield* this.#prepare({ kind: 'filter', input, predicate: conjunction(left, origin), origin }).run()
    }
  }

  /** The rows of a part below, kept until the part above has ended, and charged for as long. */
  async #collect(run: PartRun): Promise<{ rows: readonly Row[]; bytes: number }> {
    const { budget, limits } = this.#context
    const rows: Row[] = []
    let bytes = 0
    for await (const batch of this.#seen(run)) {
      if (rows.length + batch.rowCount > limits.bridgeRows) {
        const data = { limit: limits.bridgeRows, backend: run.part.backend.name, reason: this.part.reason ?? '' }
        throw new SluiceError([engineDiagnostic('bridge-too-large', data, run.part.plan.origin)])
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

  /** Asks databases how they mean to run their statements; `explain` shows it from then on. */
  async askPlans(): Promise<void> {
    this.#prepared ??= this.#below.length === 0 ? this.#prepare(this.part.plan) : undefined
    await this.#prepared?.askPlan?.()
    for (const [, run] of this.#below) await run.askPlans()
  }

  /** The trees of the parts in one, with measures of what has run. */
  explain(): ExplainTree {
    const runs = new Map(this.#below.map(([, run]) => [run.part, run]))
    this.#prove()
    const prepared = this.#prepared ?? this.#prepare(this.part.plan)
    const { scope, notesOf } = this.#context
    const isLast = this.#testedAbove.length === 0
    const tree = scope === undefined ? prepared.explain() : withoutStored(prepared.explain(), isLast)
    const joined = joinTrees(this.part, withNotes(tree, this.part.plan, notesOf), (part) =>
      present(runs.get(part)).explain(),
    )
    return isLast ? joined : testedTree(joined)
  }
}
