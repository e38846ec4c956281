import { work } from '../../../base/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import { mergedLists, type MergedLists } from './merged-lists.ts'
import { byPosition, type TopCandidate } from './top-candidates.ts'

/** A condition on a dictionary field, tested by codes. */
interface CodeTest {
  readonly name: string
  /**
   * For each segment, by index: an array with 1 for each code that passes. Computed when the segment's first row is
   * tested.
   */
  readonly passes: (Uint8Array | undefined)[]
  readonly passesOf: (range: SegmentRange) => Uint8Array
}

/**
 * Finds the first `keep` rows of a scan by one numeric field. Reads the segments' lists of highest or lowest numbers,
 * best first, until enough rows match. Fails if the lists end before that.
 */
export class TopLists {
  readonly #keep: number
  readonly #source: ScanSource
  readonly #merged: MergedLists
  readonly #tests: readonly CodeTest[]
  /** The matching rows so far, best first. */
  readonly #topCandidates: TopCandidate[] = []
  /** The number of chunks of the merged lists that were read. */
  #chunks = 0

  private constructor(source: ScanSource, merged: MergedLists, tests: readonly CodeTest[], keep: number) {
    this.#source = source
    this.#merged = merged
    this.#tests = tests
    this.#keep = keep
  }

  /**
   * Returns the search, or `undefined` if a segment lacks a list of extreme numbers or a condition depends on more than
   * dictionary codes.
   */
  static of(source: ScanSource, name: string, direction: 'asc' | 'desc', keep: number): TopLists | undefined {
    if (source.isGuarded || !(source.isPlain || source.isDecidedByTests) || keep === 0) return undefined
    const merged = mergedLists(source.segments, source.ranges(), name, direction === 'desc' ? 1 : -1)
    if (merged === undefined || merged.rowCount < keep) return undefined
    const tests = testsOf(source)
    return tests && new TopLists(source, merged, tests, keep)
  }

  /**
   * Reads the next chunk of listed rows. Returns true if no later row can be in the result, or if the lists have ended.
   */
  step(): boolean {
    const number = this.#chunks++
    const chunk = this.#merged.chunk(number)
    if (chunk === undefined) return true
    const { rangeIndexes, rows, values } = chunk
    const ranges = this.#source.ranges()
    const codes = this.#tests.map(({ name }) => this.#merged.codes(number, name))
    let i = 0
    for (; i < rows.length && !this.#isEnough(values[i]); i++) {
      const rangeIndex = rangeIndexes[i]
      if (this.#passes(codes, i, rangeIndex))
        this.#topCandidates.push({ segment: ranges[rangeIndex].segment, row: rows[i], value: values[i] })
    }
    work(i)
    this.#source.countRows(i)
    return this.#topCandidates.length >= this.#keep
  }

  /** True if `keep` rows are held and all of them are better than a row with this value. */
  #isEnough(value: number): boolean {
    const found = this.#topCandidates
    return found.length >= this.#keep && value < found[found.length - 1].value
  }

  #passes(codes: readonly Uint32Array[], i: number, rangeIndex: number): boolean {
    for (let t = 0; t < codes.length; t++) {
      const { passes, passesOf } = this.#tests[t]
      const passing = (passes[rangeIndex] ??= passesOf(this.#source.ranges()[rangeIndex]))
      if (passing[codes[t][i]] === 0) return false
    }
    return true
  }

  /**
   * Returns the first rows, best first, newest first among ties, including all rows that tie with the last one.
   * `undefined` if the lists ended too early.
   */
  rows(): readonly TopCandidate[] | undefined {
    return this.#topCandidates.length < this.#keep ? undefined : this.#topCandidates.sort(byPosition)
  }
}

/**
 * Returns the conditions of a scan as tests of codes. `undefined` if a segment stores a tested field without a
 * dictionary.
 */
function testsOf(source: ScanSource): readonly CodeTest[] | undefined {
  const tests: CodeTest[] = []
  for (const { name, test } of source.tests) {
    for (const { segment } of source.ranges()) {
      const column = segment.columns.get(name)?.column
      if (column !== undefined && column.kind !== 'dictionary') return undefined
    }
    const ofMissing = Uint8Array.of(test.holdsForMissing ? 1 : 0)
    const passesOf = ({ segment }: SegmentRange): Uint8Array => {
      const column = segment.columns.get(name)?.column
      return column?.kind === 'dictionary' ? test.codes(column.dictionary).passes : ofMissing
    }
    tests.push({ name, passes: [], passesOf })
  }
  return tests
}
