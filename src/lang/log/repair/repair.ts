import { KEPT_EXAMPLES, applyFix, isError, spanOf, type Diagnostic, type Fix } from '../../../base/index.ts'
import {
  doubledBackslash,
  doubledBar,
  doubledOperator,
  equalsRun,
  foldedMatch,
  leadingBar,
  missingValue,
  strayMark,
} from './marks.ts'
import { keyword, runTogether } from './names.ts'
import { parentheses } from './parentheses.ts'
import { tokensOf } from './plain-tokens.ts'
import { isAboutQuotes, quotes } from './quotes.ts'
import type { Propose, Spot } from './spot.ts'

/**
 * Maximum number of characters to parse again during the search for fixes of one text. Texts longer than this get only
 * the fixes that their diagnostics already have.
 */
export const MAX_CHARACTERS = 16_384
export const MAX_TRIES = 60
/** Number of parse attempts reserved for each other error while the fixes of one error are searched. */
const OWN_TRIES = 2
/** Number of fixes without remaining errors after which the search for fixes ends. */
const ENOUGH = 3

/** Proposals tried before the diagnostic's own fixes, because they identify the cause more reliably. */
const sure: readonly Propose[] = [leadingBar, doubledBar, foldedMatch]
const searches: readonly Propose[] = [
  doubledBackslash,
  equalsRun,
  doubledOperator,
  strayMark,
  keyword,
  runTogether,
  quotes,
  parentheses,
  missingValue,
]

/** Parses a text without searching fixes and returns the errors. */
export type ErrorsOf = (text: string) => readonly Diagnostic[]

/** Remaining work for the search for fixes, shared by all diagnostics of one text: parse attempts and characters. */
interface Budget {
  tries: number
  characters: number
  /** Number of errors whose fixes have not been read yet. */
  open: number
}

interface Candidates {
  /** The diagnostic's own fixes, preceded by proposals that are more reliable. */
  readonly own: readonly Fix[]
  readonly searched: () => Iterable<Fix>
}

function candidatesFor(text: string, diagnostic: Diagnostic, whole: readonly Fix[]): Candidates {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const { tokens } = tokensOf(text)
  const found = tokens.findIndex((token) => start < token.span.end)
  const spot: Spot = { text, diagnostic, tokens, index: found === -1 ? tokens.length : found, start }
  const of = (proposals: readonly Propose[]): readonly Fix[] => proposals.flatMap((propose) => propose(spot))
  // For an unclosed quote, the parser's own fixes are tried later, because the string probably ends before the end of
  // the text.
  const isQuote = isAboutQuotes(spot)
  return {
    own: [...of(sure), ...(isQuote ? [] : diagnostic.fixes)],
    *searched() {
      if (isQuote) yield* [...quotes(spot), ...diagnostic.fixes]
      yield* whole
      for (const propose of searches) yield* propose(spot)
    },
  }
}

function startOf({ origin }: Diagnostic): number {
  return spanOf(origin)?.start ?? 0
}

/**
 * Returns the offset in the fixed text that corresponds to an offset of the original text. Text inserted at that offset
 * precedes it.
 */
function moved({ edits }: Fix, offset: number): number {
  let at = offset
  for (const { span, text } of edits)
    if (span.start <= offset) at += text.length - (Math.min(span.end, offset) - span.start)
  return at
}

/**
 * True if a fix removes the reported error: every remaining error is an earlier one that existed before, or lies after
 * the marked text.
 */
function isMended(reported: Diagnostic, errors: readonly Diagnostic[], { fix, errors: left }: Attempt): boolean {
  const marked = spanOf(reported.origin) ?? { start: 0, end: 0 }
  const earlier = new Set(errors.map(startOf).filter((start) => start < marked.start))
  const end = moved(fix, marked.end)
  return left.every((each) => {
    const start = startOf(each)
    return earlier.has(start) || (marked.start === marked.end ? start > end : start >= end)
  })
}

/**
 * True if a fix only replaces the marked word by another word. Such a fix may leave later errors, because the rest of
 * the text may contain more mistakes.
 */
function isOtherWord({ edits }: Fix, reported: Diagnostic): boolean {
  const [edit] = edits
  const marked = spanOf(reported.origin)
  const isWhole = edit?.span.start === marked?.start && edit?.span.end === marked?.end
  return edits.length === 1 && isWhole && /^\w+$/.test(edit?.text ?? '')
}

/** A fix, the text after applying it, and the errors that remain. */
interface Attempt {
  readonly fix: Fix
  readonly text: string
  readonly errors: readonly Diagnostic[]
}

/** Returns fixes that remove the error and reduce the number of errors. Fixes that leave no errors come first. */
function holding(
  text: string,
  diagnostic: Diagnostic,
  errors: readonly Diagnostic[],
  errorsOf: ErrorsOf,
  budget: Budget,
  whole: readonly Fix[],
): readonly Fix[] {
  budget.open--
  const attempts = new Map<string, Attempt>()
  let complete = 0
  /** Tries fixes until the remaining parse attempts are those reserved for other errors. */
  const attempt = (fixes: Iterable<Fix>, reserved: number): void => {
    for (const fix of fixes) {
      if (complete === ENOUGH || budget.tries <= reserved) return
      const made = applyFix(text, fix)
      if (made === text || attempts.has(made)) continue
      if (made.length * (reserved + 1) > budget.characters) return
      budget.tries--
      budget.characters -= made.length
      const left = errorsOf(made)
      attempts.set(made, { fix, text: made, errors: left })
      if (left.length === 0) complete++
    }
  }
  if (budget.tries > 0) {
    const { own, searched } = candidatesFor(text, diagnostic, whole)
    const reserved = OWN_TRIES * budget.open
    attempt(own, 0)
    if (budget.tries > reserved) attempt(searched(), reserved)
  }
  return [...attempts.values()]
    .filter(
      (made) =>
        (made.errors.length < errors.length || isOtherWord(made.fix, diagnostic)) && isMended(diagnostic, errors, made),
    )
    .toSorted((a, b) => a.errors.length - b.errors.length)
    .slice(0, KEPT_EXAMPLES)
    .map(({ fix }) => fix)
}

/**
 * Adds fixes to each error; keeps only fixes that reduce the number of errors. The diagnostic's own fixes precede
 * proposals. The search runs when `fixes` is first read.
 */
export function withRepairs(
  text: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: ErrorsOf,
  /** Fixes that replace the whole text and do not depend on the position of the error. */
  whole: readonly Fix[] = [],
): readonly Diagnostic[] {
  const errors = diagnostics.filter(isError)
  if (errors.length === 0 || text.length > MAX_CHARACTERS) return diagnostics
  const budget: Budget = { tries: MAX_TRIES, characters: MAX_CHARACTERS, open: errors.length }
  return diagnostics.map((diagnostic) => {
    if (!isError(diagnostic)) return diagnostic
    let fixes: readonly Fix[] | undefined
    return {
      ...diagnostic,
      get fixes() {
        fixes ??= holding(text, diagnostic, errors, errorsOf, budget, whole)
        return fixes
      },
    }
  })
}
