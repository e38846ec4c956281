import { checkpoint } from '../../../base/index.ts'
import { countBits, createBitmap, rowsOfBitmap, setBit, setRange, type Column } from '../../../data/index.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { schemaOf, type Aggregate, type Expr } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import type { Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import { GroupMemory } from '../kernels/group-memory.ts'
import type { GroupCandidates } from '../operator.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import { segmentRows } from '../../../store/index.ts'
import type { ScanSource, Slice } from '../segments/source.ts'
import { bestNumbers } from '../keys/best-numbers.ts'
import { BucketKey } from './bucket-key.ts'
import { CountKernel } from './count-kernel.ts'
import { DictionaryKey } from './dictionary-key.ts'
import type { GroupedRows, Kernel } from './kernel.ts'
import { KernelPlanner } from './kernels.ts'
import type { NumberedKey } from './numbered-key.ts'
import type { PartialResult } from '../morsels/parallelism.ts'
import type { MorselScheduler } from '../morsels/scheduler.ts'
import type { ScanCounts } from '../segments/scan-task.ts'
import { scanMorsels } from '../segments/scan-morsels.ts'
import { groupsTask, type PassState } from './groups-task.ts'
import { GroupNumbering, groupsBelow, type PartialNumbering } from './numbering.ts'
import { ValueKey } from './value-key.ts'

interface FilteredKernel {
  readonly kernel: Kernel
  readonly filter: Predicate | undefined
}

/** True if an aggregate over a scan may read the rows segment by segment, in any order. */
export function canAggregateSegments(node: Aggregate, context: ExecContext): boolean {
  return node.aggregates.every(
    ({ call }) => call.orderBy.length === 0 && context.functions.stats.get(call.fn)?.isOrderSensitive === false,
  )
}

/** The groups and states of one thread after one pass over the rows, as plain data. */
interface PartialAggregate {
  /**
   * The keys of this thread's groups, by which the receiver translates group numbers; `undefined` if both threads
   * number the groups alike.
   */
  readonly numbering: PartialNumbering | undefined
  /** The number of rows of each group; only in the first pass. */
  readonly rows: Uint32Array | undefined
  /** The state of each kernel that takes part in the pass. */
  readonly kernels: readonly unknown[]
}

type CountedPartial = PartialAggregate & ScanCounts

/**
 * Groups the rows of a scan, one morsel (a range of rows in one segment) at a time. Several threads can share the
 * morsels.
 */
export class SegmentAggregate implements PartialResult<PartialAggregate> {
  readonly #node: Aggregate
  readonly #source: ScanSource
  readonly #ranges: readonly SegmentRange[]
  #numbering: GroupNumbering
  readonly #kernels: readonly FilteredKernel[]
  /** The number of rows of each group; counted even if no call needs it. */
  readonly #rows = new CountKernel()
  readonly #charge: MemoryReservation
  readonly #passes: number
  /** True if the calls need only the number of rows of each group. */
  readonly #isCountOnly: boolean
  readonly #context: ExecContext
  readonly #memory: GroupMemory
  #pass: number
  /** True if this thread uses the group numbers of another thread's earlier passes. */
  #isContinued = false
  #isFirstPass = true
  #groupedRows = 0

