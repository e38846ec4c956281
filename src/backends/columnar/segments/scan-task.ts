import {
  addReads,
  noReads,
  oncePer,
  sharedMemory,
  type BlockReads,
  type Budget,
  type Interval,
} from '../../../base/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import type { Expr, Scan, Table, TableDefinition } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { ExecContext } from '../context.ts'
import { ExprCompiler } from '../expr/compile.ts'
import { OperatorMeasure } from '../measure.ts'
import type { RemoteResult } from '../morsels/parallelism.ts'
import { QueryEnd } from '../query-end.ts'
import { PendingReads } from '../pending-reads.ts'
import { ofPlain, plainOf } from './plain-plan.ts'
import type { SegmentRange } from './segment-range.ts'
import { ScanSource } from './source.ts'

/** A table definition without its record shapes, which are large and only needed at ingestion. */
export type SentDefinition = Omit<TableDefinition, 'shapes'>

export function sentDefinition({ shapes: _, ...sent }: TableDefinition): SentDefinition {
  return sent
}

/** A task to process ranges of a scan (ranges of rows in segments), as plain data. */
export interface ScanTask {
  /** The scan node; its instants and JSON texts are converted to plain data. */
  readonly scan: Scan
  readonly conditions: readonly Expr[]
  readonly definition: SentDefinition
  readonly nowNs: bigint
  readonly range: Interval
  readonly batchRows: number
  /**
   * Three numbers for each range: the index of its segment in the scan's list, its first row, and the row after its
   * last row.
   */
  readonly rangeWords: Int32Array
}

const RANGE_WORDS = 3

/**
 * Returns the task for another thread. `undefined` if the scan calls functions of a user, which other threads lack, or
 * if a row limit applies.
 */
export function scanTask(
  source: ScanSource,
  ranges: readonly SegmentRange[],
  { functions, query }: ExecContext,
): ScanTask | undefined {
  const { budget, nowNs, range, batchRows } = query
  // With a row limit, one thread must count all rows, so that reaching the limit does not depend on how rows are
  // distributed.
  if (budget.limits.scanRows < Number.MAX_SAFE_INTEGER) return undefined
  const plan = plainOf({ scan: source.node, conditions: source.conditions }, functions)
  if (plan === undefined) return undefined
  const rangeWords = rangeWordsOf(ranges)(source.segments)
  return { ...plan, definition: sentDefinition(source.definition), nowNs, range, batchRows, rangeWords }
}

/**
 * Caches the `rangeWords` of a task, by list of ranges and list of segments. The same lists are used until rows arrive.
 */
const rangeWordsOf = oncePer((ranges: readonly SegmentRange[]) =>
  oncePer((segments: readonly Segment[]): Int32Array => {
    const numbers = new Map<Segment, number>()
    for (let number = 0; number < segments.length; number++) numbers.set(segments[number], number)
    const rangeWords = new Int32Array(sharedMemory(Math.max(1, ranges.length) * RANGE_WORDS * 4))
    for (let index = 0; index < ranges.length; index++) {
      const { segment, from, to } = ranges[index]
      rangeWords[index * RANGE_WORDS] = numbers.get(segment) ?? -1
      rangeWords[index * RANGE_WORDS + 1] = from
      rangeWords[index * RANGE_WORDS + 2] = to
    }
    return rangeWords
  }),
)

function rangesOf(rangeWords: Int32Array, segments: readonly Segment[]): readonly SegmentRange[] {
  const ranges: SegmentRange[] = []
  for (let at = 0; at + RANGE_WORDS <= rangeWords.length; at += RANGE_WORDS) {
    const segment = segments[rangeWords[at]]
    if (segment !== undefined) ranges.push({ segment, from: rangeWords[at + 1], to: rangeWords[at + 2] })
  }
  return ranges
}

/**
 * Reverses `cutRanges`: returns the original ranges, in the same order. The first cut range of each segment is the end
 * of its original range.
 */
