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

/** Maximum number of characters that are parsed again to find the fixes of a text; longer texts keep their fixes. */
export const MAX_CHARACTERS = 16_384
export const MAX_TRIES = 60
/** Tries that the search for fixes of one error reserves for each other error. */
const OWN_TRIES = 2
/** The search ends after this many fixes without remaining errors. */
const ENOUGH = 3

/** Proposals that precede the diagnostic's own fixes, since they know the cause better. */
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

/** Errors of a text by plain parsing. */
export type ErrorsOf = (text: string) => readonly Diagnostic[]

/** Number of characters that may be parsed again for all diagnostics of one text. */
interface Budget {
  tries: number
  characters: number
  /** Errors whose fixes have not been requested yet. */
  open: number
}

interface Candidates {
  /** Fixes of the diagnostic itself, and likelier ones. */
  readonly own: readonly Fix[]
  readonly searched: () => Iterable<Fix>
}

function candidatesFor(text: string, diagnostic: Diagnostic, whole: readonly Fix[]): Candidates {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const { tokens } = tokensOf(text)
  const found = tokens.findIndex((token) => start < token.span.end)
  const spot: Spot = { text, diagnostic, tokens, index: found === -1 ? tokens.length : found, start }
  const of = (proposals: readonly Propose[]): readonly Fix[] => proposals.flatMap((propose) => propose(spot))
  // An early end of a quote is likelier than the end of the text, which is all that the parser can say.
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

/** Offset of a position after a fix; inserted text comes before it. */
function moved({ edits }: Fix, offset: number): number {
  let at = offset
  for (const { span, text } of edits)
    if (span.start <= offset) at += text.length - (Math.min(span.end, offset) - span.start)
  return at
}

/** True if a fix removes the error at the spot: every other error precedes it, or follows the marked text. */
function isMended(told: Diagnostic, errors: readonly Diagnostic[], { fix, errors: left }: Attempt): boolean {
  const marked = spanOf(told.origin) ?? { start: 0, end: 0 }
  const earlier = new Set(errors.map(startOf).filter((start) => start < marked.start))
  const end = moved(fix, marked.end)
  return left.every((each) => {
    const start = startOf(each)
    return earlier.has(start) || (marked.start === marked.end ? start > end : start >= end)
  })
}

/** True if a fix replaces the marked word: then the author may have made further mistakes after it. */
function isOtherWord({ edits }: Fix, told: Diagnostic): boolean {
  const [edit] = edits
  const marked = spanOf(told.origin)
  const isWhole = edit?.span.start === marked?.start && edit?.span.end === marked?.end
  return edits.length === 1 && isWhole && /^\w+$/.test(edit?.text ?? '')
}

/** A text after applying a fix. */
interface Attempt {
  readonly fix: Fix
  readonly text: string
  readonly errors: readonly Diagnostic[]
}

/** Fixes that remove the error and leave fewer errors, those without errors first. */
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
  /** Stops when other errors would have too little of the budget left. */
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
 * Adds fixes to each error: those after which the text parses with fewer errors, the diagnostic's own before searched
 * ones. If none works, none is offered. The search runs when the fixes are first read.
 */
export function withRepairs(
  text: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: ErrorsOf,
  /** Edits of the whole text that are independent of the fault. */
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
