import { SluiceError, budgetDiagnostic, work, checkpoint, type Budget } from '../../../base/index.ts'
import { encodeText, toText, valueAt, valueTag, type Column, type Dictionary } from '../../../data/index.ts'
import type { Join } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import type { Narrowing } from '../operator.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import { mostPairsOf } from './counted-rows.ts'

/** Rows of each side that are looked at first, and segments that they lie in. */
const SAMPLE_ROWS = 4096
const SAMPLE_SEGMENTS = 8
/** Longer keys are not held. */
const KEPT_CHARS = 256
/** Keys that are counted: what they are in stands in a byte. */
const MOST_KEYS = 64
/** More columns make more combinations than are worth a count. */
const MOST_COLUMNS = 2
/** What a value costs that is read, and a code, in units of `work`. */
const VALUE_WORK = 4
const CODES_A_LOOK = 4096

/** What keeps texts of a key apart. */
const BETWEEN = '\u0000'

/** Some ranges, and every how many rows one is looked at. */
function chosenOf(ranges: readonly SegmentRange[]): readonly [chosen: readonly SegmentRange[], share: number] {
  const step = Math.max(1, Math.floor(ranges.length / SAMPLE_SEGMENTS))
  const chosen = ranges.filter((_, index) => index % step === 0)
  const chosenRows = chosen.reduce((sum, { from, to }) => sum + to - from, 0)
  return [chosen, Math.max(1, chosenRows / SAMPLE_ROWS)]
}

/** More rows than any key has, as far as the codes of those that `sampledKeys` would read tell; `Infinity` where there are others than texts of one dictionary. */
function mostRowsOfKey(
  { frame, rowBound }: Narrowing,
  ranges: readonly SegmentRange[],
  names: readonly string[],
): number {
  const [chosen, share] = chosenOf(ranges)
  let least = Infinity
  for (const name of names) {
    const counts = new Map<number, number>()
    let dictionary: Dictionary | undefined
    let most = 0
    let count = 0
    for (const { segment, from, to } of chosen) {
      const column = frame(segment).column(name)
      if (column.kind !== 'dictionary' || !column.dictionary.isAllText) return Infinity
      if ((dictionary ??= column.dictionary) !== column.dictionary) return Infinity
      const { codes } = column
      for (let at = from; at < to; at += share) {
        work(1)
        const code = codes[Math.floor(at)]
        const seen = (counts.get(code) ?? 0) + 1
        counts.set(code, seen)
        if (seen > most) most = seen
        count++
      }
      checkpoint()
    }
    // What is missing and '' have two codes and are one key.
    if (count > 0) least = Math.min(least, (2 * most * rowBound) / count)
  }
  return least
}

