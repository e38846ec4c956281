import { codePointAt, work } from '../../../../base/index.ts'
import { toText } from '../../../value.ts'
import { indexOfLiteral, isLiteralAt } from '../../literal.ts'
import { mayNumberStart, numberEnd } from '../../number-runs.ts'
import { isWordAt, isWordBefore } from '../../words.ts'
import type { TextPredicate } from '../ops.ts'
import type { NamedTest } from './definition.ts'

/** Returns the end of the match of one part of the pattern at `from`; -1 if it does not match there. */
type Matcher = (text: string, from: number) => number

function literalMatcher(literal: string): Matcher {
  return (text, from) => (isLiteralAt(text, literal, from) ? from + literal.length : -1)
}

/** Matches parts one after another, without backtracking. */
function chain(matchers: readonly Matcher[]): Matcher {
  return (text, from) => {
    let at = from
    for (const matcher of matchers) {
      at = matcher(text, at)
      if (at === -1) return -1
    }
    return at
  }
}

function optional(matcher: Matcher): Matcher {
  return (text, from) => {
    const end = matcher(text, from)
    return end === -1 ? from : end
  }
}

function oneOf(...matchers: readonly Matcher[]): Matcher {
  return (text, from) => {
    for (const matcher of matchers) {
      const end = matcher(text, from)
      if (end !== -1) return end
    }
    return -1
  }
}

function numbersBetween(separator: string, count: number): Matcher {
  return chain(Array.from({ length: 2 * count - 1 }, (_, i) => (i % 2 === 0 ? numberEnd : literalMatcher(separator))))
}

/** Matches a quoted string or a run of word characters. */
function word(text: string, from: number): number {
  const quote = text[from]
  if (quote === '"' || quote === "'" || quote === '`') {
    for (let i = from + 1; i < text.length; i++) {
      if (text[i] === '\\' && quote !== '`') i++
      else if (text[i] === quote) return i + 1
    }
    work((text.length - from) >>> 4)
    return -1
  }
  let end = from
  while (isWordAt(text, end)) end += (codePointAt(text, end) ?? 0) > 0xffff ? 2 : 1
  work((end - from) >>> 4)
  return end === from ? -1 : end
}

const time = chain([
  numbersBetween(':', 3),
  optional(chain([oneOf(literalMatcher('.'), literalMatcher(',')), numberEnd])),
])
const date = oneOf(numbersBetween('-', 3), numbersBetween('/', 3))
const zone = oneOf(
  literalMatcher('Z'),
  chain([oneOf(literalMatcher('+'), literalMatcher('-')), numbersBetween(':', 2)]),
)

const placeholders: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  ['<N>', numberEnd],
  ['<UUID>', numbersBetween('-', 5)],
  ['<IP4>', numbersBetween('.', 4)],
  ['<TIME>', time],
  ['<DATE>', date],
  ['<DATETIME>', chain([date, oneOf(literalMatcher('T'), literalMatcher(' ')), time, optional(zone)])],
  ['<W>', word],
])

const PLACEHOLDER = /(<(?:N|UUID|IP4|TIME|DATE|DATETIME|W)>)/

interface Pattern {
  /** The literal text before the first placeholder. */
  readonly first: string
  /** Returns whether the character before the index allows a match to start there. */
  readonly mayStart: (text: string, index: number) => boolean
  readonly match: Matcher
}

function compilePattern(pattern: string): Pattern {
  // `split` returns the placeholders at odd positions.
  const segments = pattern.split(PLACEHOLDER)
  const matchers = segments
    .filter((segment) => segment !== '')
    .map((segment) => placeholders.get(segment) ?? literalMatcher(segment))
  const [first = '', placeholder] = segments
  return { first, mayStart: startOf(first === '' ? placeholder : undefined), match: chain(matchers) }
}

/** Returns the check of the character before a match, for a pattern that begins with this placeholder. */
function startOf(placeholder: string | undefined): Pattern['mayStart'] {
  if (placeholder === undefined) return () => true
  // From inside a word, `<W>` would end at the same place as from the word's start, so only the start is tried.
  if (placeholder === '<W>') return (text, index) => !(isWordBefore(text, index) && isWordAt(text, index))
  return mayNumberStart
}

function anywhere(pattern: string, mustEnd: boolean): TextPredicate {
  const { first, mayStart, match } = compilePattern(pattern)
  return (text) => {
    for (let at = indexOfLiteral(text, first, 0); at !== -1; at = indexOfLiteral(text, first, at + 1)) {
      work(1)
      const end = mayStart(text, at) ? match(text, at) : -1
      if (end !== -1 && (!mustEnd || end === text.length)) return true
      if (at === text.length) return false
    }
    return false
  }
}

function atStart(pattern: string, mustEnd: boolean): TextPredicate {
  const { match } = compilePattern(pattern)
  return (text) => {
    const end = match(text, 0)
    return end !== -1 && (!mustEnd || end === text.length)
  }
}

const modes: ReadonlyMap<string, (pattern: string) => TextPredicate> = new Map([
  ['any', (pattern: string) => anywhere(pattern, false)],
  ['full', (pattern: string) => atStart(pattern, true)],
  ['prefix', (pattern: string) => atStart(pattern, false)],
  ['suffix', (pattern: string) => anywhere(pattern, true)],
])

/**
 * Arguments: the pattern, then where it must match: `any`, `full`, `prefix` or `suffix`. In the pattern, the
 * placeholders `<N> <UUID> <IP4> <TIME> <DATE> <DATETIME>` match what `collapse_nums` replaces, and `<W>` matches a
 * word or quoted string. Only a placeholder at the beginning of the pattern checks the character before its value, as
 * `collapse_nums` does.
 */
export const patternMatch: NamedTest = {
  name: 'pattern-match',
  text: ([pattern, mode]) => {
    const compile = modes.get(toText(mode ?? 'any'))
    return compile === undefined ? () => false : compile(toText(pattern ?? null))
  },
}
