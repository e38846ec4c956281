import { addReads, noReads, sharedMemory, type BlockReads, type Budget, type Interval } from '../../../base/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import type { Expr, Scan, Table, TableDefinition } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { ExecContext } from '../context.ts'
import { ExprCompiler } from '../expr/compile.ts'
import { Measure } from '../measure.ts'
import { QueryEnd } from '../query-end.ts'
import { Waits } from '../waits.ts'
import { ofPlain, plainOf } from './plain-plan.ts'
import type { SegmentRange } from './segment-range.ts'
import { ScanSource } from './source.ts'

/** Reading pieces of a scan, as plain data. */
export interface ScanTask {
  /** Instants and JSON texts in them stand as plain data. */
  readonly scan: Scan
  readonly conditions: readonly Expr[]
  readonly definition: TableDefinition
  readonly nowNs: bigint
  readonly range: Interval
  readonly batchRows: number
  /** Of each piece: the place of its segment in the scan's list, its first row and the one behind its last. */
  readonly pieces: Int32Array
}

const PIECE_WORDS = 3

/** `undefined` where another thread cannot do the same: it knows no functions of a user. */
export function scanTask(
  source: ScanSource,
  ranges: readonly SegmentRange[],
  { functions, query }: ExecContext,
): ScanTask | undefined {
  const { budget, nowNs, range, batchRows } = query
  // Whether a limit of rows is met must not depend on who reads them.
  if (budget.limits.scanRows < Number.MAX_SAFE_INTEGER) return undefined
  const plan = plainOf({ scan: source.node, conditions: source.conditions }, functions)
  if (plan === undefined) return undefined
  const places = new Map(source.segments.map((segment, place) => [segment, place]))
  const pieces = new Int32Array(sharedMemory(Math.max(1, ranges.length) * PIECE_WORDS * 4))
  for (const [index, { segment, from, to }] of ranges.entries()) {
    pieces.set([places.get(segment) ?? -1, from, to], index * PIECE_WORDS)
  }
  return { ...plan, definition: source.definition, nowNs, range, batchRows, pieces }
}

function rangesOf(pieces: Int32Array, segments: readonly Segment[]): readonly SegmentRange[] {
  const ranges: SegmentRange[] = []
  for (let at = 0; at + PIECE_WORDS <= pieces.length; at += PIECE_WORDS) {
    const segment = segments[pieces[at]]
    if (segment !== undefined) ranges.push({ segment, from: pieces[at + 1], to: pieces[at + 2] })
  }
  return ranges
}

/** What was looked at since it was last asked for. */
export interface ScanCounts {
  readonly counts: readonly (readonly [name: string, amount: number])[]
  readonly scannedRows: number
  readonly reads: BlockReads
}

/** The scan of another thread's query, over the same segments. */
export class HelpedScan {
  readonly source: ScanSource
  readonly context: ExecContext
  readonly ranges: readonly SegmentRange[]
  readonly #budget: Budget
  readonly #measure = new Measure()
  readonly #end = new QueryEnd()
  /** What was counted and read before. */
  #counted: ReadonlyMap<string, number>
  #scannedRows = 0

  constructor(task: ScanTask, segments: readonly Segment[], budget: Budget) {
    const { scan, conditions } = ofPlain({ scan: task.scan, conditions: task.conditions })
    this.#budget = budget
    const { definition, nowNs, range, batchRows } = task
    const compiler = new ExprCompiler(standardFunctions)
    this.context = {
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
    this.source = conditions.reduce(
      (above, condition) => above.filtered(compiler.predicate(condition), condition),
      new ScanSource(scan, this.context, this.#measure),
    )
    this.source.ranges()
    this.ranges = rangesOf(task.pieces, segments)
    this.#counted = new Map(this.#measure.counts)
  }

  takeCounts(): ScanCounts {
    const counts = Array.from(
      this.#measure.counts,
      ([name, amount]) => [name, amount - (this.#counted.get(name) ?? 0)] as const,
    )
    const scannedRows = this.#budget.scannedRows - this.#scannedRows
    const reads = { ...this.#budget.reads }
    Object.assign(this.#budget.reads, noReads())
    this.#counted = new Map(this.#measure.counts)
    this.#scannedRows = this.#budget.scannedRows
    return { counts, scannedRows, reads }
  }

  end(): Promise<void> {
    return this.#end.run()
  }
}

/** Counts what another thread has looked at for a scan; `milliseconds` are of processor time. */
export function countOfOthers(
  { measure, context }: ScanSource,
  { counts, scannedRows, reads }: ScanCounts,
  pieces: number,
  milliseconds: number,
): void {
  const { budget } = context.query
  measure.count('piecesOfOthers', pieces)
  measure.count('microsecondsOfOthers', Math.round(milliseconds * 1000))
  for (const [name, amount] of counts) measure.count(name, amount)
  budget.scanned(scannedRows)
  addReads(budget.reads, reads)
}
