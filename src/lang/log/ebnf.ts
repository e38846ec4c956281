import type { AnyFilterDefinition, AnyPipeDefinition } from './definition.ts'
import { filterDefinitions } from './filters/index.ts'
import { logParser } from './parser.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { ebnf, type Production } from '../kit/index.ts'

/** Returns the parser's grammar rules as data. */
export function logGrammar(): readonly Production[] {
  return logParser().grammar
}

const lexical: readonly (readonly [name: string, text: string])[] = [
  ['word', '( letter | decimal-digit | "_" )+'],
  [
    'quoted',
    'parameter | \'"\' ( character | escape )* \'"\' | "\'" ( character | escape )* "\'" | "`" character* "`"',
  ],
  ['parameter', '"$" ( letter | "_" ) ( letter | decimal-digit | "_" )*'],
  ['glue', '"+" | "-" | "/" | "." | "$"'],
  [
    'escape',
    '"\\" ( "a" | "b" | "f" | "n" | "r" | "t" | "v" | "\\" | "\'" | \'"\' | "x" hex hex | "u" hex*4 | "U" hex*8 | octal*3 )',
  ],
  ['comment', '"#" character* end-of-line'],
]

/** Names in the grammar for token types whose text varies. */
const symbols: ReadonlyMap<string, string> = new Map([
  ['Word', 'word'],
  ['Identifier', 'word'],
  ['Quoted', 'quoted'],
  ['Glue', 'glue'],
])

/** Returns the grammar of the log language as EBNF, generated from the parser's rules. */
export function logEbnf(): string {
  const namesOfNative = (definitions: readonly (AnyPipeDefinition | AnyFilterDefinition)[]): string =>
    definitions
      .filter(({ isNativeOnly }) => isNativeOnly === true)
      .flatMap(({ names }) => names)
      .join(', ')
  const lines = [
    '# Grammar of the log language, written from the rules of the parser by its test; not read by any program.',
    '# Keywords match in any case and stay usable as words. Blanks separate tokens; `compound`, `pattern` and what follows',
    '# them need their tokens to touch, and two filters must not touch. `#` begins a comment.',
    `# Of the native dialect only: the pipes ${namesOfNative(pipeDefinitions)};`,
    `# the filters ${namesOfNative(filterDefinitions)}; and the clauses that the reference marks so.`,
    `# ${pipeDefinitions.length} pipes, ${filterDefinitions.length} filter forms.`,
    '',
    ...lexical.map(([name, text]) => `${name} ::= ${text}`),
    '',
    ...ebnf(logGrammar(), 'logQuery', symbols),
  ]
  return `${lines.join('\n')}\n`
}
