import { distance } from 'fastest-levenshtein'
import { insertAt, isError, replaceWith, spanOf, applyFix, type Diagnostic, type Fix } from '../../../base/index.ts'
import { expectationsAfter } from './expectations.ts'
import { tokensOf, type PlainToken } from './plain-tokens.ts'

/** So many are read anew to find the fixes of one text; texts that alone are longer keep the fixes they have. */
export const MAX_CHARACTERS = 32_768
export const MAX_TRIES = 60
const MAX_FIXES = 5
const MAX_WRAPPED = 12

interface Spot {
  readonly text: string
  readonly diagnostic: Diagnostic
  readonly tokens: readonly PlainToken[]
  /** The token where the fault is told; the number of tokens at the end of the text. */
  readonly index: number
  readonly start: number
}

type Propose = (spot: Spot) => readonly Fix[]

function endBefore({ tokens, index }: Spot): number {
  return tokens[index - 1]?.span.end ?? 0
}

/** `\d` inside double quotes. */
const doubledBackslash: Propose = ({ diagnostic, text, start }) =>
  diagnostic.code === 'log/bad-escape' && text[start] === '\\'
    ? [insertAt(start, '\\', 'Double the backslash', true)]
    : []

const equalsRun: Propose = ({ text, start }) => {
  const run = /^:?={2,}/.exec(text.slice(start))
  const before = /[:=]*$/.exec(text.slice(0, start))?.[0].length ?? 0
  if (run === null) return []
  return [replaceWith({ start: start - before, end: start + run[0].length }, ':=')]
}

/** `||` of other languages, which reads as two bars. */
const doubledBar: Propose = ({ text, start }) => {
  const at = text[start] === '|' && text[start - 1] === '|' ? start - 1 : start
  return text.startsWith('||', at) ? [replaceWith({ start: at, end: at + 2 }, 'or')] : []
}

/** Where a text in quotes would end if it ended early. */
function boundaries(text: string, from: number): readonly number[] {
  const rest = text.slice(from)
  const found = [/\s*[)}\],]/, /\s+\|/, /\s*$/].flatMap((pattern) => {
    const match = pattern.exec(rest)
    return match === null ? [] : [from + match.index]
  })
  // An empty text is the last thing that is meant.
  return [...new Set(found)].toSorted((a, b) => Number(a === from) - Number(b === from) || a - b)
}

/** A quote that is open too long: it ends earlier, or begins earlier. */
const quotes: Propose = ({ text, tokens, index }) => {
  const near = tokens.slice(Math.max(0, index - 2), index + 2)
  const suspects = [...near, ...tokens.filter(({ type }) => type === 'Unclosed')].filter(
    ({ type }) => type === 'Unclosed' || type === 'Quoted',
  )
  return suspects.flatMap((token) => {
    const quote = token.text[0]
    const { start } = token.span
    const ends = boundaries(text, start + 1).map((offset) => insertAt(offset, quote))
    const before = text.slice(0, start)
    const begin = start - (/[^\s|(){}=~:,]*$/.exec(before)?.[0].length ?? 0)
    const stage = start - (/[^|(){}=~,:]*$/.exec(before)?.[0].trimStart().length ?? 0)
    const address = start - (/[^\s|(){}=~,]*$/.exec(before)?.[0].length ?? 0)
    const begins = [...new Set([stage, begin, address])]
      .filter((offset) => offset < start)
      .map((offset) => insertAt(offset, quote))
    return begins.length > 0 && /[^\s(){}=~:,|]$/.test(before) ? [...begins, ...ends] : [...ends, ...begins]
  })
}

/** A keyword that the grammar asks for there, misspelt. */
const keyword: Propose = ({ tokens, index }) => {
  const token = tokens[index]
  if (token === undefined || !token.isWord) return []
  const bar = tokens.slice(0, index).findLastIndex(({ type }) => type === 'Bar')
  const before = tokens.slice(bar + 1, index)
  const expected = expectationsAfter(bar === -1 ? 'logQuery' : 'logPipe', before, token.touches)
  const written = token.text.toLowerCase()
  const words = (expected?.next ?? []).flatMap(({ symbol }) =>
    symbol.kind === 'token' && symbol.name.startsWith('Kw_') ? [symbol.label] : [],
  )
  return [...new Set(words)]
    .map((word) => ({ word, slips: written.startsWith(word) ? 1 : distance(written, word) }))
    .filter(({ word, slips }) => slips <= Math.max(1, Math.floor(word.length / 2)))
    .toSorted((a, b) => a.slips - b.slips || Number(b.word[0] === written[0]) - Number(a.word[0] === written[0]))
    .map(({ word }) => replaceWith(token.span, word))
}

