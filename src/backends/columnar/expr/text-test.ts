import { work, type Bytes } from '../../../base/index.ts'
import {
  compileTextTest,
  countBits,
  decodeText,
  hasBit,
  latin1,
  setBit,
  type Bitmap,
  type TextColumn,
  type TextPredicate,
  type ValueTest,
} from '../../../data/index.ts'
import { canScan, rowsWithLiteral } from '../kernels/literal-scan.ts'
import { FEW_ROWS_ONE_IN } from '../tuning.ts'
import type { Counters } from './counters.ts'
import { narrowRows, wordsInUse } from './mask.ts'
import { needleOfTest, type TestNeedle } from './needle.ts'
import { rowsMatching } from './regexp-scan.ts'
import { safeRegexp, type SafeRegexp } from './safe-regexp.ts'
import { byteMatcher, type ByteMatcher } from './text-matcher.ts'

/** A test of a column of UTF-8 strings. ASCII strings are tested as bytes, others are decoded first. */
export class TextTest {
  readonly #onText: TextPredicate
  readonly #matches: ByteMatcher
  readonly #needle: TestNeedle | undefined
  /** The regular expression that searches many rows as one string; `undefined` if the test has none. */
  readonly #regexp: RegExp | undefined
  readonly #holdsForMissing: boolean
  readonly #counters: Counters

  constructor(test: ValueTest, holdsForMissing: boolean, counters: Counters) {
    this.#counters = counters
    this.#onText = compileTextTest(test)
    this.#needle = needleOfTest(test)
    const safe = test.kind === 'regexp' ? safeRegexp(test.pattern, test.isFolded) : undefined
    this.#regexp = safe?.isLocal === true ? safe.regexp : undefined
    this.#matches = byteMatcher(test) ?? regexpMatcher(safe, this.#onText)
    this.#holdsForMissing = holdsForMissing
  }

  narrow(column: TextColumn, mask: Bitmap): void {
    const needle = this.#needle
    const byteLength = column.reader?.byteLength ?? column.bytes.length
    if (needle !== undefined && canScan(needle.needle, byteLength) && isWorthScanning(mask)) {
      this.#scan(column, mask, (from, to) => rowsWithLiteral(needle.needle, column.bytes, column.offsets, from, to))
      if (needle.isDecisive) return
    }
    const regexp = this.#regexp
    if (regexp !== undefined && isWorthScanning(mask)) {
      this.#scan(column, mask, (from, to) => rowsMatching(regexp, column, from, to))
      return
    }
    const { reader } = column
    if (reader === undefined) this.#narrowWhole(column, mask)
    else
      narrowRows(mask, (row) => {
        const { bytes, start, end } = reader.at(row)
        return this.#holdsAt(column, row, bytes, start, end)
      })
  }

  /**
   * Tests the remaining rows of a column whose bytes are all in one buffer. Has its own loop, since a function call for
   * each row would take as long as the test.
   */
  #narrowWhole(column: TextColumn, mask: Bitmap): void {
    const { bytes, offsets } = column
    for (let i = 0; i < mask.length; i++) {
      for (let word = mask[i]; word !== 0; word &= word - 1) {
        const row = (i << 5) + 31 - Math.clz32(word & -word)
        if (!this.#holdsAt(column, row, bytes, offsets[row], offsets[row + 1])) mask[i] ^= 1 << (row & 31)
      }
    }
  }

  #holdsAt({ validity, wide }: TextColumn, row: number, bytes: Bytes, start: number, end: number): boolean {
    this.#counters.bytesTouched += end - start
    work((end - start) >>> 4)
    if (wide !== undefined && hasBit(wide, row)) return this.#onText(decodeText(bytes, start, end))
    if (start === end && validity !== undefined && !hasBit(validity, row)) return this.#holdsForMissing
    return this.#matches(bytes, start, end)
  }

  /**
   * Clears the rows that do not match: ASCII rows by `scan`, which searches many rows at once, other rows one by one.
   */
  #scan(column: TextColumn, mask: Bitmap, scan: (from: number, to: number) => Bitmap): void {
    const { first, end } = wordsInUse(mask)
    const from = first << 5
    const to = Math.min(column.length, end << 5)
    const { bytes, offsets, wide } = column
    this.#counters.bytesTouched += offsets[to] - offsets[from]
    work((offsets[to] - offsets[from]) >>> 8)
    const found = scan(from, to)
    for (let i = first; i < end; i++) {
      const open = wide === undefined ? 0 : mask[i] & wide[i]
      mask[i] &= found[i - first] & (wide === undefined ? -1 : ~wide[i])
      for (let word = open; word !== 0; word &= word - 1) {
        const row = (i << 5) + 31 - Math.clz32(word & -word)
        if (this.#onText(decodeText(bytes, offsets[row], offsets[row + 1]))) setBit(mask, row)
      }
    }
  }
}

/**
 * True if a large share of the rows between the first and the last remaining row remains. Then it is faster to search
 * all rows between these two.
 */
function isWorthScanning(mask: Bitmap): boolean {
  const { first, end } = wordsInUse(mask)
  const rows = (end - first) << 5
  return rows > 0 && countBits(mask) * FEW_ROWS_ONE_IN > rows
}

/**
 * Returns a matcher for a regular expression. The matcher uses the JavaScript engine if `safe` is given and the string
 * is short enough, else `onText`.
 */
function regexpMatcher(safe: SafeRegexp | undefined, onText: TextPredicate): ByteMatcher {
  if (safe === undefined) return (bytes, start, end) => onText(latin1(bytes, start, end))
  const { regexp, maxLength } = safe
  return (bytes, start, end) => {
    const text = latin1(bytes, start, end)
    work(text.length >>> 3)
    return text.length <= maxLength ? regexp.test(text) : onText(text)
  }
}
