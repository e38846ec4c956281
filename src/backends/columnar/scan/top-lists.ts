import { work } from '../../../base/index.ts'
import type { DictionaryColumn } from '../../../data/index.ts'
import { listsAllRows, type Segment, type StoredColumn } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import { byPlace, type Contender } from './top-contenders.ts'

/** About so many rows are looked at in one step. */
const ROWS_AT_ONCE = 4096
/** How many times the rows wanted are looked at first. */
const FIRST_LOOK = 2
/** At most so many times the rows before are looked at next: few rows tell little of how many pass. */
const MOST_GROWTH = 4

/** Which codes of a column pass a test. */
interface CodeTest {
  readonly column: DictionaryColumn
  readonly passes: Uint8Array
}

/** The rows that one segment lists, best first, and how far they have been looked at. */
interface List {
  readonly range: SegmentRange
  readonly rows: Uint16Array
  readonly numbers: Float64Array
  /** Where rows of numbers no better than this may be missing from the list. */
  readonly floor: number
  /** `undefined` when no row passes. */
  readonly tests: readonly CodeTest[] | undefined
  next: number
}

/**
 * The first `keep` rows of a scan by one numeric field from what segments list of their highest and lowest numbers: rows down
 * to a bound are taken from every list, and the bound is lowered until enough rows pass. Gives up where a list ends too early.
 */
export class TopLists {
  readonly #keep: number
  readonly #sign: 1 | -1
  readonly #source: ScanSource
  /** Those with rows left. */
  #lists: readonly List[]
  /** Rows of numbers no better than this may be missing from a list. */
  readonly #floor: number
  /** All listed rows that pass, down to some bound. */
  #contenders: Contender[] = []
  #looked = 0
  #isIncomplete = false

  private constructor(source: ScanSource, lists: readonly List[], sign: 1 | -1, keep: number) {
    this.#source = source
    this.#keep = keep
    this.#sign = sign
    this.#lists = lists.filter(({ rows, tests }) => rows.length > 0 && tests !== undefined)
    this.#floor = this.#lists.reduce((best, { floor }) => Math.max(best, floor), -Infinity)
  }

  /** `undefined` when not every segment lists rows, or something else than codes decides which rows pass. */
  static of(source: ScanSource, name: string, direction: 'asc' | 'desc', keep: number): TopLists | undefined {
    if (source.isGuarded || !(source.isPlain || source.isDecidedByTests) || keep === 0) return undefined
    const sign = direction === 'desc' ? 1 : -1
    const lists: List[] = []
    let listed = 0
    for (const range of source.ranges()) {
      const { columns } = range.segment
      const stored = columns.get(name)
      if (stored === undefined) continue
      const list = listOf(source, range, stored, sign)
      if (list === undefined) return undefined
      lists.push(list)
      listed += list.rows.length
    }
    return listed < keep ? undefined : new TopLists(source, lists, sign, keep)
  }

  /** Looks at some rows; true when no other can matter. */
  step(): boolean {
    const looked = this.#takeDownTo(this.#boundFor(this.#wantedRows()))
    this.#looked += looked
    work(looked)
    this.#source.look(looked)
    if (this.#contenders.length >= this.#keep || this.#lists.length === 0) return true
    // What is left of the lists does not come before rows that may be missing from one.
    this.#isIncomplete = looked === 0
    return this.#isIncomplete
  }

  /** How many rows to look at next, as far as those before tell how many of them pass. */
  #wantedRows(): number {
    const looked = this.#looked
    if (looked === 0) return this.#source.isPlain ? this.#keep : this.#keep * FIRST_LOOK
    const passed = this.#contenders.length
    const wanted = passed === 0 ? Infinity : ((this.#keep - passed) * looked * 1.1) / passed
    return Math.min(wanted, looked * MOST_GROWTH, ROWS_AT_ONCE)
  }

  /** A number that about so many rows of the lists come before. */
  #boundFor(wantedRows: number): number {
    const lists = this.#lists
    const ahead = Math.ceil(wantedRows / Math.max(1, lists.length))
    const bounds = new Float64Array(lists.length)
    for (let i = 0; i < lists.length; i++) {
      const { numbers, next } = lists[i]
      bounds[i] = numbers[Math.min(next + ahead, numbers.length) - 1] * this.#sign
    }
    return bounds.sort()[bounds.length >>> 1] ?? -Infinity
  }

  /** Takes the rows of numbers as good as `bound` or better, as far as none is missing, and says how many there were. */
  #takeDownTo(bound: number): number {
    const floor = this.#floor
    const sign = this.#sign
    let looked = 0
    let isEnded = false
    for (const list of this.#lists) {
      const { rows, numbers, range, tests = [] } = list
      const { from, to } = range
      const first = list.next
      let at = first
      for (; at < rows.length; at++) {
        const value = numbers[at] * sign
        if (value < bound || value <= floor) break
        const row = rows[at]
        if (row >= from && row < to && passes(tests, row)) this.#contenders.push({ segment: range.segment, row, value })
      }
      list.next = at
      looked += at - first
      isEnded ||= at === rows.length
    }
    if (isEnded) this.#lists = this.#lists.filter(({ rows, next }) => next < rows.length)
    return looked
  }

  /** The rows found, best first, then newest first, ties of the last one included; `undefined` when the lists ended too early. */
  rows(): readonly Contender[] | undefined {
    const found = this.#contenders
    if (this.#isIncomplete || found.length < this.#keep) return undefined
    const last = Float64Array.from(found, ({ value }) => value).sort()[found.length - this.#keep] ?? -Infinity
    return found.filter(({ value }) => value >= last).sort(byPlace)
  }
}

function passes(tests: readonly CodeTest[], row: number): boolean {
  for (let i = 0; i < tests.length; i++) {
    const { column, passes: passing } = tests[i]
    if (passing[column.codes[row]] === 0) return false
  }
  return true
}

function listOf(source: ScanSource, range: SegmentRange, stored: StoredColumn, sign: 1 | -1): List | undefined {
  const { column, tops } = stored
  if (tops === undefined || column.kind !== 'float64') return undefined
  const top = sign === 1 ? tops.highest : tops.lowest
  const { rows, numbers } = top
  const floor = listsAllRows(top) ? -Infinity : numbers[numbers.length - 1] * sign
  const tests = testsOf(source, range.segment)
  return tests === 'other' ? undefined : { range, rows, numbers, floor, tests, next: 0 }
}

function testsOf(source: ScanSource, segment: Segment): readonly CodeTest[] | undefined | 'other' {
  const tests: CodeTest[] = []
  for (const { name, test } of source.tests) {
    const column = segment.columns.get(name)?.column
    if (column === undefined) {
      if (!test.holdsForMissing) return undefined
    } else if (column.kind === 'dictionary') {
      tests.push({ column, passes: test.codes(column.dictionary).passes })
    } else return 'other'
  }
  return tests
}
