import { MAX_SET_CHARS } from '../tuning.ts'

/**
 * Translates Sluice's regular expressions to PostgreSQL's, only to decide whether a string matches: the order of
 * alternatives and the greediness of repetitions do not matter. Classes that depend on PostgreSQL's Unicode version or
 * locale are written out as characters, or have no translation.
 */

const DIGITS = '0-9'
const WORDS = '0-9A-Za-z_'
const BLANKS = String.raw`\t\n\f\r `
const NAMED: Readonly<Record<string, string>> = {
  d: `[${DIGITS}]`,
  D: `[^${DIGITS}]`,
  w: `[${WORDS}]`,
  W: `[^${WORDS}]`,
  s: `[${BLANKS}]`,
  S: `[^${BLANKS}]`,
}
const INSIDE: Readonly<Record<string, string>> = { d: DIGITS, w: WORDS, s: BLANKS }
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', a: '\x07' }
/** For an ASCII letter: the characters beyond ASCII that equal it regardless of case. */
const OTHER_CASES: Readonly<Record<string, readonly string[]>> = { k: ['\u212a'], s: ['\u017f'] }

const ALPHANUMERIC = /^[0-9A-Za-z]$/
const PUNCTUATION = /^[!-/:-@[-`{-~]$/
const ASCII_CHARACTER = /^[\0-\x7f]$/
const MAX_REPEATS = 255

class Untranslated extends Error {}

function untranslated(): never {
  throw new Untranslated()
}

function character(char: string): string {
  if (char === '\0') untranslated()
  if (ALPHANUMERIC.test(char)) return char
  const code = char.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Returns a character together with its upper- or lower-case variants. */
function cases(char: string): readonly string[] {
  if (!ASCII_CHARACTER.test(char)) return untranslated()
  const [lower, upper] = [char.toLowerCase(), char.toUpperCase()]
  return lower === upper ? [char] : [lower, upper, ...(OTHER_CASES[lower] ?? [])]
}

class Translator {
  readonly #chars: readonly string[]
  readonly #isFolded: boolean
  #at = 0

  constructor(pattern: string, isFolded: boolean) {
    this.#chars = Array.from(pattern)
    this.#isFolded = isFolded
  }

  whole(): string {
    const text = this.#alternatives()
    return this.#at === this.#chars.length ? text : untranslated()
  }

  #peek(ahead = 0): string {
    return this.#chars[this.#at + ahead] ?? ''
  }

  #next(): string {
    return this.#chars[this.#at++] ?? untranslated()
  }

  #alternatives(): string {
    const branches = [this.#branch()]
    while (this.#peek() === '|') {
      this.#at++
      branches.push(this.#branch())
    }
    return branches.join('|')
  }

  #branch(): string {
    let text = ''
    while (this.#at < this.#chars.length && this.#peek() !== '|' && this.#peek() !== ')') text += this.#quantified()
    return text === '' ? '(?:)' : text
  }

  #quantified(): string {
    const first = this.#peek()
    const atom = this.#atom()
    const quantifier = this.#quantifier()
    if (quantifier === '') return atom
    if (first === '^' || first === '$' || this.#quantifier() !== '') return untranslated()
    return atom + quantifier
  }

  #quantifier(): string {
    const char = this.#peek()
    let quantifier = ''
    if (char === '*' || char === '+' || char === '?') quantifier = char
    else if (char === '{') {
      const rest = this.#chars.slice(this.#at, this.#at + 12).join('')
      const [found, from = '', comma, to = ''] = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(rest) ?? []
      if (found === undefined) return ''
      if (Number(from) > MAX_REPEATS || Number(to) > MAX_REPEATS) return untranslated()
      if (comma !== undefined && to !== '' && Number(to) < Number(from)) return untranslated()
      this.#at += found.length - 1
      quantifier = found.replace(/,(\d+)\}/, (_, upper: string) => `,${upper}}`)
    }
    if (quantifier === '') return ''
    this.#at++
    // A `?` after a repetition makes it lazy, which does not affect whether a string matches.
    if (this.#peek() === '?') this.#at++
    return quantifier
  }

  #atom(): string {
    const char = this.#next()
    switch (char) {
      case '.':
      case '^':
      case '$':
        return char
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
      case ')':
        return untranslated()
      default:
        return this.#literal(char)
    }
  }

  #literal(char: string): string {
    if (!this.#isFolded) return character(char)
    const all = cases(char)
    return all.length === 1 ? character(char) : `[${all.map(character).join('')}]`
  }

  #escape(): string {
    const char = this.#next()
    const named = NAMED[char]
    if (named !== undefined) return this.#class(char, named)
    const control = CONTROLS[char] ?? (PUNCTUATION.test(char) ? char : undefined)
    return control === undefined ? untranslated() : this.#literal(control)
  }

  /**
   * Writes a named class of characters. If case is ignored, a class of ASCII letters also gets the characters beyond
   * ASCII that equal one of the letters.
   */
  #class(name: string, text: string): string {
    return this.#isFolded && (name === 'w' || name === 'W') ? untranslated() : text
  }

  #group(): string {
    if (this.#peek() === '?') {
      const rest = this.#chars.slice(this.#at, this.#at + 64).join('')
      const opening = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(rest)?.[0] ?? untranslated()
      this.#at += opening.length
    }
    const inner = this.#alternatives()
    if (this.#next() !== ')') untranslated()
    return `(?:${inner})`
  }

  /** Parses one member of a bracket expression: a single character, or a named class. */
  #member(): { readonly char?: string; readonly named?: string } {
    const char = this.#next()
    if (char === '[' && this.#peek() === ':') return untranslated()
    if (char !== '\\') return { char }
    const escaped = this.#next()
    const named = INSIDE[escaped]
    if (named !== undefined) return { named: this.#class(escaped, named) }
    const control = CONTROLS[escaped] ?? (PUNCTUATION.test(escaped) ? escaped : undefined)
    return control === undefined ? untranslated() : { char: control }
  }

  #set(): string {
    const isNegated = this.#peek() === '^'
    if (isNegated) this.#at++
    let members = ''
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      const { char: from, named } = this.#member()
      if (named !== undefined || from === undefined) {
        members += named ?? ''
        if (this.#peek() === '-' && this.#peek(1) !== ']') untranslated()
        continue
      }
      const isRange = this.#peek() === '-' && this.#peek(1) !== ']'
      if (isRange) this.#at++
      const to = isRange ? (this.#member().char ?? untranslated()) : from
      members += this.#range(from, to)
    }
    this.#at++
    return `[${isNegated ? '^' : ''}${members}]`
  }

  #range(from: string, to: string): string {
    const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]
    if (first > last) return untranslated()
    if (!this.#isFolded) return first === last ? character(from) : `${character(from)}-${character(to)}`
    if (last - first > MAX_SET_CHARS) return untranslated()
    const all = Array.from({ length: last - first + 1 }, (_, i) => cases(String.fromCodePoint(first + i)))
    return [...new Set(all.flat())].map(character).join('')
  }
}

/** Translates a pattern to PostgreSQL. `undefined` unless the PostgreSQL pattern certainly matches the same strings. */
export function postgresPattern(pattern: string, isFolded: boolean): string | undefined {
  try {
    return new Translator(pattern, isFolded).whole()
  } catch (error) {
    if (error instanceof Untranslated) return undefined
    throw error
  }
}