/** About how many rows have each of the keys that some rows have. */
function sampledKeys(
  { frame, rowBound }: Narrowing,
  ranges: readonly SegmentRange[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const [chosen, share] = chosenOf(ranges)
  let count = 0
  for (const { segment, from, to } of chosen) {
    const columns = names.map((name) => frame(segment).column(name))
    for (let at = from; at < to; at += share) {
      work(VALUE_WORK * columns.length)
      const row = Math.floor(at)
      const key = columns.map((column) => toText(valueAt(column, row))).join(BETWEEN)
      count++
      if (key.length <= KEPT_CHARS) found.set(key, (found.get(key) ?? 0) + 1)
    }
    checkpoint()
  }
  const rowsEach = count === 0 ? 0 : rowBound / count
  return new Map(Array.from(found, ([key, seen]) => [key, seen * rowsEach]))
}

/** The keys that most pairs have, as far as rows of both sides tell; none when the pairs of all seem to be few. */
function commonKeys(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>, most: number): string[] {
  const pairs = Array.from(left, ([key, rows]) => ({ key, pairs: rows * (right.get(key) ?? 0) }))
  if (pairs.reduce((sum, each) => sum + each.pairs, 0) < most) return []
  const common = pairs.filter((each) => each.pairs > 0).toSorted((a, b) => b.pairs - a.pairs)
  return common.slice(0, MOST_KEYS).map(({ key }) => key)
}

/** Texts of one column of a key: from 1 on the place of those that are looked for, 0 for all others. */
class WantedTexts {
  readonly #places: ReadonlyMap<string, number>
  readonly #byCode = new Map<Dictionary, Uint8Array>()
  readonly #charge: Charge

  constructor(texts: Iterable<string>, budget: Budget) {
    this.#places = new Map(Array.from(new Set(texts), (text, place) => [text, place + 1]))
    this.#charge = new Charge(budget)
  }

  get size(): number {
    return this.#places.size
  }

  /** Adds `stride` times the place of each row's text; entries of a dictionary that are no texts may count as others. */
  add(column: Column, from: number, into: Uint32Array, stride: number): void {
    if (column.kind === 'dictionary') {
      const { codes, dictionary } = column
      const places = this.#codesOf(dictionary)
      for (let i = 0; i < into.length; i++) {
        if (i % CODES_A_LOOK === 0) work(CODES_A_LOOK >>> 5)
        into[i] += stride * places[codes[from + i]]
      }
      return
    }
    for (let i = 0; i < into.length; i++) {
      work(VALUE_WORK)
      into[i] += stride * (this.#places.get(toText(valueAt(column, from + i))) ?? 0)
    }
  }

  #codesOf(dictionary: Dictionary): Uint8Array {
    let places = this.#byCode.get(dictionary)
    if (places !== undefined) return places
    this.#charge.charge(dictionary.size)
    places = new Uint8Array(dictionary.size)
    for (const [text, place] of this.#places) {
      const bytes = encodeText(text)
      const code = dictionary.codeOfText(bytes, 0, bytes.length)
      // What is missing is one key with `''`.
      if (text === '') places[0] = place
      if (code !== 0 && dictionary.tags[code] === valueTag.text) places[code] = place
    }
    this.#byCode.set(dictionary, places)
    return places
  }

  release(): void {
    this.#charge.release()
  }
}

/** Rows of one side by the places of their texts. */
class SideCounts {
  readonly counts: Float64Array
  readonly #narrowing: Narrowing
  readonly #names: readonly string[]
  readonly #wanted: readonly WantedTexts[]
  readonly #strides: readonly number[]

  constructor(narrowing: Narrowing, names: readonly string[], wanted: readonly WantedTexts[]) {
    this.#narrowing = narrowing
    this.#names = names
    this.#wanted = wanted
    let size = 1
    this.#strides = wanted.map((texts) => {
      const stride = size
      size *= texts.size + 1
      return stride
    })
    this.counts = new Float64Array(size)
  }

  add({ segment, from, to }: SegmentRange): void {
    const frame = this.#narrowing.frame(segment)
    const keys = new Uint32Array(to - from)
    this.#wanted.forEach((texts, i) => texts.add(frame.column(this.#names[i]), from, keys, this.#strides[i]))
    for (const key of keys) this.counts[key]++
  }

  /** Whether every column has a text that is looked for. */
  isWhole(key: number): boolean {
    return this.#wanted.every(({ size }, i) => Math.floor(key / this.#strides[i]) % (size + 1) !== 0)
  }
}

/**
 * Ends a join of two whole scans that makes more pairs than there is time for, before a key is numbered: some rows of both
 * sides tell which keys many have, and the rows with those are counted. Throws `budget/pairs`; what it does not find may still be too many.
 */
export function refuseKnownPairs(node: Join, left: Narrowing, right: Narrowing, budget: Budget): void {
  const rowPairs = left.rowBound * right.rowBound
  const most = mostPairsOf(budget)
  if (!left.isExact || !right.isExact || rowPairs <= most) return
  const refuse = (pairs: number): never => {
    const { timeoutMs } = budget.limits
    throw new SluiceError([
      budgetDiagnostic('pairs', { pairs, timeoutMs, areCounted: pairs === rowPairs }, node.origin),
    ])
  }
  if (node.type === 'cross') refuse(rowPairs)
  if (node.on.length === 0 || node.on.length > MOST_COLUMNS) return
  const sides = [
    { of: left, names: node.on.map((pair) => pair.left), ranges: left.source.ranges() },
    { of: right, names: node.on.map((pair) => pair.right), ranges: right.source.ranges() },
  ] as const
  for (const [index, { of, names, ranges }] of sides.entries()) {
    const others = index === 0 ? right : left
    if (mostRowsOfKey(of, ranges, names) * others.rowBound < most) return
  }
  const [leftSample, rightSample] = [
    sampledKeys(left, sides[0].ranges, sides[0].names),
    sampledKeys(right, sides[1].ranges, sides[1].names),
  ]
  const keys = commonKeys(leftSample, rightSample, most).map((key) => key.split(BETWEEN))
  const isClear = keys.every((texts) => texts.length === node.on.length)
  if (keys.length === 0 || !isClear) return
  const wanted = node.on.map(
    (_, i) =>
      new WantedTexts(
        keys.map((texts) => texts[i]),
        budget,
      ),
  )
  try {
    const counted = sides.map(({ of, names }) => new SideCounts(of, names, wanted)) as [SideCounts, SideCounts]
    const [leftCounts, rightCounts] = counted
    for (let i = 0; i < Math.max(sides[0].ranges.length, sides[1].ranges.length); i++) {
      for (const [side, { ranges }] of sides.entries()) {
        const range = ranges[i]
        if (range === undefined) continue
        counted[side].add(range)
        checkpoint()
      }
      let pairs = 0
      leftCounts.counts.forEach((rows, key) => {
        if (rows > 0 && leftCounts.isWhole(key)) pairs += rows * rightCounts.counts[key]
      })
      if (pairs > most) refuse(pairs)
    }
  } finally {
    for (const texts of wanted) texts.release()
  }
}
