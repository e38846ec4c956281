import { grammarFile } from '../../kit/index.ts'
import { PromqlParser } from './parser.ts'
import { vocabulary } from './tokens.ts'

/** Descriptions, for the grammar file, of tokens that the lexer matches by functions. */
const LEXICAL: readonly (readonly [name: string, definition: string])[] = [
  ['Number', '[0-9]+ ("." [0-9]*)? ([eE] [+-]? [0-9]+)? | "." [0-9]+ … | "0" [xX] [0-9a-fA-F]+ | "inf" | "nan"'],
  ['Duration', '([0-9]+ "y")? ([0-9]+ "w")? ([0-9]+ "d")? ([0-9]+ "h")? ([0-9]+ "m")? ([0-9]+ "s")? ([0-9]+ "ms")?'],
  ['String', "'\"' (char | escape)* '\"' | \"'\" (char | escape)* \"'\" | '`' anything* '`'"],
  ['Identifier', '[A-Za-z_] [A-Za-z0-9_]*'],
  ['MetricIdentifier', '[A-Za-z_:] [A-Za-z0-9_:]*, with at least one colon'],
]

/** Returns the PromQL grammar as EBNF, generated from the parser's rules. */
export function promqlGrammar(): string {
  return grammarFile(new PromqlParser().grammar, vocabulary(), {
    first: 'query',
    title: 'PromQL. Written from the rules of the parser; do not edit. Keywords are read in any case.',
    notes: [
      'Precedence, lowest first: or; and unless; == != > < >= <= </ >/; + -; * / % atan2 and signs; ^ (to the right).',
    ],
    lexerNotes: [
      'Read by the lexer. Blanks, line ends and comments from # to the end of the line may stand between tokens.',
    ],
    lexical: LEXICAL,
  })
}