/** A list without its parentheses, or with one of them. */
const parentheses: Propose = (spot) => {
  const { text, tokens, index, diagnostic } = spot
  const fixes: Fix[] = []
  const token = tokens[index]
  if (token?.text === ')') fixes.push(replaceWith(token.span, '', 'Remove it'))
  const end = endBefore(spot)
  fixes.push(insertAt(end, ')'))
  if (token?.text === ')') fixes.push(insertAt(token.span.end, ')'))
  const isList = /^(by|on)$/i.test(tokens[index - 1]?.text ?? '') || diagnostic.code === 'log/missing-parentheses'
  const limit = token === undefined ? index : Math.min(tokens.length, index + MAX_WRAPPED)
  for (let last = index; last < limit; last++) {
    const close = tokens[last].span
    if (tokens[last].type === 'Bar') break
    if (tokens[last].text === ')') {
      fixes.push(insertAt(token.span.start, '('))
      break
    }
    const edits = [
      { span: { start: token.span.start, end: token.span.start }, text: '(' },
      { span: { start: close.end, end: close.end }, text: ')' },
    ]
    const written = text.slice(token.span.start, close.end)
    // The longest list that reads on is meant.
    if (isList) fixes.splice(0, 0, { title: `Write \`(${written})\``, edits, isSafe: true })
  }
  const name = tokens[index - 1]
  if (name?.isWord) fixes.push(insertAt(name.span.end, '('))
  for (let open = index; open >= 0 && open > index - 6; open--) {
    if (tokens[open]?.text === ')' || tokens[open]?.text === '(') continue
    if (tokens[open] !== undefined) fixes.push(insertAt(tokens[open].span.start, '('))
  }
  const bar = text.indexOf('|', end)
  fixes.push(insertAt(bar === -1 ? text.trimEnd().length : text.slice(0, bar).trimEnd().length, ')'))
  if (diagnostic.code === 'log/unclosed') {
    const inside = tokens
      .slice(index + 1, index + MAX_WRAPPED)
      .filter(({ isWord, type }) => isWord || type === 'Quoted')
    fixes.push(...inside.map(({ span }) => insertAt(span.end, ')')))
  }
  return fixes
}

const number: Propose = ({ tokens, index }) => {
  const word = tokens[index - 1]
  return word?.isWord ? [insertAt(word.span.end, ' 10', 'Insert `10`')] : []
}

const proposals: readonly Propose[] = [doubledBackslash, doubledBar, equalsRun, keyword, quotes, parentheses, number]

/** The errors of a text as far as its own reading tells them. */
export type ErrorsOf = (text: string) => readonly Diagnostic[]

/** What may be read anew for all diagnostics of one text together. */
interface Budget {
  tries: number
  characters: number
}

function candidatesFor(text: string, diagnostic: Diagnostic): readonly Fix[] {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const { tokens } = tokensOf(text)
  const found = tokens.findIndex((token) => start < token.span.end)
  const spot: Spot = { text, diagnostic, tokens, index: found === -1 ? tokens.length : found, start }
  // Where a quote ends early is likelier than at the end of the text, which is all that the parser can say.
  const first = diagnostic.code === 'log/unclosed-quote' ? quotes(spot) : []
  return [...first, ...diagnostic.fixes, ...proposals.flatMap((propose) => propose(spot))]
}

/** Those that leave fewer errors, the ones that leave none first; as they are when none does. */
function holding(
  text: string,
  diagnostic: Diagnostic,
  errors: number,
  errorsOf: ErrorsOf,
  budget: Budget,
): readonly Fix[] {
  if (budget.tries <= 0 || text.length > budget.characters) return diagnostic.fixes
  const results = new Map<string, { readonly fix: Fix; readonly left: number }>()
  for (const fix of candidatesFor(text, diagnostic)) {
    const made = applyFix(text, fix)
    if (made === text || results.has(made)) continue
    if (budget.tries <= 0 || made.length > budget.characters) break
    budget.tries--
    budget.characters -= made.length
    results.set(made, { fix, left: errorsOf(made).length })
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
        fixes ??= holding(text, diagnostic, errors, errorsOf, budget)
        return fixes
      },
    }
  })
}
