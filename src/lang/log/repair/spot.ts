import type { Diagnostic, Fix } from '../../../base/index.ts'
import { keywordOf } from '../tokens.ts'
import type { PlainToken } from './plain-tokens.ts'

/** Where a fault is told, and what stands around it. */
export interface Spot {
  readonly text: string
  readonly diagnostic: Diagnostic
  readonly tokens: readonly PlainToken[]
  /** The token where the fault is told; the number of tokens at the end of the text. */
  readonly index: number
  readonly start: number
}

/** Changes that may be meant, the likeliest first; which of them hold is for others to find out. */
export type Propose = (spot: Spot) => readonly Fix[]

/** Whether the word begins a clause somewhere in the language. */
export function isClauseWord(token: PlainToken | undefined): boolean {
  return token?.isWord === true && !token.touches && keywordOf(token.text.toLowerCase()) !== undefined
}

export function endBefore({ tokens, index }: Spot): number {
  return tokens[index - 1]?.span.end ?? 0
}
