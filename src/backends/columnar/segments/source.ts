import { invariant, type BudgetLimits } from '../../../base/index.ts'
import { countBits, createBitmap, rowsOfBitmap, setRange, type Bitmap, type Column } from '../../../data/index.ts'
import type { Expr, Scan, TableDefinition } from '../../../plan/index.ts'
import { segmentRows, type Segment, type SegmentGroup } from '../../../store/index.ts'
import { isEmptyMask } from '../expr/mask.ts'
import type { NamedTest, Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import type { OperatorMeasure } from '../measure.ts'
import type { ExecContext } from '../context.ts'
import { segmentFrame } from '../segment-frame.ts'
import { ReadAhead, throwUnlessDamage } from './read-ahead.ts'
import { cutRanges, segmentRanges, type SegmentRange } from './segment-range.ts'

const NO_ROWS = new Uint32Array(0)

/** The maximum cost of one range of a segment, in the units of `Predicate.cost` (about nanoseconds). */
const PIECE_COST = 10_000_000

function hasRowLimit({ scanRows }: BudgetLimits): boolean {
  return scanRows < Number.MAX_SAFE_INTEGER
}

/** The matching rows of one range of a segment: `rows`, ascending, or all of `[from, to)` if `rows` is `undefined`. */
export interface Slice {
  readonly segment: Segment
  readonly frame: Frame
  readonly from: number
  readonly to: number
  readonly rows: Uint32Array | undefined
  readonly length: number
}

/** State that all copies of a scan share; a copy has more filters. */
interface SharedScan {
  segments: readonly Segment[] | undefined
  /** The ranges of the segments, if the caller has computed them already. */
  readonly ranges?: readonly SegmentRange[]
  isCounted: boolean
}

/**
 * A scan with the filters directly above it, for operators that process whole segments instead of ordered rows. The
 * guard (a condition that hides rows from a caller) is applied before anything else is read, counts and dictionaries
 * included.
 */
export class ScanSource {
  readonly node: Scan
  readonly measure: OperatorMeasure
  readonly context: ExecContext
  readonly #guard: Predicate | undefined
  readonly #predicates: readonly Predicate[]
  #tests: readonly NamedTest[] | undefined
  /** The conditions of the filters directly above the scan. */
  readonly conditions: readonly Expr[]
  #ranges: readonly SegmentRange[] | undefined
  readonly #skipped = new Set<Segment>()
  /**
   * For each group of segments: a bitmap of the segments that may have a matching row, by index; `undefined` if this
   * cannot be determined.
   */
  readonly #groups = new Map<SegmentGroup, { readonly segments: Bitmap | undefined }>()
  readonly #shared: SharedScan
  #readAhead: ReadAhead | undefined
  /** True if the reader needs only the number of rows, which may be known without reading them. */
  #wantsCount = false

  constructor(
    node: Scan,
    context: ExecContext,
    measure: OperatorMeasure,
    predicates?: readonly Predicate[],
    shared: SharedScan = { segments: undefined, isCounted: false },
    conditions: readonly Expr[] = [],
  ) {
    const { compiler } = context
    this.node = node
    this.measure = measure
    this.context = context
    this.#guard = node.guard && compiler.ofWholeRows(node.tableSchema).predicate(node.guard)
    this.#predicates = predicates ?? (node.predicate === undefined ? [] : [compiler.predicate(node.predicate)])
    this.#shared = shared
    this.conditions = conditions
  }

  /** Returns a copy of this scan with one more filter. */
  filtered(predicate: Predicate, condition: Expr): ScanSource {
    const conditions = [...this.conditions, condition]
    const predicates = [...this.#predicates, predicate]
    return new ScanSource(this.node, this.context, this.measure, predicates, this.#shared, conditions)
  }

  get definition(): TableDefinition {
    const table = this.context.tables.get(this.node.table)
    invariant(table !== undefined, `no table named ${this.node.table}`)
    return table.definition
  }

  /** All segments of the table, in the order of the table. */
  get segments(): readonly Segment[] {
    return (this.#shared.segments ??= this.#segments())
  }

  #segments(): readonly Segment[] {
    const segments = this.context.segments.get(this.node)
    invariant(segments !== undefined, `the segments of ${this.node.table} have not been read`)
    return segments
  }

  /** True if the scan has no guard and no conditions, so that every row in its time range matches. */
  get isPlain(): boolean {
    return this.#guard === undefined && this.#predicates.length === 0
  }

  /** An upper bound of the number of rows; exact when every row matches. */
  get rowBound(): number {
    return this.ranges().reduce((sum, { from, to }) => sum + to - from, 0)
  }

  /** True if the scan returns this field, so that the scan's readers can read it. */
  shows(name: string): boolean {
    return this.node.columns === undefined || this.node.columns.includes(name)
  }

  /**
   * Returns the segments with rows in the time range, ordered by their newest row, newest first. Each call returns the
   * same list.
   */
  ranges(): readonly SegmentRange[] {
    if (this.#ranges === undefined) {
      const { segments } = this
      this.#ranges = this.#shared.ranges ?? segmentRanges(segments, this.node.range)
      for (let i = 0; i < this.#ranges.length; i++) this.#ranges[i].segment.followedBy?.(this.#ranges[i + 1]?.segment)
      this.measure.count('segmentsTotal', segments.length)
      this.measure.count('segmentsSkipped', segments.length - this.#ranges.length)
      this.#countVisible(this.#ranges)
    }
    return this.#ranges
  }

  /**
   * Like `ranges`, but divided into smaller ranges if testing the conditions is expensive, so that threads can share
   * the work.
   */
  smallRanges(): readonly SegmentRange[] {
    const ranges = this.ranges()
    const newest = ranges.find(({ segment }) => !this.#isOutOfGroup(segment))
    // Most segments have the same encodings, so the cost of one segment shows whether the ranges must be divided.
    if (newest === undefined || this.isPlain || this.#rowsAtOnce(newest.segment) >= segmentRows) return ranges
    return cutRanges(ranges, (segment) => (this.#isOutOfGroup(segment) ? segmentRows : this.#rowsAtOnce(segment)))
  }

  #rowsAtOnce(segment: Segment): number {
    const frame = segmentFrame(segment)
    const guardCost = this.#guard?.cost(frame) ?? 0
    return PIECE_COST / this.#predicates.reduce((sum, predicate) => sum + predicate.cost(frame), 1 + guardCost)
  }

  /**
   * If there are a guard and a row limit, counts all visible rows of the time range before anything else. Otherwise the
   * moment at which the limit is exceeded would depend on hidden rows and reveal them. Throws `budget/rows` if the
   * limit is exceeded.
   */
  #countVisible(ranges: readonly SegmentRange[]): void {
    const { budget } = this.context.query
    if (this.#guard === undefined || this.#shared.isCounted || !hasRowLimit(budget.limits)) return
    this.#shared.isCounted = true
    for (const { segment, from, to } of ranges) {
      budget.checkpoint()
      const mask = createBitmap(segment.rowCount)
      setRange(mask, from, to)
      this.#guard.narrow(segmentFrame(segment), mask)
      budget.scanned(countBits(mask))
    }
  }

  /** Prefetches data of the next segments while this one is processed. */
  #lookAhead(segment: Segment): void {
    if (segment.followedBy === undefined || this.#guard !== undefined || this.isPlain) return
    this.#readAhead ??= new ReadAhead(this.ranges(), this.#predicates, (next) => this.#isOutOfGroup(next))
    this.#readAhead.at(segment, this.#wantsCount && this.#predicates.length === 1)
  }

  /** Returns the number of matching rows in a range; `undefined` when rows must be read to know it. */
  count({ segment, from, to }: SegmentRange): number | undefined {
    if (this.isPlain) return to - from
    const isWhole = from === 0 && to === segment.rowCount
    if (!isWhole || this.#guard !== undefined || this.#predicates.length > 1) return undefined
    this.#wantsCount = true
    this.#lookAhead(segment)
    return this.#predicates[0]?.count?.(segmentFrame(segment))
  }

  /**
   * True if no row of the range matches, as far as this is known without reading rows. A range without matches counts
   * its segment as skipped.
   */
  isNone({ segment }: SegmentRange): boolean {
    if (!this.#hasNone(segment)) return false
    if (!this.#skipped.has(segment)) this.measure.count('segmentsSkipped', 1)
    this.#skipped.add(segment)
    return true
  }

  #hasNone(segment: Segment): boolean {
    if (this.isPlain) return false
    if (this.#isOutOfGroup(segment)) return true
    this.#lookAhead(segment)
    return this.#isNoneIn(segmentFrame(segment))
  }

  #isNoneIn(frame: Frame): boolean {
    if (this.#guard !== undefined) return this.#guard.isNone?.(frame) === true
    for (const predicate of this.#predicates) if (predicate.isNone?.(frame) === true) return true
    return false
  }

  /**
   * True if the index of the segment's group shows that no row of the segment matches. Reads nothing of the segment
   * itself.
   */
  #isOutOfGroup(segment: Segment): boolean {
    if (segment.group === undefined) return false
    const { group, number } = segment.group
    let known = this.#groups.get(group)
    if (known === undefined) this.#groups.set(group, (known = { segments: this.#segmentsIn(group) }))
    const { segments } = known
    return segments !== undefined && ((segments[number >>> 5] >>> (number & 31)) & 1) === 0
  }

  #segmentsIn(group: SegmentGroup): Bitmap | undefined {
    if (this.#guard !== undefined) return this.#guard.segmentsIn?.(group)
    let all: Bitmap | undefined
    for (const predicate of this.#predicates) {
      const some = predicate.segmentsIn?.(group)
      all = all === undefined || some === undefined ? (all ?? some) : all.map((word, i) => word & some[i])
    }
    return all
  }

  get isGuarded(): boolean {
    return this.#guard !== undefined
  }

  /** True if `tests` is equivalent to the conditions: a row that passes all of them matches. */
  get isDecidedByTests(): boolean {
    return this.#predicates.every((predicate) => predicate.isDecidedByTests === true)
  }

  /** Tests of single fields. Every matching row passes all of them. */
  get tests(): readonly NamedTest[] {
    return (this.#tests ??= this.#predicates.flatMap((predicate) => predicate.tests ?? []))
  }

  /** Returns a bitmap of the matching rows in a range. */
  mask({ segment, from, to }: SegmentRange): Bitmap {
    const mask = createBitmap(segment.rowCount)
    setRange(mask, from, to)
    this.narrow(segment, mask, to - from)
    return mask
  }

  /** Clears the bits in `mask` of rows that do not match. `rowCount` is the number of bits that are set on entry. */
  narrow(segment: Segment, mask: Bitmap, rowCount: number): void {
    this.countRows(rowCount)
    this.#lookAhead(segment)
    const frame = segmentFrame(segment)
    this.#guard?.narrow(frame, mask)
    for (const predicate of this.#predicates) {
      if (this.#guard !== undefined && isEmptyMask(mask)) break
      predicate.narrow(frame, mask)
    }
    this.context.compiler.counters.take((name, amount) => this.measure.count(name, amount))
  }

  slice(range: SegmentRange): Slice {
    const { segment, from, to } = range
    const frame = this.frame(segment)
    if (this.isPlain) {
      this.countRows(to - from)
      return { segment, frame, from, to, rows: undefined, length: to - from }
    }
    const rows = this.isNone(range) ? NO_ROWS : rowsOfBitmap(this.mask(range))
    if (rows.length === to - from) return { segment, frame, from, to, rows: undefined, length: rows.length }
    return { segment, frame, from, to, rows, length: rows.length }
  }

  /** Returns a frame of the segment with the columns that the scan returns; all columns if the scan names none. */
  frame(segment: Segment): Frame {
    const whole = segmentFrame(segment)
    const { columns } = this.node
    if (columns === undefined) return whole
    const chosen = new Map<string, Column>()
    for (const name of columns) if (whole.has(name)) chosen.set(name, whole.column(name))
    return new Frame(whole.rowCount, chosen, whole.identity, segment)
  }

  /**
   * Prefetches the values of these rows from files, column by column. Returns whether some are not in memory yet, so
   * that the caller can do other work first.
   */
  rowsAhead(segment: Segment, rows: Uint32Array): boolean {
    if (segment.followedBy === undefined) return false
    let isAhead = false
    try {
      for (const name of this.node.columns ?? segment.columns.keys()) {
        if (segment.columns.get(name)?.rowsAhead?.(rows) === true) isAhead = true
      }
    } catch (error) {
      throwUnlessDamage(error)
    }
    return isAhead
  }

  /**
   * Counts rows towards the query's limit of rows read. Rows of a guarded scan are counted by `#countVisible` instead.
   * Throws `budget/rows` if the limit is exceeded.
   */
  countRows(rowCount: number): void {
    if (this.#guard === undefined) this.context.query.budget.scanned(rowCount)
    this.measure.count('rowsScanned', rowCount)
  }
}
