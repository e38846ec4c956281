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

/** So many are read anew to find the fixes of one text; texts that alone are longer keep the fixes they have. */
export const MAX_CHARACTERS = 16_384
export const MAX_TRIES = 60
/** Tries that the search for the fixes of one error leaves to each other error: most have as many fixes of their own. */
const OWN_TRIES = 2
/** With so many fixes that leave no error the search ends. */
const ENOUGH = 3

/** What goes in front of the diagnostic's own fixes, for it knows the cause better. */
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

/** The errors of a text as far as its own reading tells them. */
export type ErrorsOf = (text: string) => readonly Diagnostic[]

/** What may be read anew for all diagnostics of one text together. */
interface Budget {
  tries: number
  characters: number
  /** Errors whose fixes nobody has asked for yet. */
  open: number
}

interface Candidates {
  /** What the diagnostic itself offers, and what is likelier still. */
  readonly own: readonly Fix[]
  readonly searched: () => Iterable<Fix>
}

function candidatesFor(text: string, diagnostic: Diagnostic, whole: readonly Fix[]): Candidates {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const { tokens } = tokensOf(text)
  const found = tokens.findIndex((token) => start < token.span.end)
  const spot: Spot = { text, diagnostic, tokens, index: found === -1 ? tokens.length : found, start }
  const of = (proposals: readonly Propose[]): readonly Fix[] => proposals.flatMap((propose) => propose(spot))
  // Where a quote ends early is likelier than at the end of the text, which is all that the parser can say.
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

/** Where a place stands after a fix; what the fix writes there stands before it. */
function moved({ edits }: Fix, offset: number): number {
  let at = offset
  for (const { span, text } of edits)
    if (span.start <= offset) at += text.length - (Math.min(span.end, offset) - span.start)
  return at
}

/** Whether a fix has mended the spot: every other error was told before it, or stands behind the marked text. */
function isMended(told: Diagnostic, errors: readonly Diagnostic[], { fix, errors: left }: Attempt): boolean {
  const marked = spanOf(told.origin) ?? { start: 0, end: 0 }
  const earlier = new Set(errors.map(startOf).filter((start) => start < marked.start))
  const end = moved(fix, marked.end)
  return left.every((each) => {
    const start = startOf(each)
    return earlier.has(start) || (marked.start === marked.end ? start > end : start >= end)
  })
}

/** Whether a fix writes a word in the place of what is marked: then the author may have made further mistakes behind it. */
function isOtherWord({ edits }: Fix, told: Diagnostic): boolean {
  const [edit] = edits
  const marked = spanOf(told.origin)
  const isWhole = edit?.span.start === marked?.start && edit?.span.end === marked?.end
  return edits.length === 1 && isWhole && /^\w+$/.test(edit?.text ?? '')
}

/** A text after a fix. */
interface Attempt {
  readonly fix: Fix
  readonly text: string
  readonly errors: readonly Diagnostic[]
}

/** The fixes that mend the spot and leave fewer errors, the ones that leave none first. */
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
  /** Stops where others would be left without enough to look at their own fixes. */
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
 * The diagnostics of a text, each error with the fixes that hold: those behind which the query reads with fewer errors,
 * its own before ones that are searched for around the spot. When none holds, none is offered. The search is done when the
 * fixes are first asked for.
 */
export function withRepairs(
  text: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: ErrorsOf,
  /** Changes of the whole text that mend it, whatever the fault. */
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