export function uncut(cut: readonly SegmentRange[]): readonly SegmentRange[] {
  const whole = new Map<Segment, SegmentRange>()
  for (const cutRange of cut) {
    const known = whole.get(cutRange.segment)
    whole.set(
      cutRange.segment,
      known === undefined ? cutRange : { ...known, from: Math.min(known.from, cutRange.from) },
    )
  }
  return whole.size === cut.length ? cut : [...whole.values()]
}

/** Counters and block reads of another thread, to be added to the scan. */
export interface ScanCounts {
  readonly counts: readonly (readonly [name: string, amount: number])[]
  readonly scannedRows: number
  readonly reads: BlockReads
}

/** The scan of another thread's query, rebuilt from a task over the same segments. */
export class RemoteScan {
  readonly source: ScanSource
  readonly context: ExecContext
  readonly ranges: readonly SegmentRange[]
  readonly #budget: Budget
  readonly #end = new QueryEnd()
  readonly #measure = new OperatorMeasure()
  #counts: CountsSince
  #scannedBefore = 0

  constructor(task: ScanTask, segments: readonly Segment[], budget: Budget) {
    const { scan, conditions } = ofPlain({ scan: task.scan, conditions: task.conditions })
    this.#budget = budget
    const { definition, nowNs, range, batchRows } = task
    const compiler = new ExprCompiler(standardFunctions)
    this.context = {
      // Other properties of the table are not used, since its segments are given.
      tables: new Map([[scan.table, { definition } as Table]]),
      scans: new Map(),
      segments: new Map([[scan, segments]]),
      arriving: new Map(),
      shared: new Map(),
      waits: new PendingReads(),
      end: this.#end,
      functions: standardFunctions,
      query: { budget, nowNs, range, batchRows },
      compiler,
      parallelism: undefined,
      measures: new Map(),
    }
    this.ranges = rangesOf(task.rangeWords, segments)
    const shared = { segments, ranges: uncut(this.ranges), isCounted: false }
    this.source = conditions.reduce(
      (above, condition) => above.filtered(compiler.predicate(condition), condition),
      new ScanSource(scan, this.context, this.#measure, undefined, shared),
    )
    this.source.ranges()
    this.#counts = new CountsSince(this.#measure)
  }

  /** Discards the counts so far, because the other thread has counted the same reads. */
  restartCounts(): void {
    this.#counts = new CountsSince(this.#measure)
    this.#scannedBefore = this.#budget.scannedRows
    Object.assign(this.#budget.reads, noReads())
  }

  counts(): ScanCounts {
    const { scannedRows, reads } = this.#budget
    return { counts: this.#counts.all(), scannedRows: scannedRows - this.#scannedBefore, reads: { ...reads } }
  }

  end(): Promise<void> {
    return this.#end.run()
  }
}

/** Returns how far all counters have increased since this object was made. */
export class CountsSince {
  readonly #measure: OperatorMeasure
  readonly #before: ReadonlyMap<string, number>

  constructor(measure: OperatorMeasure) {
    this.#measure = measure
    this.#before = new Map(measure.counts)
  }

  all(): ScanCounts['counts'] {
    return Array.from(this.#measure.counts, ([name, amount]) => [name, amount - (this.#before.get(name) ?? 0)] as const)
  }
}

/** Adds the counters and block reads of another thread to a scan and its budget. */
export function countRemote(
  { measure, context }: ScanSource,
  { counts, scannedRows, reads }: ScanCounts,
  { morsels, workedMs }: RemoteResult,
): void {
  const { budget } = context.query
  measure.count('piecesOfOthers', morsels.length)
  measure.count('microsecondsOfOthers', Math.round(workedMs * 1000))
  for (const [name, amount] of counts) measure.count(name, amount)
  budget.scanned(scannedRows)
  addReads(budget.reads, reads)
}
