import { definition, ebnf, type TokenType } from '../../kit/index.ts'
import { LogqlParser } from './parser.ts'
import { vocabulary } from './tokens.ts'

/** Descriptions of tokens that the lexer scans by hand, for the grammar file. */
const LEXICAL: readonly (readonly [name: string, definition: string])[] = [
  ['Number', '[0-9] [0-9_]* ("." [0-9_]*)? ([eE] [+-]? [0-9]+)? | "." [0-9]+ …'],
  ['Duration', '"-"? (Number ("y" | "w" | "d" | "h" | "m" | "s" | "ms" | "us" | "µs" | "ns"))+'],
  ['Bytes', 'Number [kKMGTP]? "i"? "B"?, with a unit'],
  ['Range', '"[" whole numbers with units, from large to small "]"'],
  ['Flag', '"--strict" | "--keep-empty"'],
  ['String', "'\"' (char | escape)* '\"' | '`' anything* '`'"],
  ['Identifier', 'letter or "_", then letters, digits and "_"; any character that begins no other token'],
]

/** Names in the grammar file for token types without a label, whose text varies. */
const symbols: ReadonlyMap<string, string> = new Map(
  vocabulary()
    .filter(({ LABEL }) => LABEL === undefined)
    .map(({ name }) => [name, name]),
)

function symbolOf({ name, LABEL }: TokenType): string {
  return LABEL === undefined ? name : `"${LABEL}"`
}

/** Returns the LogQL grammar as EBNF, generated from the parser's rules. */
export function logqlGrammar(): string {
  const types = vocabulary()
  const categories = types
    .map((type) => [type.name, types.filter(({ CATEGORIES }) => CATEGORIES?.includes(type))] as const)
    .filter(([, members]) => members.length > 0)
  return [
    '/* LogQL. Written from the rules of the parser; do not edit. Keywords are read in any case. */',
    '',
    ...ebnf(new LogqlParser().grammar, 'query', symbols),
    '',
    '/* Precedence of operators, lowest first: or; and unless; == != > < >= <=; + -; * / %; ^ (to the right). */',
    '/* Of conditions: or; and. A comma, or nothing, takes all that follows as its right side. */',
    '',
    ...categories.map(([name, members]) => definition(name, members.map(symbolOf).join(' | '))),
    '',
    '/* Names of functions are labels unless "(", "by (" or "without (" follows. */',
    '/* Read by the lexer. Blanks, line ends, comments from # or // to the end of the line and between /* and * / may stand between tokens. */',
    '',
    ...LEXICAL.map(([name, text]) => `${name} ::= ${text}`),
    '',
  ].join('\n')
}
