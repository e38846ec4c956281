import type { Diagnostic, Fix } from '../../../base/index.ts'
import { keywordOf } from '../tokens.ts'
import type { PlainToken } from './plain-tokens.ts'

/** Position of a fault and the tokens around it. */
export interface Spot {
  readonly text: string
  readonly diagnostic: Diagnostic
  readonly tokens: readonly PlainToken[]
  /** Index of the token at the fault; the number of tokens at the end of the text. */
  readonly index: number
  readonly start: number
}

/** Possible intended edits, likeliest first; the caller checks them. */
export type Propose = (spot: Spot) => readonly Fix[]

/** True if the word begins a clause anywhere in the language. */
export function isClauseWord(token: PlainToken | undefined): boolean {
  return token?.isWord === true && !token.touches && keywordOf(token.text.toLowerCase()) !== undefined
}

export function endBefore({ tokens, index }: Spot): number {
  return tokens[index - 1]?.span.end ?? 0
}
