import { derived, runWithBudget } from '../../base/index.ts'
import { valueAt, type RecordBatch } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import { scanPlans, sharedSubplans, type ScanPlan } from '../../optimize/index.ts'
import {
  fieldPattern,
  hidesRows,
  mapInputs,
  schemaOf,
  type LogicalPlan,
  type Scan,
  type Table,
} from '../../plan/index.ts'
import { arrivedSegments, hasSegments, type Segment, type SegmentNeeds, type SegmentTable } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import { drive } from './driver.ts'
import { ExprCompiler } from './expr/compile.ts'
import { MemoryReservation } from './memory-reservation.ts'
import type { ExecContext } from './context.ts'
import type { Frame } from './frame.ts'
import type { OperatorMeasure } from './measure.ts'
import type { Parallelism } from './morsels/parallelism.ts'
import { adderOf, planOperators, type Planned } from './planner.ts'
import { QueryEnd } from './query-end.ts'
import { PendingReads } from './pending-reads.ts'

function needsOf({ exact, superset, columns, findsBy, range }: ScanPlan, table: SegmentTable): SegmentNeeds {
  const isLate = findsBy !== undefined && table.positionField !== undefined
  return { columns: isLate ? findsBy : columns, predicate: [...exact, ...superset], range, isLate }
}

/** Returns segments of newly arrived rows if the query reads only such rows; otherwise the given segments. */
function arrivedIn(
  { definition }: Table,
  segments: readonly Segment[],
  { arrivals, budget }: QueryContext,
): readonly Segment[] {
  const { timeField, textField } = definition
  if (arrivals === undefined || timeField === undefined || textField === undefined) return segments
  return arrivedSegments({ ...definition, timeField, textField }, segments, arrivals, budget)
}

/** The segments of each scan over a table with segments: either all at once or as a stream. */
interface RowsOfScans {
  readonly segments: Map<Scan, readonly Segment[]>
  readonly arriving: Map<Scan, AsyncIterable<Segment>>
}

/** A plan with the tables, functions and settings for running it. */
interface PlanRunSetting {
  readonly plan: LogicalPlan
  /** The fields, conditions, times and order that each scan requests from its table. */
  readonly scans: ReadonlyMap<Scan, ScanPlan>
  readonly tables: ReadonlyMap<string, Table>
  readonly functions: Functions
  readonly query: QueryContext
  readonly parallelism: Parallelism | undefined
  /** Called with the operators after the run, to read their measurements. */
  readonly observe: (planned: Planned) => void
}

/** One run of a plan: opens the tables, reads them, and signals their sources when the query has ended. */
export class PlanRun {
  readonly #setting: PlanRunSetting
  readonly #end = new QueryEnd()
  readonly #opened: Map<Table, Table>
  #running: { readonly planned: Planned; readonly context: ExecContext } | undefined

  constructor(setting: PlanRunSetting) {
    this.#setting = setting
    this.#opened = setting.query.opened ?? new Map<Table, Table>()
  }

  async *batches(): AsyncGenerator<RecordBatch> {
    const { plan, scans, observe } = this.#setting
    try {
      const rows: RowsOfScans = { segments: new Map(), arriving: new Map() }
      let isLate = false
      for (const [scan, scanPlan] of scans) {
        const table = this.#open(scan.table)
        if (table === undefined) continue
        const needs = needsOf(scanPlan, table)
        const isPicked = needs.isLate && (await this.#pick({ ...scanPlan, columns: needs.columns }, table, needs, rows))
        if (!isPicked)
          await this.#read(scan, scanPlan, table, { ...needs, columns: scanPlan.columns, isLate: false }, rows)
        isLate ||= isPicked
      }
      yield* this.#run(plan, scans, rows, isLate ? () => undefined : observe)
    } finally {
      await this.#end.run()
    }
  }

  /**
   * Returns the answer that the plan would give if its input ended now, computed within the limits of `query`. The run
   * continues unchanged. `undefined` while no aggregating operator can return such an answer.
   */
  soFar(query: QueryContext): AsyncIterable<RecordBatch> | undefined {
    const running = this.#running
    const adder = running && adderOf(running.planned)
    const rows = adder?.operator.soFar
    if (running === undefined || adder === undefined || rows === undefined) return undefined
    return this.#above(adder.node, rows, { ...running.context, query })
  }

  async *#above(
    node: LogicalPlan,
    rows: (charge: MemoryReservation) => Frame,
    context: ExecContext,
  ): AsyncGenerator<RecordBatch> {
    const { plan, functions } = this.#setting
    const { query } = context
    const charge = new MemoryReservation(query.budget)
    const end = new QueryEnd()
    try {
      const frame = runWithBudget(query.budget, () => rows(charge))
      const own = {
        waits: new PendingReads(),
        compiler: new ExprCompiler(functions),
        measures: new Map<LogicalPlan, OperatorMeasure>(),
        end,
      }
      const above = { ...context, ...own, shared: new Map<LogicalPlan, number>(), given: { node, frame } }
      yield* drive(planOperators(plan, above).operator, schemaOf(plan), query)
    } finally {
      charge.release()
      await end.run()
    }
  }

