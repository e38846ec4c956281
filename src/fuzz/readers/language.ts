import type { Random } from '../../base/index.ts'
import {
  compareVerdicts,
  type VerdictComparison,
  type KnownDifference,
  type loadReader,
  type SyntaxVerdict,
  type SecondReader,
} from './second-reader.ts'
import { damageText, drawText, type TextGrammar } from './text-grammar.ts'

/** A query language with a second parser. */
export interface ReadLanguage {
  readonly name: string
  readonly load: Parameters<typeof loadReader>[0]
  /** Texts that our parser accepts, from the symbol `query`. */
  readonly grammar: TextGrammar
  /** Tokens that are inserted to damage a text. */
  readonly tokens: readonly string[]
  readonly verdictOf: (text: string) => SyntaxVerdict
  /** Known differences. Our parser follows the server, the other one an editor. */
  readonly knownDifferences: readonly KnownDifference[]
}

/** A drawn text of a language. */
export interface ReadCase {
  readonly text: string
  /** True if a token was changed, so that the text need not be valid. */
  readonly isDamaged: boolean
}

/** Draws a text of a language; half of them are damaged. */
export function drawCase({ grammar, tokens }: ReadLanguage, random: Random): ReadCase {
  const text = drawText(grammar, 'query', random)
  const isDamaged = random.next() < 0.5
  return { text: isDamaged ? damageText(text, tokens, random) : text, isDamaged }
}

/** Compares how our parser and the other one judge the syntax of a text. */
export function compareLanguage(text: string, language: ReadLanguage, other: SecondReader): VerdictComparison {
  return compareVerdicts(text, language.verdictOf(text), other, language.knownDifferences)
}
