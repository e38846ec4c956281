import type { WordNeed } from './ops.ts'
import { commonNeeds, needsOfLiteral } from './word-need.ts'

/** Reads a pattern far enough to know which literal texts every match holds; everything it does not know breaks them. */
class LiteralReader {
  readonly #pattern: string
  #at = 0
  #run = ''
  #needs: WordNeed[] = []
  readonly #alternatives: (readonly WordNeed[])[] = []

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  read(): readonly WordNeed[] {
    while (this.#at < this.#pattern.length) this.#step()
    this.#break()
    return commonNeeds([...this.#alternatives, this.#needs])
  }

  #step(): void {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += char.length
    switch (char) {
      case '|':
        this.#break()
        this.#alternatives.push(this.#needs)
        this.#needs = []
        return
      case '*':
      case '?':
        this.#dropLast()
        return
      case '{':
        this.#dropLast()
        this.#skipTo('}')
        return
      case '[':
        this.#break()
        this.#skipClass()
        return
      case '(':
        this.#break()
        this.#skipGroup()
        return
      case '+':
      case '.':
      case '^':
      case '$':
      case ')':
        this.#break()
        return
      case '\\':
        this.#escape()
        return
      default:
        this.#run += char
    }
  }

  /** Only punctuation stands for itself after a backslash. */
  #escape(): void {
    const next = this.#pattern[this.#at] ?? ''
    this.#at += next.length
    if (/[!-/:-@[-`{-~]/.test(next)) this.#run += next
    else {
      this.#break()
      if (next === 'p' || next === 'P' || next === 'x') this.#skipBraces()
    }
  }

  #skipBraces(): void {
    if (this.#pattern[this.#at] === '{') this.#skipTo('}')
    else this.#at += 2
  }

  /** The last character may be missing. */
  #dropLast(): void {
    const last = Array.from(this.#run).at(-1)
    if (last !== undefined) this.#run = this.#run.slice(0, -last.length)
    this.#break()
  }

  #break(): void {
    if (this.#run !== '') this.#needs.push(...needsOfLiteral(this.#run, 'open', 'open'))
    this.#run = ''
  }

  #skipTo(end: string): void {
    const found = this.#pattern.indexOf(end, this.#at)
    this.#at = found === -1 ? this.#pattern.length : found + 1
  }

  #skipClass(): void {
    if (this.#pattern[this.#at] === '^') this.#at++
    // A bracket that comes first is meant as one.
    if (this.#pattern[this.#at] === ']') this.#at++
    while (this.#at < this.#pattern.length) {
      const char = this.#pattern[this.#at++]
      if (char === ']') return
      if (char === '\\') this.#at++
      else if (char === '[' && this.#pattern[this.#at] === ':') this.#skipTo(']')
    }
  }

  #skipGroup(): void {
    for (let depth = 1; this.#at < this.#pattern.length && depth > 0;) {
      const char = this.#pattern[this.#at++]
      if (char === '\\') this.#at++
      else if (char === '[') this.#skipClass()
      else if (char === '(') depth++
      else if (char === ')') depth--
    }
  }
}

/** Flags, quoted text and groups that are more than groups. */
const UNKNOWN = /\(\?(?!:|P?<)|\\Q/

/**
 * Folded words that every text with a match contains, by the literal parts of a pattern outside groups. Only for
 * patterns that heed case: without, a pattern takes more letters than folding joins.
 */
export function regexpNeeds(pattern: string): readonly WordNeed[] {
  return UNKNOWN.test(pattern) ? [] : new LiteralReader(pattern).read()
}
