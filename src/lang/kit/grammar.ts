import type { ISerializedGast } from 'chevrotain'
import type { TokenType } from './tokens.ts'

/**
 * A part of a grammar as Chevrotain serializes it, with the members of all types of parts. Gates (additional conditions
 * of grammar rules) are not included.
 */
export interface Production extends ISerializedGast {
  /** Name of the rule or of the referenced rule; for a terminal, name of its token type. */
  readonly name?: string
  /** Label of a terminal's token type: its fixed string, or its name. */
  readonly label?: string
  readonly definition?: Production[]
}

/** Maximum line length of a grammar file, characters. */
const WIDTH = 110

/** Returns all parts of a production that have the given type, outer parts before inner ones. */
export function productionsOf(production: Production, type: Production['type']): readonly Production[] {
  const inner = (production.definition ?? []).flatMap((child) => productionsOf(child, type))
  return production.type === type ? [production, ...inner] : inner
}

/** Returns a production as EBNF. `symbols` maps token types without a fixed text to their names in the grammar file. */
function print(production: Production, symbols: ReadonlyMap<string, string>): string {
  const { type, name = '', label = '', definition = [] } = production
  const isGroup = definition.length > 1 || definition[0]?.type === 'Alternation'
  const text = (): string => sequence(definition, symbols)
  const term = (): string => (isGroup ? `( ${text()} )` : text())
  switch (type) {
    case 'Terminal':
      return symbols.get(name) ?? `"${label}"`
    case 'NonTerminal':
      return name
    case 'Alternation':
      return definition.map((child) => print(child, symbols)).join(' | ')
    case 'Option':
      return `${term()}?`
    case 'Repetition':
      return `${term()}*`
    case 'RepetitionMandatory':
      return `${term()}+`
    default:
      return text()
  }
}

function sequence(children: readonly Production[], symbols: ReadonlyMap<string, string>): string {
  const isOne = children.length === 1
  return children
    .map((child) => (child.type === 'Alternation' && !isOne ? `( ${print(child, symbols)} )` : print(child, symbols)))
    .join(' ')
}

/** Returns a rule as `name ::= body`, with line breaks at blanks. */
export function definition(name: string, body: string): string {
  const lines: string[] = []
  let line = `${name} ::=`
  for (const word of body.split(' ')) {
    if (line.length + word.length + 1 > WIDTH && line.trim() !== '') {
      lines.push(line)
      line = '   '
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

/** Returns rules as EBNF. Each rule follows the rule that first uses it; unused rules are last. */
export function ebnf(
  rules: readonly Production[],
  first: string,
  symbols: ReadonlyMap<string, string>,
): readonly string[] {
  const byName = new Map(rules.map((rule) => [rule.name ?? '', rule]))
  const ordered = new Set<Production>()
  const add = (name: string): void => {
    const rule = byName.get(name)
    if (rule === undefined || ordered.has(rule)) return
    ordered.add(rule)
    for (const reference of productionsOf(rule, 'NonTerminal')) add(reference.name ?? '')
  }
  for (const name of [first, ...byName.keys()]) add(name)
  return [...ordered].map((rule) => definition(rule.name ?? '', print(rule, symbols)))
}

/** The parts of a grammar file that are not generated from rules. */
export interface GrammarText {
  /** Name of the grammar rule for a complete text. */
  readonly first: string
  /** Comments without comment marks: at the top, after the rules, and before the tokens. */
  readonly title: string
  readonly notes: readonly string[]
  readonly lexerNotes: readonly string[]
  /** Names and definitions of the token types whose text varies. */
  readonly lexical: readonly (readonly [name: string, definition: string])[]
}

/** Returns the grammar file of a language: its rules, its categories of tokens, and its tokens. */
export function grammarFile(rules: readonly Production[], vocabulary: readonly TokenType[], text: GrammarText): string {
  const symbols = new Map(vocabulary.flatMap(({ name, LABEL }) => (LABEL === undefined ? [[name, name] as const] : [])))
  const symbolOf = ({ name, LABEL }: TokenType): string => symbols.get(name) ?? `"${LABEL ?? ''}"`
  const categories = vocabulary
    .map((type) => [type.name, vocabulary.filter(({ CATEGORIES }) => CATEGORIES?.includes(type))] as const)
    .filter(([, members]) => members.length > 0)
  const comment = (line: string): string => `/* ${line} */`
  return [
    comment(text.title),
    '',
    ...ebnf(rules, text.first, symbols),
    '',
    ...text.notes.map(comment),
    '',
    ...categories.map(([name, members]) => definition(name, members.map(symbolOf).join(' | '))),
    '',
    ...text.lexerNotes.map(comment),
    '',
    ...text.lexical.map(([name, pattern]) => `${name} ::= ${pattern}`),
    '',
  ].join('\n')
}
