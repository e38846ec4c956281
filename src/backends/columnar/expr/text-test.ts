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
import type { Counters } from './counters.ts'
import { narrowRows } from './mask.ts'
import { needleOfTest, type TestNeedle } from './needle.ts'
import { safeRegexp } from './safe-regexp.ts'
import { byteMatcher, type ByteMatcher } from './text-matcher.ts'

/** Whole segments are scanned when at least one row in so many is in question, and there are enough rows. */
const SCAN_ONE_IN = 16
const SCAN_ROWS = 1024

/** A test over a column of UTF-8 texts: on bytes where they are ASCII, on the decoded text elsewhere. */
export class TextTest {
  readonly #onText: TextPredicate
  readonly #matches: ByteMatcher
  readonly #needle: TestNeedle | undefined
  readonly #holdsForMissing: boolean
  readonly #counters: Counters

  constructor(test: ValueTest, holdsForMissing: boolean, counters: Counters) {
    this.#counters = counters
    this.#onText = compileTextTest(test)
    this.#needle = needleOfTest(test)
    this.#matches = byteMatcher(test) ?? regexpMatcher(test, this.#onText)
    this.#holdsForMissing = holdsForMissing
  }

  narrow(column: TextColumn, mask: Bitmap): void {
    const needle = this.#needle
    if (needle !== undefined && this.#isWorthScanning(column, mask)) {
      this.#scan(column, needle, mask)
      if (needle.isDecisive) return
    }
    const { bytes, offsets, validity, wide } = column
    const matches = this.#matches
    const counters = this.#counters
    narrowRows(mask, (row) => {
      const start = offsets[row]
      const end = offsets[row + 1]
      counters.bytesTouched += end - start
      if (wide !== undefined && hasBit(wide, row)) return this.#onText(decodeText(bytes, start, end))
      if (start === end && validity !== undefined && !hasBit(validity, row)) return this.#holdsForMissing
      return matches(bytes, start, end)
    })
  }

  #isWorthScanning(column: TextColumn, mask: Bitmap): boolean {
    if (column.length < SCAN_ROWS || this.#needle === undefined) return false
    return canScan(this.#needle.needle, column.bytes.length) && countBits(mask) * SCAN_ONE_IN >= column.length
  }

  /** Clears ASCII rows without the needle; of wide rows only those that pass stay. */
  #scan(column: TextColumn, { needle }: TestNeedle, mask: Bitmap): void {
    const first = mask.findIndex((word) => word !== 0)
    const last = mask.findLastIndex((word) => word !== 0)
    const from = first << 5
    const to = Math.min(column.length, (last + 1) << 5)
    const { bytes, offsets, wide } = column
    this.#counters.bytesTouched += offsets[to] - offsets[from]
    const found = rowsWithLiteral(needle, bytes, offsets, from, to)
    for (let i = first; i <= last; i++) {
      const open = wide === undefined ? 0 : mask[i] & wide[i]
      mask[i] &= found[i - first] & (wide === undefined ? -1 : ~wide[i])
      for (let word = open; word !== 0; word &= word - 1) {
        const row = (i << 5) + 31 - Math.clz32(word & -word)
        if (this.#onText(decodeText(bytes, offsets[row], offsets[row + 1]))) setBit(mask, row)
      }
    }
  }
}

/** Regular expressions run on the runtime's engine where that is the same and cannot run away. */
function regexpMatcher(test: ValueTest, onText: TextPredicate): ByteMatcher {
  const safe = test.kind === 'regexp' ? safeRegexp(test.pattern, test.isFolded) : undefined
  if (safe === undefined) return (bytes, start, end) => onText(latin1(bytes, start, end))
  const { regexp, maxLength } = safe
  return (bytes, start, end) => {
    const text = latin1(bytes, start, end)
    return text.length <= maxLength ? regexp.test(text) : onText(text)
  }
}