  /** Returns the table, opened for this query; `undefined` for a table without segments. */
  #open(name: string): SegmentTable | undefined {
    const table = this.#setting.tables.get(name)
    if (table === undefined || !hasSegments(table)) return undefined
    if (table.open === undefined) return table
    const known = this.#opened.get(table)
    if (known !== undefined && hasSegments(known)) return known
    const needs = [...this.#wholeScans().values()].filter(({ scan }) => scan.table === name)
    const opened = table.open(needs.map((each) => needsOf(each, table)))
    this.#opened.set(table, opened)
    return opened
  }

  /** Returns the scans of the whole query, of which this plan is the whole or a part. */
  #wholeScans(): ReadonlyMap<Scan, ScanPlan> {
    const { plan, scans, tables, functions, query } = this.#setting
    return query.whole === undefined || query.whole === plan ? scans : scanPlans(query.whole, tables, functions)
  }

  /** Reads the segments of a scan, or prepares a stream whose segments are read during the run. */
  async #read(
    scan: Scan,
    { holds }: ScanPlan,
    table: SegmentTable,
    needs: SegmentNeeds,
    rows: RowsOfScans,
  ): Promise<void> {
    const { query } = this.#setting
    const holdsFew = holds !== 'all' && query.arrivals === undefined
    const arriving = holdsFew ? table.arriving?.(needs, this.#end.signal) : undefined
    if (arriving === undefined) rows.segments.set(scan, arrivedIn(table, await table.segments(needs), query))
    else rows.arriving.set(scan, arriving)
    query.budget.checkpoint()
  }

  /**
   * Reads a scan in two steps: first only the fields that select rows, then the selected rows with all fields. Returns
   * false if the table does not report the positions of its rows.
   */
  async #pick(scanPlan: ScanPlan, table: SegmentTable, needs: SegmentNeeds, rows: RowsOfScans): Promise<boolean> {
    const { plan, observe: observeRun } = this.#setting
    const positionField = table.positionField ?? ''
    const scan: Scan = { ...scanPlan.scan, columns: [...(scanPlan.columns ?? []), positionField] }
    const over = (node: LogicalPlan): LogicalPlan => (node === scanPlan.scan ? scan : mapInputs(node, over))
    const placing: LogicalPlan = {
      kind: 'project',
      input: over(plan),
      fields: [fieldPattern(positionField)],
      origin: derived('late-rows', [plan.origin]),
    }
    const scans = new Map([[scan, { ...scanPlan, scan }]])
    const found: RowsOfScans = { segments: new Map(), arriving: new Map() }
    await this.#read(scan, scanPlan, table, needs, found)
    const positions: number[] = []
    // Measures the operators that select rows, without the projection above them, as the work of the plan.
    const observe = ({ inputs: [picking] }: Planned): void => {
      if (picking !== undefined) observeRun(picking)
    }
    for await (const { columns, rowCount } of this.#run(placing, scans, found, observe)) {
      const [column] = columns
      if (column === undefined) continue
      for (let i = 0; i < rowCount; i++) positions.push(Number(valueAt(column, i)))
    }
    if (table.hasPositions !== true) return false
    rows.segments.set(scanPlan.scan, table.rowsAt?.(positions.toSorted((a, b) => a - b)) ?? [])
    return true
  }

  #run(
    plan: LogicalPlan,
    scans: ReadonlyMap<Scan, ScanPlan>,
    { segments, arriving }: RowsOfScans,
    observe: (planned: Planned) => void,
  ): AsyncGenerator<RecordBatch> {
    const { tables, functions, query, parallelism } = this.#setting
    const waits = new PendingReads()
    const context: ExecContext = {
      tables,
      scans,
      segments,
      arriving,
      shared: sharedSubplans(plan, functions, (scan) => !segments.has(scan)),
      waits,
      end: this.#end,
      functions,
      query,
      compiler: new ExprCompiler(functions),
      parallelism,
      measures: new Map(),
    }
    // Compiling may take long, since a plan can contain thousands of patterns.
    const planned = runWithBudget(query.budget, () => planOperators(plan, context))
    if (plan === this.#setting.plan) this.#running = { planned, context }
    observe(planned)
    return drive(planned.operator, schemaOf(plan), query, waits, hidesRows(query.whole ?? plan))
  }
}
