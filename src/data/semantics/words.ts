import { BYTES_PER_CHECKPOINT, codePointAt, work } from '../../base/index.ts'
import { wordRuns } from './word-table.ts'

let table: Uint8Array | undefined

function build(): Uint8Array {
  const bits = new Uint8Array(0x110000 / 8)
  let next = 0
  for (const run of wordRuns.split(' ')) {
    const dot = run.indexOf('.')
    next += Number.parseInt(dot === -1 ? run : run.slice(0, dot), 36)
    const end = next + (dot === -1 ? 0 : Number.parseInt(run.slice(dot + 1), 36))
    for (; next <= end; next++) bits[next >> 3] = (bits[next >> 3] ?? 0) | (1 << (next & 7))
  }
  table = bits
  return bits
}

/** Returns whether a code point is a letter, decimal digit or `_`, by Sluice's own table. */
export function isWordCodePoint(code: number): boolean {
  if (code < 0x80) {
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95
  }
  const bits = table ?? build()
  return (((bits[code >> 3] ?? 0) >> (code & 7)) & 1) === 1
}

/** True if the code point that starts at `index` is a word character; false at the end of the text. */
export function isWordAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 0x80) return isWordCodePoint(unit)
  const code = codePointAt(text, index)
  return code !== undefined && isWordCodePoint(code)
}

/** True if the code point that ends right before `index` is a word character; false at the start of the text. */
export function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false
  const unit = text.charCodeAt(index - 1)
  if (unit < 0x80) return isWordCodePoint(unit)
  if (unit >= 0xdc00 && unit <= 0xdfff && index >= 2) {
    const code = codePointAt(text, index - 2) ?? unit
    return isWordCodePoint(code > 0xffff ? code : unit)
  }
  return isWordCodePoint(unit)
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Returns whether a string has characters of a script that is written without blanks between words. A run of word
 * characters can then contain several words.
 */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/** Returns the maximal runs of word characters, in order and unchanged. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  forEachWord(text, (word) => void words.push(word))
  return words
}

/** Calls `take` for each word of a string, without holding all of them in memory. */
export function forEachWord(text: string, take: (word: string) => void): void {
  let start = -1
  let checkpointAt = BYTES_PER_CHECKPOINT
  for (let i = 0; i < text.length;) {
    if (i >= checkpointAt) {
      work(BYTES_PER_CHECKPOINT >>> 2)
      checkpointAt = i + BYTES_PER_CHECKPOINT
    }
    const unit = text.charCodeAt(i)
    const code = unit >= 0xd800 && unit <= 0xdbff ? (codePointAt(text, i) ?? unit) : unit
    if (isWordCodePoint(code)) {
      if (start === -1) start = i
    } else if (start !== -1) {
      take(text.slice(start, i))
      start = -1
    }
    i += code > 0xffff ? 2 : 1
  }
  if (start !== -1) take(text.slice(start))
}
