import type { Random, Span } from '../../base/index.ts'
import { tokensOf, type PlainToken } from '../../lang/log/index.ts'

/** One mistake in a valid query. */
export interface Fault {
  readonly kind: string
  /** The valid query. */
  readonly original: string
  readonly text: string
  /** Offsets into `text` where a reader would see the mistake. A message is right if its position is one of them. */
  readonly offsets: readonly number[]
}

/** Makes a mistake of one kind in a query; returns `undefined` if no part of the query allows this kind. */
export type MakeFault = (query: string, random: Random) => Omit<Fault, 'kind'> | undefined

export const tokens = (text: string): readonly PlainToken[] => tokensOf(text).tokens

export function splice(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

/** Makes a typing mistake: swaps, omits, doubles or replaces a letter. */
export function misspell(word: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, word.length - 2))
  switch (random.below(4)) {
    case 0:
      return word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2)
    case 1:
      return word.slice(0, at) + word.slice(at + 1)
    case 2:
      return word.slice(0, at) + word[at] + word.slice(at)
    default:
      return word.slice(0, at) + random.pick(['a', 'e', 'i', 'o', 'u', 'n', 'r', 's', 't']) + word.slice(at + 1)
  }
}

/** Replaces one random token among those that a mistake applies to. */
export function atToken(
  query: string,
  random: Random,
  fits: (all: readonly PlainToken[], index: number) => boolean,
  change: (token: PlainToken) => string,
): Omit<Fault, 'kind'> | undefined {
  const all = tokens(query)
  const candidates = all.filter((_, i) => fits(all, i))
  if (candidates.length === 0) return undefined
  const token = random.pick(candidates)
  const by = change(token)
  return by === token.text
    ? undefined
    : { original: query, text: splice(query, token.span, by), offsets: [token.span.start] }
}
