import { createBitmap, hasBit, setBit, type Column } from '../../../data/index.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { schemaOf, type Aggregate, type Expr } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import type { ExecContext } from '../context.ts'
import type { Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import type { SegmentRange } from '../scan/segment-range.ts'
import { segmentRows } from '../../../store/index.ts'
import type { ScanSource } from '../scan/source.ts'
import { BucketLane } from './bucket-lane.ts'
import { CountKernel } from './count-kernel.ts'
import { DictionaryLane } from './dictionary-lane.ts'
import type { GroupedRows, Kernel } from './kernel.ts'
import { KernelPlanner } from './kernels.ts'
import type { Lane } from './lane.ts'
import { GroupNumbering } from './numbering.ts'
import { ValueLane } from './value-lane.ts'

interface FilteredKernel {
  readonly kernel: Kernel
  readonly filter: Predicate | undefined
}

/** Whether an aggregate over a scan may take the rows segment by segment, in any order. */
export function canAggregateSegments(node: Aggregate, context: ExecContext): boolean {
  return node.aggregates.every(
    ({ call }) => call.orderBy.length === 0 && context.functions.stats.get(call.fn)?.isOrderSensitive === false,
  )
}

/** Groups the rows of a scan by segment; one call of `step` looks at one segment. */
export class SegmentAggregate {
  readonly #node: Aggregate
  readonly #source: ScanSource
  readonly #ranges: readonly SegmentRange[]
  readonly #numbering: GroupNumbering
  readonly #kernels: readonly FilteredKernel[]
  /** Rows of each group, whatever the calls see. */
  readonly #rows = new CountKernel()
  readonly #charge: Charge
  readonly #passes: number
  #pass: number
  #next = 0

  constructor(node: Aggregate, source: ScanSource, context: ExecContext) {
    this.#node = node
    this.#source = source
    this.#ranges = source.ranges()
    this.#charge = new Charge(context.query.budget)
    const rangeSeconds = rangeSecondsOf(node.keys, context.query.range)
    const planner = new KernelPlanner(context, schemaOf(node.input), source, rangeSeconds)
    this.#numbering = new GroupNumbering(node.keys.map((key) => laneOf(key.expr, this.#ranges, source, context)))
    this.#kernels = node.aggregates.map(({ call }) => {
      const { kernel, filter } = planner.plan(call)
      // A plain count is the number of rows, which is kept anyway.
      if (kernel instanceof CountKernel && kernel.isPlain && filter === undefined) {
        return { kernel: this.#rows, filter: undefined }
      }
      return { kernel, filter: filter === undefined ? undefined : context.compiler.predicate(filter) }
    })
    this.#passes = this.#kernels.reduce((most, { kernel }) => Math.max(most, kernel.passes ?? 1), 1)
    const isBoundKnown =
      this.#numbering.lanes.length === 0 || (this.#numbering.lanes.length === 1 && this.#numbering.lanes[0].isFixed)
    this.#pass = !isBoundKnown && this.#kernels.some(({ kernel }) => kernel.needsBound === true) ? -1 : 0
  }

  /** True when all rows have been seen. */
  step(): boolean {
    const range = this.#ranges[this.#next++]
    if (range !== undefined) {
      this.#see(range)
      return false
    }
    if (this.#pass >= 0) for (const { kernel } of this.#kernels) kernel.endPass?.(this.#pass)
    this.#pass++
    this.#next = 0
    return this.#pass >= this.#passes
  }

  #see(range: SegmentRange): void {
    if (this.#pass === 0 && this.#seeCounts(range)) return
    const slice = this.#source.slice(range)
    if (slice.length === 0) return
    const groups = this.#numbering.ids(slice)
    if (this.#pass === -1) return
    const { bound } = this.#numbering
    const { segment, frame, length } = slice
    const all: GroupedRows = { segment, frame, rows: slice.rows ?? allRows(slice.from, slice.to), groups, length }
    let bytes = 0
    if (this.#pass === 0) {
      this.#rows.reserve(bound)
      this.#rows.add(all)
      bytes = this.#rows.bytes()
    }
    for (const { kernel, filter } of this.#kernels) {
      if (this.#pass >= (kernel.passes ?? 1) || kernel === this.#rows) continue
      kernel.reserve(bound)
      kernel.add(filter === undefined ? all : passing(all, filter))
      bytes += kernel.bytes()
    }
    this.#charge.set(bytes)
  }

  /** Counts that are known without rows: of whole segments by code, of buckets by their bounds. */
  #seeCounts(range: SegmentRange): boolean {
    if (
      this.#passes > 1 ||
      this.#kernels.some(({ kernel, filter }) => filter !== undefined || !(kernel instanceof CountKernel))
    )
      return false
    const { lanes, bound } = this.#numbering
    const total = lanes.length === 0 ? this.#source.count(range) : undefined
    const [lane] = lanes
    const isWhole = range.from === 0 && range.to === range.segment.rowCount
    const counts =
      lanes.length === 1 && lane instanceof DictionaryLane && isWhole ? lane.counts(range.segment) : undefined
    const isBucket = lanes.length === 1 && lane instanceof BucketLane
    if (total === undefined && !(this.#source.isPlain && (counts !== undefined || isBucket))) return false
    this.#rows.reserve(bound)
    for (const { kernel } of this.#kernels) kernel.reserve(bound)
    this.#source.measure.count('segmentsCounted', 1)
    for (const kernel of new Set([this.#rows, ...this.#kernels.map((one) => one.kernel)])) {
      if (!(kernel instanceof CountKernel)) continue
      if (total !== undefined) kernel.counts[0] += total
      else if (counts !== undefined) {
        for (let code = 0; code < counts.length; code++) kernel.counts[code] += counts[code]
      } else if (lane instanceof BucketLane) lane.addCounts(range.segment, range.from, range.to, kernel.counts)
    }
    return true
  }

  /** The groups that have rows, in no order. */
  groups(): Uint32Array {
    const { lanes, bound } = this.#numbering
    if (lanes.length === 0) return new Uint32Array(1)
    const { counts } = this.#rows
    const found = new Uint32Array(Math.min(bound, counts.length))
    let length = 0
    for (let group = 0; group < found.length; group++) if (counts[group] > 0) found[length++] = group
    return found.subarray(0, length)
  }

  sorted(groups: Uint32Array): Uint32Array {
    return this.#numbering.sorted(groups)
  }

  /** The answer rows of these groups. */
  frame(groups: Uint32Array): Frame {
    for (const { kernel } of this.#kernels) kernel.reserve(this.#numbering.bound)
    const columns = new Map<string, Column | (() => Column)>()
    this.#node.keys.forEach((key, lane) => columns.set(key.name, () => this.#numbering.keyColumn(lane, groups)))
    this.#node.aggregates.forEach(({ name }, index) => {
      columns.set(name, () => this.#kernels[index].kernel.finish(groups))
    })
    return new Frame(groups.length, columns)
  }
}

/** The rows that pass. */
function passing(all: GroupedRows, filter: Predicate): GroupedRows {
  const { frame, length } = all
  const mask = createBitmap(frame.rowCount)
  for (let i = 0; i < length; i++) setBit(mask, all.rows[i])
  filter.narrow(frame, mask)
  const rows = new Uint32Array(length)
  const groups = new Uint32Array(length)
  let count = 0
  for (let i = 0; i < length; i++) {
    const row = all.rows[i]
    if (!hasBit(mask, row)) continue
    rows[count] = row
    groups[count++] = all.groups[i]
  }
  return { ...all, rows, groups, length: count }
}

const everyRow = new Uint32Array(segmentRows)
for (let row = 0; row < segmentRows; row++) everyRow[row] = row

/** The row numbers `[from, to)`. */
function allRows(from: number, to: number): Uint32Array {
  return everyRow.subarray(from, to)
}

function laneOf(expr: Expr, ranges: readonly SegmentRange[], source: ScanSource, context: ExecContext): Lane {
  if (expr.kind === 'column' && source.shows(expr.name)) {
    const lane = DictionaryLane.of(expr.name, ranges)
    if (lane !== undefined) return lane
  }
  if (
    expr.kind === 'bucket' &&
    expr.arg.kind === 'column' &&
    expr.bucket.kind === 'time' &&
    expr.bucket.zone === undefined
  ) {
    const { timeField } = context.store.table(source.node.table).definition
    if (expr.arg.name === timeField && source.shows(timeField)) {
      const lane = BucketLane.of(expr.bucket.widthNs, expr.bucket.offsetNs, ranges)
      if (lane !== undefined) return lane
    }
  }
  return new ValueLane(context.compiler.expr(expr))
}
