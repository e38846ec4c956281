import { isWordCodePoint } from '../../../data/index.ts'

/**
 * A JavaScript pattern that is safe for ASCII strings up to a maximum length: up to that length its backtracking is
 * limited.
 */
export interface SafeRegexp {
  readonly regexp: RegExp
  readonly maxLength: number
  /**
   * True if a match depends only on its own characters and has a maximum length, so that many strings can be searched
   * as one.
   */
  readonly isLocal: boolean
  /** True if `isLocal` holds and a match consists only of word characters. */
  readonly isInsideWord: boolean
}

/** Maximum number of ways in which a pattern may match at one position. */
const MAX_WAYS = 64
/**
 * Maximum string length for patterns with an unbounded repetition, whose search time may grow with the square of the
 * length.
 */
const MAX_SQUARE_LENGTH = 512
const MAX_LENGTH = 65_536

const MAX_COPIES = 32

const PLAIN = /[A-Za-z0-9_ !"#%&',/:;<=>@`~-]/
const ESCAPED = /[.*+?()[\]{}|^$\\/\-:"'!@#%&=<>,;~` ]/

class Unsafe extends Error {}

/**
 * Properties of a part of a pattern: the number of ways in which it can match, its number of unbounded repetitions, and
 * whether it matches exactly one character.
 */
interface PatternNode {
  /** True if the part contains anchors, which match positions instead of characters. */
  readonly hasAnchors: boolean
  readonly source: string
  readonly ways: number
  readonly unbounded: number
  readonly isSingle: boolean
}

class Reader {
  /** All distinct parts that match exactly one character. */
  readonly atoms = new Set<string>()
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  whole(): PatternNode {
    const node = this.#alternatives()
    if (this.#at < this.#pattern.length) throw new Unsafe()
    return node
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at)
  }

  #next(): string {
    return this.#pattern.charAt(this.#at++)
  }

  #alternatives(): PatternNode {
    const branches = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      branches.push(this.#sequence())
    }
    if (branches.length === 1) return branches[0]
    return {
      source: branches.map((branch) => branch.source).join('|'),
      hasAnchors: branches.some((branch) => branch.hasAnchors),
      ways: branches.reduce((sum, branch) => sum + branch.ways, 0),
      unbounded: branches.reduce((sum, branch) => sum + branch.unbounded, 0),
      isSingle: false,
    }
  }

  #sequence(): PatternNode {
    let source = ''
    let hasAnchors = false
    let ways = 1
    let unbounded = 0
    while (this.#at < this.#pattern.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const node = this.#repeated(this.#atom())
      source += node.source
      hasAnchors ||= node.hasAnchors
      ways *= node.ways
      unbounded += node.unbounded
    }
    return { source, hasAnchors, ways, unbounded, isSingle: false }
  }

  #atom(): PatternNode {
    const character = this.#next()
    if (character === '(') {
      if (this.#peek() === '?') {
        if (this.#pattern.slice(this.#at, this.#at + 2) !== '?:') throw new Unsafe()
        this.#at += 2
      }
      const inner = this.#alternatives()
      if (this.#next() !== ')') throw new Unsafe()
      return { ...inner, source: `(?:${inner.source})`, isSingle: false }
    }
    if (character === '[') return this.#single(this.#class())
    if (character === '.') return this.#single('[^]')
    if (character === '^' || character === '$') return { ...this.#single(character), hasAnchors: true, isSingle: false }
    if (character === '\\') {
      const escape = this.#escape()
      return { ...this.#single(escape), hasAnchors: /^\\[bB]$/.test(escape) }
    }
    if (!PLAIN.test(character)) throw new Unsafe()
    return this.#single(character)
  }

  #single(source: string): PatternNode {
    this.atoms.add(source)
    return { source, hasAnchors: false, ways: 1, unbounded: 0, isSingle: true }
  }

  #escape(): string {
    const character = this.#next()
    if (/[dDwWbB]/.test(character) || ESCAPED.test(character)) return `\\${character}`
    throw new Unsafe()
  }

  /**
   * Parses a character class of single ASCII characters and ranges. Throws `Unsafe` for named classes and unusual
   * positions of `-`.
   */
  #class(): string {
    let source = '['
    if (this.#peek() === '^') source += this.#next()
    for (let isFirst = true; this.#peek() !== ']'; isFirst = false) {
      const low = this.#member(isFirst)
      source += low
      if (this.#peek() !== '-' || this.#pattern.charAt(this.#at + 1) === ']') continue
      this.#at++
      const high = this.#member(false)
      if (/^\\[dw]/.test(low) || /^\\[dw]/.test(high)) throw new Unsafe()
      source += `-${high}`
    }
    this.#at++
    if (source === '[' || source === '[^') throw new Unsafe()
    return `${source}]`
  }

  #member(isFirst: boolean): string {
    const character = this.#next()
    if (character === '') throw new Unsafe()
    if (character === '\\') {
      const escaped = this.#next()
      if (/[dw]/.test(escaped) || ESCAPED.test(escaped)) return `\\${escaped}`
      throw new Unsafe()
    }
    if (character === '-') {
      if (isFirst || this.#peek() === ']') return '\\-'
      throw new Unsafe()
    }
    if (/[.*+?(){}|$]/.test(character)) return `\\${character}`
    if (!PLAIN.test(character)) throw new Unsafe()
    return character
  }

  #repeated(node: PatternNode): PatternNode {
    const match = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(this.#pattern.slice(this.#at))
    if (match === null) {
      if (/[*+?{}]/.test(this.#peek())) throw new Unsafe()
      return node
    }
    this.#at += match[0].length
    if (/[*+?{]/.test(this.#peek())) throw new Unsafe()
    const [text, least, range, most] = match
    const isUnbounded = text.startsWith('*') || text.startsWith('+') || (range !== undefined && most === '')
    const min = text.startsWith('+') ? 1 : least === undefined ? 0 : Number(least)
    const max = text.startsWith('?') ? 1 : most === undefined || most === '' ? min : Number(most)
    if (/^\\[bB]$|^[\^$]$/.test(node.source)) throw new Unsafe()
    // Repeating a group multiplies its ways to match. Only single characters may be repeated without bound.
    if (!node.isSingle && (isUnbounded || max > 1) && (node.ways > 1 || node.unbounded > 0 || isUnbounded))
      throw new Unsafe()
    // Writes out a short repetition as copies, which the regular expression engine matches much faster than a
    // repetition count.
    const copies = node.isSingle && min <= MAX_COPIES ? min : 0
    const rest = isUnbounded ? '*' : max === copies ? '' : `{${min - copies},${max - copies}}`
    const source =
      copies === 0 ? node.source + text : node.source.repeat(copies) + (rest === '' ? '' : node.source + rest)
    return {
      source,
      hasAnchors: node.hasAnchors,
      ways: node.ways * (isUnbounded ? 1 : max - min + 1),
      unbounded: node.unbounded + (isUnbounded ? 1 : 0),
      isSingle: false,
    }
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** True if an expression for a single character matches word characters only. */
function takesWordCharacters(source: string): boolean {
  const one = new RegExp(source)
  return ASCII.every((character, code) => isWordCodePoint(code) || !one.test(character))
}

/**
 * Converts an RE2 pattern to a JavaScript regular expression that accepts the same ASCII strings. Returns `undefined`
 * if equality is uncertain, or if the expression could backtrack for long. The pattern must be valid RE2.
 */
export function safeRegexp(pattern: string, isFolded: boolean): SafeRegexp | undefined {
  try {
    const reader = new Reader(pattern)
    const { source, hasAnchors, ways, unbounded } = reader.whole()
    if (ways > MAX_WAYS || unbounded > 1) return undefined
    const regexp = new RegExp(source, isFolded ? 'i' : '')
    const isLocal = !hasAnchors && unbounded === 0 && !regexp.test('')
    return {
      regexp,
      maxLength: unbounded > 0 ? MAX_SQUARE_LENGTH : MAX_LENGTH,
      isLocal,
      isInsideWord: isLocal && [...reader.atoms].every(takesWordCharacters),
    }
  } catch (error) {
    if (error instanceof Unsafe || error instanceof SyntaxError) return undefined
    throw error
  }
}
