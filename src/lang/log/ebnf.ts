import { filterDefinitions } from './filters/index.ts'
import { logParser } from './parser.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { railroadPage } from './railroad.ts'
import { grammarRules, type GrammarNode, type GrammarRule } from './rule-graph.ts'

const WIDTH = 110

/** The rules of the parser, as data. */
export function logGrammar(): readonly GrammarRule[] {
  return grammarRules(logParser().grammar())
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

function needsParentheses(node: GrammarNode): boolean {
  return node.kind === 'choice' || (node.kind === 'sequence' && node.items.length > 1)
}

function term(node: GrammarNode): string {
  const text = print(node)
  return needsParentheses(node) ? `( ${text} )` : text
}

const named: ReadonlyMap<string, string> = new Map([
  ['Word', 'word'],
  ['Identifier', 'word'],
  ['Quoted', 'quoted'],
  ['Glue', 'glue'],
])

function print(node: GrammarNode): string {
  switch (node.kind) {
    case 'token':
      return named.get(node.name) ?? `"${node.label}"`
    case 'rule':
      return node.name
    case 'sequence':
      return node.items.map((item) => (item.kind === 'choice' ? term(item) : print(item))).join(' ')
    case 'choice':
      return node.items.map(print).join(' | ')
    case 'optional':
      return `${term(node.item)}?`
    case 'repeat':
      return `${term(node.item)}${node.min === 0 ? '*' : '+'}`
  }
}

function wrapped(head: string, text: string): string {
  const lines: string[] = []
  let line = head
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > WIDTH && line.trim() !== '') {
      lines.push(line)
      line = '   '
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

/** Rules that may be used from the outside come first. */
function ordered(rules: readonly GrammarRule[]): readonly GrammarRule[] {
  const byName = new Map(rules.map((rule) => [rule.name, rule]))
  const seen = new Set<string>()
  const result: GrammarRule[] = []
  const add = (name: string): void => {
    const rule = byName.get(name)
    if (rule === undefined || seen.has(name)) return
    seen.add(name)
    result.push(rule)
    addReferences(rule.body, add)
  }
  add('logQuery')
  for (const { name } of rules) add(name)
  return result
}

function addReferences(node: GrammarNode, add: (name: string) => void): void {
  if (node.kind === 'rule') add(node.name)
  else if (node.kind === 'sequence' || node.kind === 'choice') for (const item of node.items) addReferences(item, add)
  else if (node.kind === 'optional' || node.kind === 'repeat') addReferences(node.item, add)
}

/** The grammar of the log language as text, made from the parser's own rules. */
export function logEbnf(): string {
  const nativeOnly = pipeDefinitions.filter(({ isNativeOnly }) => isNativeOnly === true).flatMap(({ names }) => names)
  const lines = [
    '# Grammar of the log language, written from the rules of the parser by its test; not read by any program.',
    '# Keywords match in any case and stay usable as words. Blanks separate tokens; `compound`, `pattern` and what follows',
    '# them need their tokens to touch, and two filters must not touch. `#` begins a comment.',
    `# Of the native dialect only: ${nativeOnly.join(', ')}, and the clauses that the reference marks so.`,
    `# ${pipeDefinitions.length} pipes, ${filterDefinitions.length} filter forms.`,
    '',
    ...lexical.map(([name, text]) => `${name} ::= ${text}`),
    '',
    ...ordered(logGrammar()).map(({ name, body }) => wrapped(`${name} ::=`, print(body))),
  ]
  return `${lines.join('\n')}\n`
}

/** A page with a railroad diagram of every rule. */
export function logRailroad(): string {
  return railroadPage(logGrammar())
}
