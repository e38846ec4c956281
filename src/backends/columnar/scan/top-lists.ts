import { work } from '../../../base/index.ts'
import type { DictionaryColumn } from '../../../data/index.ts'
import { listsAllRows, type Segment, type StoredColumn } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import { byPlace, type Contender } from './top-contenders.ts'

/** Rows that are looked at in one step. */
const ROWS_AT_ONCE = 4096

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
 * The first `keep` rows of a scan by one numeric field from what segments list of their highest and lowest numbers: the
 * lists are merged, best first, until enough rows pass. Gives up where a list ends too early.
 */
export class TopLists {
  readonly #keep: number
  readonly #sign: 1 | -1
  readonly #source: ScanSource
  readonly #lists: readonly List[]
  /** Numbers of lists, the one with the best next number first, and those numbers: a heap. */
  readonly #heap: Uint32Array
  readonly #bests: Float64Array
  #size = 0
  /** Best first. */
  readonly #contenders: Contender[] = []
  #isIncomplete = false

  private constructor(source: ScanSource, lists: readonly List[], sign: 1 | -1, keep: number) {
    this.#source = source
    this.#keep = keep
    this.#sign = sign
    this.#lists = lists
    this.#heap = new Uint32Array(lists.length)
    this.#bests = new Float64Array(lists.length)
    for (let i = 0; i < lists.length; i++) {
      const { numbers, tests } = lists[i]
      if (numbers.length === 0 || tests === undefined) continue
      this.#bests[i] = numbers[0] * sign
      this.#heap[this.#size++] = i
    }
    for (let at = (this.#size >>> 1) - 1; at >= 0; at--) this.#sink(at)
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
    let looked = 0
    let isDone = this.#isDone()
    while (!isDone && looked < ROWS_AT_ONCE) {
      this.#takeBest()
      looked++
      isDone = this.#isDone()
    }
    work(looked)
    this.#source.look(looked)
    return isDone
  }

  #isDone(): boolean {
    if (this.#size === 0 || this.#isIncomplete) return true
    const last = this.#contenders.at(this.#keep - 1)
    return this.#contenders.length >= this.#keep && last !== undefined && this.#bests[this.#heap[0]] < last.value
  }

  #takeBest(): void {
    const number = this.#heap[0]
    const list = this.#lists[number]
    const { rows, numbers, range, tests, floor } = list
    const value = this.#bests[number]
    if (value <= floor) {
      this.#isIncomplete = true
      return
    }
    const row = rows[list.next++]
    if (row >= range.from && row < range.to && passes(tests ?? [], row)) {
      this.#contenders.push({ segment: range.segment, row, value })
    }
    if (list.next < rows.length) this.#bests[number] = numbers[list.next] * this.#sign
    else this.#heap[0] = this.#heap[--this.#size]
    this.#sink(0)
  }

  /** Puts a list that has become worse behind the better ones. */
  #sink(from: number): void {
    const heap = this.#heap
    const bests = this.#bests
    const size = this.#size
    const number = heap[from]
    const value = bests[number]
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      if (child + 1 < size && bests[heap[child + 1]] > bests[heap[child]]) child++
      if (bests[heap[child]] <= value) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = number
  }

  /** The rows found, best first, then newest first, ties of the last one included; `undefined` when the lists ended too early. */
  rows(): readonly Contender[] | undefined {
    if (this.#isIncomplete || this.#contenders.length < this.#keep) return undefined
    return this.#contenders.sort(byPlace)
  }
}

function passes(tests: readonly CodeTest[], row: number): boolean {
  for (const { column, passes: passing } of tests) if (passing[column.codes[row]] === 0) return false
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
