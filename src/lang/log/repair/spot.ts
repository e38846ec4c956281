import type { Diagnostic, Fix } from '../../../base/index.ts'
import { keywordOf } from '../tokens.ts'
import type { PlainToken } from './plain-tokens.ts'

/** Position of an error, with the text and tokens around it. */
export interface Spot {
  readonly text: string
  readonly diagnostic: Diagnostic
  readonly tokens: readonly PlainToken[]
  /** Index of the token at the error; at the end of the text, the number of tokens. */
  readonly index: number
  readonly start: number
}

/**
 * Returns edits that the author may have intended, likeliest first. The caller checks which of them repair the text.
 */
export type Propose = (spot: Spot) => readonly Fix[]

/** True if a word begins a clause somewhere in the grammar. */
export function isClauseWord(token: PlainToken | undefined): boolean {
  return token?.isWord === true && !token.touches && keywordOf(token.text.toLowerCase()) !== undefined
}

export function endBefore({ tokens, index }: Spot): number {
  return tokens[index - 1]?.span.end ?? 0
}
