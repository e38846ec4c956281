import { noReads, type Budget, type Turns } from '../../../base/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import type { Aggregate, Table } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { ExecContext } from '../context.ts'
import { ExprCompiler } from '../expr/compile.ts'
import type { Helping } from '../helpers.ts'
import { Measure } from '../measure.ts'
import { QueryEnd } from '../query-end.ts'
import { ScanSource } from '../segments/source.ts'
import { Waits } from '../waits.ts'
import { rangesOf, type GroupsTask } from './groups-task.ts'
import { ofPlain } from './plain-plan.ts'
import { SegmentAggregate, type GroupsPart, type GroupsTold } from './segment-aggregate.ts'

/** Takes part in the grouping of another thread, over the same segments. */
export class GroupsHelping implements Helping {
  readonly #aggregate: SegmentAggregate
  readonly #budget: Budget
  readonly #measure = new Measure()
  readonly #end = new QueryEnd()
  /** What was counted and read before this pass. */
  #counted: ReadonlyMap<string, number>
  #scannedRows = 0

  constructor(task: GroupsTask, segments: readonly Segment[], budget: Budget) {
    const { scan, conditions, keys, aggregates } = ofPlain({
      scan: task.scan,
      conditions: task.conditions,
      keys: task.keys,
      aggregates: task.aggregates,
    })
    this.#budget = budget
    const { definition, nowNs, range, batchRows } = task
    const compiler = new ExprCompiler(standardFunctions)
    const context: ExecContext = {
      // Only the definition is asked for: the segments are given.
      tables: new Map([[scan.table, { definition } as Table]]),
      scans: new Map(),
      segments: new Map([[scan, segments]]),
      shared: new Map(),
      waits: new Waits(),
      end: this.#end,
      functions: standardFunctions,
      query: { budget, nowNs, range, batchRows },
      compiler,
      helpers: undefined,
      measures: new Map(),
    }
    const source = conditions.reduce(
      (above, condition) => above.filtered(compiler.predicate(condition), condition),
      new ScanSource(scan, context, this.#measure),
    )
    const node: Aggregate = { kind: 'aggregate', input: scan, keys, aggregates, origin: scan.origin }
    source.ranges()
    this.#aggregate = new SegmentAggregate(node, source, context, rangesOf(task.pieces, segments))
    this.#counted = new Map(this.#measure.counts)
  }

  *work(next: () => number | undefined): Turns<void> {
    for (let piece = next(); piece !== undefined; piece = next()) {
      yield* this.#aggregate.see(piece)
      yield
    }
  }

  give(): GroupsPart | undefined {
    const given = this.#aggregate.give()
    if (given === undefined) return undefined
    const counts = Array.from(
      this.#measure.counts,
      ([name, amount]) => [name, amount - (this.#counted.get(name) ?? 0)] as const,
    )
    const scannedRows = this.#budget.scannedRows - this.#scannedRows
    const reads = { ...this.#budget.reads }
    Object.assign(this.#budget.reads, noReads())
    this.#counted = new Map(this.#measure.counts)
    this.#scannedRows = this.#budget.scannedRows
    return { ...given, counts, scannedRows, reads }
  }

  end(): Promise<void> {
    return this.#end.run()
  }

  hear(pass: number, told: unknown): void {
    this.#aggregate.hear(pass, told as GroupsTold)
  }
}
