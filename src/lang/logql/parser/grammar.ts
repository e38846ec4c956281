import { grammarFile } from '../../kit/index.ts'
import { LogqlParser } from './parser.ts'
import { vocabulary } from './tokens.ts'

/** Descriptions, for the grammar file, of tokens that the lexer matches by functions. */
const LEXICAL: readonly (readonly [name: string, definition: string])[] = [
  ['Number', '[0-9] [0-9_]* ("." [0-9_]*)? ([eE] [+-]? [0-9]+)? | "." [0-9]+ …'],
  ['Duration', '"-"? (Number ("y" | "w" | "d" | "h" | "m" | "s" | "ms" | "us" | "µs" | "ns"))+'],
  ['Bytes', 'Number [kKMGTP]? "i"? "B"?, with a unit'],
  ['Range', '"[" whole numbers with units, from large to small "]"'],
  ['Flag', '"--strict" | "--keep-empty"'],
  ['String', "'\"' (char | escape)* '\"' | '`' anything* '`'"],
  ['Identifier', 'letter or "_", then letters, digits and "_"; any character that begins no other token'],
]

/** Returns the LogQL grammar as EBNF, generated from the parser's rules. */
export function logqlGrammar(): string {
  return grammarFile(new LogqlParser().grammar, vocabulary(), {
    first: 'query',
    title: 'LogQL. Written from the rules of the parser; do not edit. Keywords are read in any case.',
    notes: [
      'Precedence of operators, lowest first: or; and unless; == != > < >= <=; + -; * / %; ^ (to the right).',
      'Of conditions: or; and. A comma, or nothing, takes all that follows as its right side.',
    ],
    lexerNotes: [
      'Names of functions are labels unless "(", "by (" or "without (" follows.',
      'Read by the lexer. Blanks, line ends, comments from # or // to the end of the line and between /* and * / may stand between tokens.',
    ],
    lexical: LEXICAL,
  })
}
