import { applyFix, isError, spanOf, type Diagnostic, type Fix } from '../../../base/index.ts'
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
const MAX_FIXES = 5
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
}

function candidatesFor(text: string, diagnostic: Diagnostic, whole: readonly Fix[]): readonly Fix[] {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const { tokens } = tokensOf(text)
  const found = tokens.findIndex((token) => start < token.span.end)
  const spot: Spot = { text, diagnostic, tokens, index: found === -1 ? tokens.length : found, start }
  const of = (proposals: readonly Propose[]): readonly Fix[] => proposals.flatMap((propose) => propose(spot))
  // Where a quote ends early is likelier than at the end of the text, which is all that the parser can say.
  const first = isAboutQuotes(spot) ? quotes(spot) : []
  return [...of(sure), ...first, ...diagnostic.fixes, ...whole, ...of(searches)]
}

/** Those that leave fewer errors, the ones that leave none first; as they are when none does. */
function holding(
  text: string,
  diagnostic: Diagnostic,
  errors: number,
  errorsOf: ErrorsOf,
  budget: Budget,
  whole: readonly Fix[],
): readonly Fix[] {
  if (budget.tries <= 0 || text.length > budget.characters) return diagnostic.fixes
  let complete = 0
  const results = new Map<string, { readonly fix: Fix; readonly left: number }>()
  for (const fix of candidatesFor(text, diagnostic, whole)) {
    const made = applyFix(text, fix)
    if (made === text || results.has(made)) continue
    if (budget.tries <= 0 || made.length > budget.characters) break
    budget.tries--
    budget.characters -= made.length
    const left = errorsOf(made).length
    results.set(made, { fix, left })
    if (left === 0 && ++complete === ENOUGH) break
  }
  const better = [...results.values()].filter(({ left }) => left < errors).toSorted((a, b) => a.left - b.left)
  return better.length === 0 ? diagnostic.fixes : better.slice(0, MAX_FIXES).map(({ fix }) => fix)
}

/**
 * The diagnostics of a text, each error with the fixes that hold: those behind which the query reads with fewer errors,
 * its own before ones that are searched for around the spot. When none holds, its own, as they are. The search is done
 * when the fixes are first asked for.
 */
export function withRepairs(
  text: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: ErrorsOf,
  /** Changes of the whole text that mend it, whatever the fault. */
  whole: readonly Fix[] = [],
): readonly Diagnostic[] {
  const errors = diagnostics.filter(isError).length
  if (errors === 0 || text.length > MAX_CHARACTERS) return diagnostics
  const budget: Budget = { tries: MAX_TRIES, characters: MAX_CHARACTERS }
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
