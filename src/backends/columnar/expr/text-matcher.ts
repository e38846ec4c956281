import type { Bytes } from '../../../base/index.ts'
import { fold, isWordCodePoint, type ValueTest } from '../../../data/index.ts'
import { wordByte } from '../../../store/index.ts'
import { LiteralSearch } from './literal-search.ts'

/** Returns whether the ASCII string in `bytes[start, end)` passes a test. */
export type ByteMatcher = (bytes: Bytes, start: number, end: number) => boolean

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false
  return true
}

/** Searches for a phrase that begins and ends at word boundaries. With `isPrefix`, the phrase may end inside a word. */
class PhraseSearch {
  readonly length: number
  readonly #search: LiteralSearch
  readonly #startsWord: boolean
  readonly #endsWord: boolean

  constructor(phrase: string, isFolded: boolean, isPrefix: boolean) {
    this.#search = new LiteralSearch(phrase, isFolded)
    this.length = this.#search.length
    this.#startsWord = isWordCodePoint(phrase.charCodeAt(0))
    this.#endsWord = !isPrefix && isWordCodePoint(phrase.charCodeAt(phrase.length - 1))
  }

  #isUncut(bytes: Bytes, rowStart: number, at: number, end: number): boolean {
    if (this.#startsWord && at > rowStart && wordByte[bytes[at - 1]] !== 0) return false
    const after = at + this.length
    return !(this.#endsWord && after < end && wordByte[bytes[after]] !== 0)
  }

  isAt(bytes: Bytes, rowStart: number, at: number, end: number): boolean {
    return at + this.length <= end && this.#search.isAt(bytes, at) && this.#isUncut(bytes, rowStart, at, end)
  }

  /**
   * Returns the first position at or after `from` where the phrase occurs in the row `[rowStart, end)`; -1 when there
   * is none.
   */
  find(bytes: Bytes, rowStart: number, from: number, end: number): number {
    for (let at = this.#search.find(bytes, from, end); at !== -1; at = this.#search.find(bytes, at + 1, end)) {
      if (this.#isUncut(bytes, rowStart, at, end)) return at
    }
    return -1
  }
}

/** Number of recent match positions that are remembered, each relative to the start of its row. */
const HINTS = 8

/**
 * Returns a matcher for a phrase. Rows of one template contain the phrase at a few fixed positions, so recent match
 * positions are tried before the whole row is searched.
 */
function phraseMatcher(phrase: string, isFolded: boolean, isPrefix: boolean): ByteMatcher {
  const search = new PhraseSearch(phrase, isFolded, isPrefix)
  const hints = new Uint32Array(HINTS)
  let next = 0
  return (bytes, start, end) => {
    for (let i = 0; i < HINTS; i++) if (search.isAt(bytes, start, start + hints[i], end)) return true
    const at = search.find(bytes, start, start, end)
    if (at === -1) return false
    hints[next++ % HINTS] = at - start
    return true
  }
}

function allOf(matchers: readonly ByteMatcher[]): ByteMatcher {
  return (bytes, start, end) => {
    for (const matches of matchers) if (!matches(bytes, start, end)) return false
    return true
  }
}

function anyOf(matchers: readonly ByteMatcher[]): ByteMatcher {
  return (bytes, start, end) => {
    for (const matches of matchers) if (matches(bytes, start, end)) return true
    return false
  }
}

/** Returns a matcher for several phrases that must occur in this order without overlap. */
function sequenceMatcher(phrases: readonly string[], isFolded: boolean): ByteMatcher {
  const parts = phrases.map((phrase) => new PhraseSearch(phrase, isFolded, false))
  return (bytes, start, end) => {
    let from = start
    for (const part of parts) {
      const at = part.find(bytes, start, from, end)
      if (at === -1) return false
      from = at + part.length
    }
    return true
  }
}

/**
 * Returns a matcher for a glob with these literal parts. Each inner part matches at its leftmost position: if any
 * placement matches, this one does.
 */
function globMatcher(parts: readonly string[], isFolded: boolean): ByteMatcher {
  const search = (text: string): LiteralSearch | undefined =>
    text === '' ? undefined : new LiteralSearch(text, isFolded)
  const first = search(parts[0])
  const last = search(parts[parts.length - 1])
  const middle = parts.slice(1, -1).flatMap((part) => search(part) ?? [])
  const fixed = (first?.length ?? 0) + (last?.length ?? 0)
  return (bytes, start, end) => {
    if (end - start < fixed) return false
    if (first !== undefined && !first.isAt(bytes, start)) return false
    if (last !== undefined && !last.isAt(bytes, end - last.length)) return false
    let from = start + (first?.length ?? 0)
    const to = end - (last?.length ?? 0)
    for (const part of middle) {
      const at = part.find(bytes, from, to)
      if (at === -1) return false
      from = at + part.length
    }
    return true
  }
}

/** Returns a matcher on bytes for tests that search literals; `undefined` for other tests. */
export function byteMatcher(test: ValueTest): ByteMatcher | undefined {
  const folded = (text: string): string => ('isFolded' in test && test.isFolded ? fold(text) : text)
  switch (test.kind) {
    case 'contains':
      return test.text === '' ? undefined : globOfAscii(['', folded(test.text), ''], test.isFolded)
    case 'starts-with':
      return test.text === '' ? undefined : globOfAscii([folded(test.text), ''], test.isFolded)
    case 'glob':
      return globOfAscii(test.parts.map(folded), test.isFolded)
    case 'phrase':
    case 'phrase-prefix': {
      const text = folded(test.text)
      if (text === '') return undefined
      return isAscii(text) ? phraseMatcher(text, test.isFolded, test.kind === 'phrase-prefix') : never
    }
    case 'sequence': {
      const phrases = test.phrases.map(folded).filter((phrase) => phrase !== '')
      return phrases.every(isAscii) ? sequenceMatcher(phrases, test.isFolded) : never
    }
    case 'contains-all':
    case 'contains-any': {
      const phrases = test.phrases.map(folded)
      if (phrases.includes('')) return undefined
      const matchers = phrases.map((phrase) => (isAscii(phrase) ? phraseMatcher(phrase, test.isFolded, false) : never))
      return test.kind === 'contains-all' ? allOf(matchers) : anyOf(matchers)
    }
    default:
      return undefined
  }
}

/** The matcher for phrases with non-ASCII characters, which no ASCII string contains. */
const never: ByteMatcher = () => false

function globOfAscii(parts: readonly string[], isFolded: boolean): ByteMatcher {
  return parts.every(isAscii) ? globMatcher(parts, isFolded) : never
}
