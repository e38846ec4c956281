import { derived } from '../../base/index.ts'
import { valueAt, type RecordBatch } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import { scanPlans, sharedParts, type ScanPlan } from '../../optimize/index.ts'
import { fieldPattern, mapInputs, schemaOf, type LogicalPlan, type Scan, type Table } from '../../plan/index.ts'
import { hasSegments, type Segment, type SegmentNeeds, type SegmentTable } from '../../store/index.ts'
import type { QueryContext } from '../backend.ts'
import { drive } from './driver.ts'
import { ExprCompiler } from './expr/compile.ts'
import { planOperators, type Planned } from './planner.ts'
import { Waits } from './waits.ts'

function needsOf({ exact, superset, columns, findsBy, range }: ScanPlan, table: SegmentTable): SegmentNeeds {
  const isLate = findsBy !== undefined && table.placeField !== undefined
  return { columns: isLate ? findsBy : columns, predicate: [...exact, ...superset], range, isLate }
}

/** One run of a plan: tables are opened and read, and told when no more is needed. */
export class PlanRun {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #functions: Functions
  readonly #query: QueryContext
  readonly #observe: (planned: Planned) => void
  readonly #end = new AbortController()
  readonly #closers: (() => void | Promise<void>)[] = []
  readonly #opened: Map<Table, Table>

  constructor(
    tables: ReadonlyMap<string, Table>,
    functions: Functions,
    query: QueryContext,
    /** Told the operators, for what they have measured. */
    observe: (planned: Planned) => void,
  ) {
    this.#tables = tables
    this.#functions = functions
    this.#query = query
    this.#observe = observe
    this.#opened = query.opened ?? new Map<Table, Table>()
  }

  async *batches(plan: LogicalPlan, scans: ReadonlyMap<Scan, ScanPlan>): AsyncGenerator<RecordBatch> {
    const segments = new Map<Scan, readonly Segment[]>()
    for (const [scan, scanPlan] of scans) {
      const table = this.#open(scan.table, plan)
      if (table === undefined) continue
      const needs = needsOf(scanPlan, table)
      const given = await table.segments(needs)
      this.#query.budget.checkpoint()
      if (!needs.isLate || table.hasPlaces !== true) segments.set(scan, given)
      else segments.set(scan, await this.#rowsPicked(plan, { ...scanPlan, columns: needs.columns }, table, given))
    }
    const isLate = [...scans].some(([scan, { findsBy }]) => findsBy !== undefined && this.#isLate(scan.table, plan))
    yield* this.#run(plan, scans, segments, isLate ? () => undefined : this.#observe)
  }

  async end(): Promise<void> {
    this.#end.abort()
    for (const close of this.#closers) await close()
  }

  /** A table with segments, as this query reads it. */
  #open(name: string, plan: LogicalPlan): SegmentTable | undefined {
    const table = this.#tables.get(name)
    if (table === undefined || !hasSegments(table)) return undefined
    const known = this.#opened.get(table)
    if (known !== undefined && hasSegments(known)) return known
    const all = [...scanPlans(this.#query.whole ?? plan, this.#tables, this.#functions).values()]
    const needs = all.filter(({ scan }) => scan.table === name).map((each) => needsOf(each, table))
    const opened = table.open?.(needs) ?? table
    this.#opened.set(table, opened)
    return opened
  }

  #isLate(name: string, plan: LogicalPlan): boolean {
    return this.#open(name, plan)?.hasPlaces === true
  }

  /** The rows that a plan picks, whole, when only what finds them has been read. */
  async #rowsPicked(
    plan: LogicalPlan,
    scanPlan: ScanPlan,
    table: SegmentTable,
    segments: readonly Segment[],
  ): Promise<readonly Segment[]> {
    const place = table.placeField ?? ''
    const scan: Scan = { ...scanPlan.scan, columns: [...(scanPlan.columns ?? []), place] }
    const over = (node: LogicalPlan): LogicalPlan => (node === scanPlan.scan ? scan : mapInputs(node, over))
    const placing: LogicalPlan = {
      kind: 'project',
      input: over(plan),
      fields: [fieldPattern(place)],
      origin: derived('late-rows', [plan.origin]),
    }
    const scans = new Map([[scan, { ...scanPlan, scan }]])
    const places: number[] = []
    // What was measured is the work of finding, under the plan itself.
    const observe = ({ inputs: [found] }: Planned): void => {
      if (found !== undefined) this.#observe(found)
    }
    for await (const { columns, rowCount } of this.#run(placing, scans, new Map([[scan, segments]]), observe)) {
      const [column] = columns
      if (column === undefined) continue
      for (let i = 0; i < rowCount; i++) places.push(Number(valueAt(column, i)))
    }
    return table.rowsAt?.(places.toSorted((a, b) => a - b)) ?? []
  }

  async *#run(
    plan: LogicalPlan,
    scans: ReadonlyMap<Scan, ScanPlan>,
    segments: ReadonlyMap<Scan, readonly Segment[]>,
    observe: (planned: Planned) => void,
  ): AsyncGenerator<RecordBatch> {
    const waits = new Waits()
    const planned = planOperators(plan, {
      tables: this.#tables,
      scans,
      segments,
      shared: sharedParts(plan, this.#functions, (scan) => !segments.has(scan)),
      waits,
      closers: this.#closers,
      signal: this.#end.signal,
      functions: this.#functions,
      query: this.#query,
      compiler: new ExprCompiler(this.#functions),
      measures: new Map(),
    })
    observe(planned)
    yield* drive(planned.operator, schemaOf(plan), this.#query, waits)
  }
}
