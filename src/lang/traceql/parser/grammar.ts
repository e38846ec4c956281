import { grammarFile } from '../../kit/index.ts'
import { TraceqlParser } from './parser.ts'
import { vocabulary } from './tokens.ts'

/** Descriptions, for the grammar file, of tokens that the lexer matches by functions. */
const LEXICAL: readonly (readonly [name: string, definition: string])[] = [
  ['Integer', '[0-9]+, at most 2^63-1'],
  ['Float', '[0-9]+ "." [0-9]* ([eE] [+-]? [0-9]+)? | "." [0-9]+ … | [0-9]+ [eE] [+-]? [0-9]+'],
  ['Duration', '(Number ("y" | "w" | "d" | "h" | "m" | "s" | "ms" | "us" | "µs" | "ns"))+, without a blank between'],
  ['String', "'\"' (char | escape)* '\"' | '`' anything* '`'"],
  [
    'Attribute',
    '("span." | "resource." | "event." | "link." | "instrumentation." | "parent." ("span." | "resource.")? | ".") Name',
  ],
  ['Name', '(any character but blanks and { } ( ) = ~ ! < > & | ^ , | \'"\' (char | "\\" char)* \'"\')+'],
  ['Identifier', 'letter or "_", then letters, digits and "_"; any character that begins no other token'],
]

/** Returns the TraceQL grammar as EBNF, generated from the parser's rules. */
export function traceqlGrammar(): string {
  return grammarFile(new TraceqlParser().grammar, vocabulary(), {
    first: 'query',
    title: 'TraceQL. Written from the rules of the parser; do not edit.',
    notes: [
      'Precedence of field operators, lowest first: && ||; = != < <= > >= =~ !~; + - and signs; !; * / %; ^ (to the right).',
      'Of operators between spans: && ||; all relations. Between numbers, aggregates and metrics: comparisons; + -; * / %; ^.',
      'Operands of one kind stand together: spans, pipelines in parentheses, numbers and aggregates, metrics in parentheses.',
      'After nil, = or != follows unless it stands before; a name in place of a value is an error.',
    ],
    lexerNotes: [
      'Read by the lexer. Blanks, line ends, comments from // to the end of the line and between /* and * / may stand between tokens.',
    ],
    lexical: LEXICAL,
  })
}