  /**
   * `ranges` are the morsels of the scan. A helper thread passes the ranges of the thread that runs the query, so that
   * morsel numbers agree.
   */
  constructor(node: Aggregate, source: ScanSource, context: ExecContext, ranges = source.smallRanges()) {
    this.#node = node
    this.#source = source
    this.#context = context
    this.#ranges = ranges
    this.#charge = new MemoryReservation(context.query.budget)
    const rangeSeconds = rangeSecondsOf(node.keys, context.query.range)
    this.#memory = new GroupMemory()
    context.end.add(() => this.#memory.release())
    const planner = new KernelPlanner(context, schemaOf(node.input), source, rangeSeconds, this.#memory)
    this.#numbering = this.#newNumbering()
    this.#kernels = node.aggregates.map(({ call }) => {
      const { kernel, filter } = planner.plan(call)
      // A plain count equals the number of rows, which `#rows` counts anyway.
      if (kernel instanceof CountKernel && kernel.isPlain && filter === undefined) {
        return { kernel: this.#rows, filter: undefined }
      }
      return { kernel, filter: filter === undefined ? undefined : context.compiler.predicate(filter) }
    })
    this.#isCountOnly = this.#kernels.every(({ kernel }) => kernel === this.#rows)
    context.end.add(() => {
      for (const { kernel } of [...this.#kernels, { kernel: this.#rows }]) kernel.release?.()
    })
    this.#passes = this.#kernels.reduce((most, { kernel }) => Math.max(most, kernel.passes ?? 1), 1)
    const isBoundKnown =
      this.#numbering.keys.length === 0 || (this.#numbering.keys.length === 1 && this.#numbering.keys[0].isFixed)
    this.#pass = !isBoundKnown && this.#kernels.some(({ kernel }) => kernel.needsBound === true) ? -1 : 0
  }

  #newNumbering(): GroupNumbering {
    const ranges = this.#source.ranges()
    const keys = this.#node.keys.map((key) => numberedKey(key.expr, ranges, this.#source, this.#context))
    return new GroupNumbering(keys, this.#memory)
  }

  /** Reads and groups all rows, in as many passes as the kernels need. */
  run(): void {
    const startMs = performance.now()
    for (let state: PassState | undefined; ;) {
      const morsels = this.#morsels(state, startMs)
      for (let morsel = morsels.next(); morsel !== undefined; morsel = morsels.next()) {
        this.#groupedRows += this.#ranges[morsel].to - this.#ranges[morsel].from
        this.add(morsel)
      }
      if (this.#pass >= 0) for (const { kernel } of this.#kernels) kernel.endPass?.(this.#pass)
      this.#pass++
      if (this.#pass >= this.#passes) return
      state = this.#context.parallelism !== undefined && this.#hasPartials ? this.#state() : undefined
      this.#isFirstPass = false
    }
  }

  /** Returns the scheduler that distributes the morsels of one pass; `state` has the results of earlier passes. */
  #morsels(state: PassState | undefined, startMs: number): MorselScheduler<CountedPartial> {
    const [node, source, ranges] = [this.#node, this.#source, this.#ranges]
    return scanMorsels({
      source,
      ranges,
      startMs,
      task: () => groupsTask(node, source, ranges, this.#context, state),
      canShare: () => this.#hasPartials && (this.#isFirstPass || state !== undefined),
      grouped: () => ({ rows: this.#groupedRows, groups: this.#numbering.bound }),
      merge: (partial) => this.merge(partial),
    })
  }

  get #hasPartials(): boolean {
    return this.#kernels.every(({ kernel }) => kernel === this.#rows || kernel.partials !== undefined)
  }

  get #openKernels(): readonly Kernel[] {
    const isOpen = (kernel: Kernel): boolean => kernel !== this.#rows && this.#pass < (kernel.passes ?? 1)
    return this.#pass < 0 ? [] : this.#kernels.map(({ kernel }) => kernel).filter(isOpen)
  }

  /**
   * Exports the groups and states of this thread for the current pass; `undefined` if another thread could not merge
   * them.
   */
  export(): PartialAggregate | undefined {
    const { bound } = this.#numbering
    const numbering = this.#isContinued ? undefined : this.#numbering.exportNumbering()
    if (numbering === undefined && !this.#isContinued) return undefined
    const rows = this.#pass === 0 ? this.#rows.partials.exportPartial(bound) : undefined
    const kernels = this.#openKernels.map((kernel) => kernel.partials?.exportPartial(bound))
    return kernels.includes(undefined) ? undefined : { numbering, rows, kernels }
  }

  #fits({ kernels }: PartialAggregate): boolean {
    return this.#openKernels.every((kernel, index) => kernel.partials?.fits?.(kernels[index]) !== false)
  }

  merge(partial: PartialAggregate): boolean {
    if (!this.#fits(partial)) return false
    const { numbering, rows, kernels } = partial
    const groups = numbering && this.#numbering.mergePartial(numbering)
    const { bound } = this.#numbering
    this.#rows.reserve(bound)
    if (rows !== undefined) {
      if (groups === undefined) this.#rows.addCounts(rows)
      else this.#rows.partials.mergePartial(rows, groups)
    }
    for (const [index, kernel] of this.#openKernels.entries()) {
      kernel.reserve(bound)
      kernel.partials?.mergePartial(kernels[index], groups ?? groupsBelow(numbering?.bound ?? bound))
    }
    this.#chargeHeld()
    return true
  }

  /** Returns the results so far, with which another thread can take part in the next pass. */
  #state(): PassState | undefined {
    const numbering = this.#numbering.exportNumbering()
    const kernels = this.#openKernels.map((kernel) => kernel.partials?.broadcast?.())
    return numbering && { pass: this.#pass, numbering, kernels }
  }

  /** Starts a pass for another thread, with the results of the earlier passes. */
  continue({ pass, numbering, kernels }: PassState): void {
    this.#pass = pass
    this.#isContinued = true
    this.#numbering = this.#newNumbering()
    this.#numbering.mergePartial(numbering)
    for (const [index, kernel] of this.#openKernels.entries()) {
      kernel.reserve(this.#numbering.bound)
      if (pass > 0) kernel.partials?.receive?.(kernels[index])
    }
  }

  /** Reads a morsel and adds its rows to the groups. */
  add(morsel: number): void {
    const range = this.#ranges[morsel]
    const isCounted = this.#pass === 0 && this.#addKnownCounts(range)
    const needsRows = (one: FilteredKernel): boolean =>
      this.#pass < (one.kernel.passes ?? 1) && one.kernel !== this.#rows
    const open = this.#kernels.filter(needsRows)
    if (isCounted && open.length === 0) return
    const slice = this.#source.slice(range)
    if (slice.length === 0) return
    if (this.#pass === -1) {
      this.#numbering.ids(slice)
      checkpoint()
      return
    }
    const unfiltered = open.filter((one) => one.filter === undefined)
    if (unfiltered.length > 0) {
      const all = this.#grouped(slice)
      if (this.#pass === 0 && !isCounted) this.#rows.add(all)
      for (const { kernel } of unfiltered) kernel.add(all)
      checkpoint()
    } else if (this.#pass === 0 && !isCounted) {
      const numbers = this.#numbering.numbers(slice)
      this.#rows.reserve(this.#numbering.bound)
      this.#rows.addRows(numbers, slice.length)
      checkpoint()
    }
    for (const { kernel, filter } of open) {
      if (filter === undefined) continue
      kernel.add(this.#grouped(passing(slice, filter), kernel))
      checkpoint()
    }
    this.#chargeHeld()
  }

  #chargeHeld(): void {
    const ofRows = this.#rows.bytes() + this.#numbering.memoryBytes
    this.#charge.set(this.#kernels.reduce((sum, { kernel }) => sum + kernel.bytes(), ofRows))
  }

  /** Assigns a group to each row of a slice. The result is valid until the next slice. */
  #grouped(slice: Slice, only?: Kernel): GroupedRows {
    const { segment, frame, length } = slice
    const groups = this.#numbering.ids(slice)
    const { bound } = this.#numbering
    if (only === undefined) {
      this.#rows.reserve(bound)
      for (const { kernel } of this.#kernels) kernel.reserve(bound)
    } else only.reserve(bound)
    const first = slice.rows === undefined ? slice.from : undefined
    return { segment, frame, rows: slice.rows ?? allRows(slice.from, slice.to), first, groups, length }
  }

  /**
   * Adds the row counts of a range without reading rows, if possible; returns whether it did. With one key, counts come
   * from dictionary codes of whole segments or from bounds of time buckets; without keys, from indexes or a bitmap of
   * matching rows.
   */
  #addKnownCounts(range: SegmentRange): boolean {
    const { keys, bound } = this.#numbering
    const [key] = keys
    this.#rows.reserve(bound)
    const { counts } = this.#rows
    if (keys.length === 0) {
      const total = this.#source.count(range)
      if (total === undefined) {
        if (!this.#isCountOnly) return false
        counts[0] += countBits(this.#source.mask(range))
        return true
      }
      counts[0] += total
    } else if (keys.length > 1 || !this.#source.isPlain) return false
    else if (key instanceof BucketKey) key.addCounts(range.segment, range.from, range.to, counts)
    else if (key instanceof DictionaryKey && range.from === 0 && range.to === range.segment.rowCount) {
      const known = key.counts(range.segment)
      if (known === undefined) return false
      for (let code = 0; code < known.length; code++) counts[code] += known[code]
    } else return false
    this.#source.measure.count('segmentsCounted', 1)
    return true
  }

  /** Returns the numbers of all groups that have rows, in any order. */
  groups(): Uint32Array {
    const { keys, bound } = this.#numbering
    if (keys.length === 0) return new Uint32Array(1)
    const { counts } = this.#rows
    const found = new Uint32Array(Math.min(bound, counts.length))
    let length = 0
    for (let group = 0; group < found.length; group++) if (counts[group] > 0) found[length++] = group
    return found.subarray(0, length)
  }

  /**
   * Returns the groups that may be among the first `keep` when ordered by row count. `undefined` if `name` is not the
   * count.
   */
  topCandidates(name: string, direction: 'asc' | 'desc', keep: number): GroupCandidates | undefined {
    const { keys, bound } = this.#numbering
    const index = this.#node.aggregates.findIndex((each) => each.name === name)
    if (keys.length === 0 || keep === 0 || this.#kernels[index]?.kernel !== this.#rows) return undefined
    const best = bestNumbers(this.#rows.counts.subarray(0, bound), direction, keep, 0)
    return best && { frame: this.frame(best.indexes), groupCount: best.count }
  }

  sorted(groups: Uint32Array): Uint32Array {
    return this.#numbering.sorted(groups)
  }

  /** Returns one answer row for each of these groups. Columns are computed when they are first read. */
  frame(groups: Uint32Array): Frame {
    for (const { kernel } of this.#kernels) kernel.reserve(this.#numbering.bound)
    const columns = new Map<string, Column | (() => Column)>()
    this.#node.keys.forEach(({ name }, index) => columns.set(name, () => this.#numbering.keyColumn(index, groups)))
    this.#node.aggregates.forEach(({ name }, index) => {
      columns.set(name, () => this.#kernels[index].kernel.finish(groups))
    })
    return new Frame(groups.length, columns)
  }

  /** Like `frame`, but computes all columns at once. */
  finished(groups: Uint32Array): Frame {
    for (const { kernel } of this.#kernels) kernel.reserve(this.#numbering.bound)
    const columns = new Map<string, Column>()
    for (const [index, { name }] of this.#node.keys.entries()) {
      columns.set(name, this.#numbering.keyColumn(index, groups))
      checkpoint()
    }
    for (const [index, { name }] of this.#node.aggregates.entries()) {
      const { kernel } = this.#kernels[index]
      columns.set(name, kernel.finish(groups))
      checkpoint()
    }
    return new Frame(groups.length, columns)
  }
}

/** Returns a slice with only the rows that pass a filter. */
function passing(slice: Slice, filter: Predicate): Slice {
  const { frame, from, to, rows } = slice
  const mask = createBitmap(frame.rowCount)
  if (rows === undefined) setRange(mask, from, to)
  else for (let i = 0; i < rows.length; i++) setBit(mask, rows[i])
  filter.narrow(frame, mask)
  const passed = rowsOfBitmap(mask)
  return { ...slice, rows: passed, length: passed.length }
}

const everyRow = new Uint32Array(segmentRows)
for (let row = 0; row < segmentRows; row++) everyRow[row] = row

/** Returns the row numbers `[from, to)`. */
function allRows(from: number, to: number): Uint32Array {
  return everyRow.subarray(from, to)
}

function numberedKey(
  expr: Expr,
  ranges: readonly SegmentRange[],
  source: ScanSource,
  context: ExecContext,
): NumberedKey {
  if (expr.kind === 'column' && source.shows(expr.name)) {
    const key = DictionaryKey.of(expr.name, ranges)
    if (key !== undefined) return key
  }
  if (
    expr.kind === 'bucket' &&
    expr.arg.kind === 'column' &&
    expr.bucket.kind === 'time' &&
    expr.bucket.zone === undefined
  ) {
    const { timeField } = source.definition
    if (expr.arg.name === timeField && source.shows(timeField)) {
      const key = BucketKey.of(expr.bucket.widthNs, expr.bucket.offsetNs, ranges)
      if (key !== undefined) return key
    }
  }
  return new ValueKey(context.compiler.expr(expr))
}
