import { SluiceError, at, span } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { checkMatcher } from './compile.ts'
import { matcherDiagnostic } from './diagnostics.ts'

const OPERATOR = /\s*(=~|!~|!=|=)\s*/y
const NAME = /[^\s{}!=~,\\"'`]+/y
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy
/** Matches a value without quotes; double quotes inside it must be escaped. */
const BARE = /(?:[^"\\]|\\.)*/sy
const BARE_IN_LIST = /(?:[^",\\]|\\.)*/sy
const BARE_IN_BRACES = /(?:[^",}\\]|\\.)*/sy
const BLANK = /\s*/y

/**
 * Resolves Alertmanager's escapes. A backslash before any other character stays, so that patterns need no double
 * backslashes.
 */
function unescape(text: string): string {
  return text.replaceAll(/\\([n"\\])/g, (_, character: string) => (character === 'n' ? '\n' : character))
}

class MatcherReader {
  readonly #text: string
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#text.length
  }

  read(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset
    const match = pattern.exec(this.#text)
    if (match !== null) this.#offset = pattern.lastIndex
    return match
  }

  skip(character: string): boolean {
    this.read(BLANK)
    if (this.#text[this.#offset] !== character) return false
    this.#offset++
    this.read(BLANK)
    return true
  }

  expected(expected: string): SluiceError {
    const where = span(this.#offset, this.#text.length)
    return new SluiceError([
      matcherDiagnostic('bad-matcher', { text: this.#text, expected, column: this.#offset + 1 }, where),
    ])
  }

  matcher(bare: RegExp): LabelMatcher {
    this.read(BLANK)
    const start = this.#offset
    const quotedName = this.read(QUOTED)
    const label = quotedName === null ? this.read(NAME)?.[0] : unescape(quotedName[1] ?? '')
    if (label === undefined) throw this.expected('the name of a label')
    const op = this.read(OPERATOR)?.[1] as LabelMatcher['op'] | undefined
    if (op === undefined) throw this.expected('`=`, `!=`, `=~` or `!~`')
    const value = this.read(QUOTED)?.[1] ?? this.read(bare)?.[0].trimEnd() ?? ''
    this.read(BLANK)
    if (this.#text[this.#offset] === '"') throw this.expected('a value whose inner quotes are escaped')
    const matcher: LabelMatcher = { label, op, value: unescape(value) }
    checkMatcher(matcher, at(span(start, this.#offset)))
    return matcher
  }
}

/**
 * Parses a matcher of a filter: `env="prod"`, `env=~pro.*`, `"größe"!=x`. A value without quotes extends to the end.
 * Throws SluiceError `matchers/…` at its position in the text.
 */
export function parseMatcher(text: string): LabelMatcher {
  const reader = new MatcherReader(text)
  const matcher = reader.matcher(BARE)
  if (!reader.isAtEnd) throw reader.expected('the end of the matcher')
  return matcher
}

/**
 * Parses matchers separated by commas, with or without braces: `{a="b", c=~"d|e"}`. Throws SluiceError `matchers/…` at
 * its position in the text.
 */
export function parseMatchers(text: string): readonly LabelMatcher[] {
  const reader = new MatcherReader(text)
  const hasBrace = reader.skip('{')
  const matchers: LabelMatcher[] = []
  for (;;) {
    if (hasBrace ? reader.skip('}') : reader.isAtEnd) break
    if (reader.isAtEnd) throw reader.expected('`}`')
    matchers.push(reader.matcher(hasBrace ? BARE_IN_BRACES : BARE_IN_LIST))
    if (reader.skip(',')) continue
    if (hasBrace ? !reader.skip('}') : !reader.isAtEnd) throw reader.expected(hasBrace ? '`,` or `}`' : '`,`')
    break
  }
  if (!reader.isAtEnd) throw reader.expected('the end of the matchers')
  return matchers
}
