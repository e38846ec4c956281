import { insertAt } from '../../../base/index.ts'
import { tokensOf, type PlainToken } from './plain-tokens.ts'
import { isClauseWord, type Propose, type Spot } from './spot.ts'

/** Number of tokens before the error that are searched for the faulty quote; `BEHIND` is the number after it. */
const BEFORE = 4
const BEHIND = 8

function isQuote({ type }: PlainToken): boolean {
  return type === 'Unclosed' || type === 'Quoted'
}

/** Returns offsets at which a quoted string that begins at `start` may have been intended to end, likeliest first. */
function endsInside(text: string, start: number): readonly number[] {
  const from = start + 1
  const inside = text.slice(from)
  // If a blank follows the opening quote, the quote itself is probably superfluous.
  const empty = /^\s*(?:\||$)/.test(inside) || /^\s/.test(inside) ? [from] : []
  const marks = [/\s*[)}\],]/, /\s+\|/, /\s*:(?=\s*["'])/, /\s*$/].flatMap((pattern) => {
    const match = pattern.exec(inside)
    return match === null || match.index === 0 ? [] : [from + match.index]
  })
  const words: number[] = []
  const stageEnd = marks.find((offset) => /^\s+\|/.test(text.slice(offset))) ?? text.length
  for (const token of tokensOf(text.slice(from, stageEnd)).tokens) {
    if (isClauseWord(token)) words.push(from + text.slice(from, from + token.span.start).trimEnd().length)
  }
  const clauses = words.filter((offset) => offset > from)
  const isAtOnce = words.some((offset) => offset === from)
  const early = [...clauses, ...marks].toSorted((a, b) => a - b)
  return [...new Set([...(isAtOnce || empty.length > 0 ? [from] : []), ...early, from])]
}

/**
 * Returns offsets at which a quoted string that ends at `end` may have been intended to begin: the start of the stage,
 * the word or the value.
 */
function startsBefore(text: string, end: number): readonly number[] {
  const before = text.slice(0, end)
  const lengths = [
    /[^|(){}=~,:[\]]*$/.exec(before)?.[0].trimStart().length ?? 0,
    /[^\s|(){}=~:,]*$/.exec(before)?.[0].length ?? 0,
    /[^\s|(){}=~,]*$/.exec(before)?.[0].length ?? 0,
  ]
  return [...new Set(lengths)].filter((length) => length > 0).map((length) => end - length)
}

/** True if an unpaired quote is probably a closing quote, because it touches the text before it. */
function isClosing(text: string, token: PlainToken): boolean {
  return /[^\s(){}[\]=~:,|!-]$/.test(text.slice(0, token.span.start))
}

function suspects({ tokens, index }: Spot): readonly PlainToken[] {
  const near = tokens.slice(Math.max(0, index - BEFORE), index + BEHIND).filter(isQuote)
  return [...new Set([...near, ...tokens.filter(({ type }) => type === 'Unclosed')])]
}

/**
 * Proposes the missing partner of an unpaired quote: the string was intended to begin or end earlier than the parser
 * assumes.
 */
export const quotes: Propose = (spot) => {
  const { text } = spot
  return suspects(spot).flatMap((token) => {
    const quote = token.text.charAt(0)
    const { start } = token.span
    const ends = endsInside(text, start).map((offset) => insertAt(offset, quote))
    const starts = startsBefore(text, start).map((offset) => insertAt(offset, quote))
    return isClosing(text, token) ? [...starts, ...ends] : [...ends, ...starts]
  })
}

/** True if a missing quote explains the error better than an unexpected token does. */
export function isAboutQuotes(spot: Spot): boolean {
  if (spot.diagnostic.code === 'log/unclosed-quote') return true
  return suspects(spot).some((token) => isClosing(spot.text, token) || token.type === 'Unclosed')
}
