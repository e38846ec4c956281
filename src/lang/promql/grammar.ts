import type { ISerializedGast, TokenType } from 'chevrotain'
import { PromqlParser } from './parser.ts'
import { vocabulary } from './tokens.ts'

/** One piece of the rule graph as the parser tells it. */
interface Piece extends ISerializedGast {
  readonly name?: string
  readonly nonTerminalName?: string
  readonly label?: string
  readonly definition?: Piece[]
}

const WIDTH = 110

/** What the lexer reads by hand. */
const LEXICAL: readonly (readonly [name: string, definition: string])[] = [
  ['NumberToken', '[0-9]+ ("." [0-9]*)? ([eE] [+-]? [0-9]+)? | "." [0-9]+ … | "0" [xX] [0-9a-fA-F]+ | "inf" | "nan"'],
  [
    'DurationToken',
    '([0-9]+ "y")? ([0-9]+ "w")? ([0-9]+ "d")? ([0-9]+ "h")? ([0-9]+ "m")? ([0-9]+ "s")? ([0-9]+ "ms")?',
  ],
  ['StringToken', "'\"' (char | escape)* '\"' | \"'\" (char | escape)* \"'\" | '`' anything* '`'"],
  ['Identifier', '[A-Za-z_] [A-Za-z0-9_]*'],
  ['MetricIdentifier', '[A-Za-z_:] [A-Za-z0-9_:]*, with at least one colon'],
]

const PUBLIC_NAMES: ReadonlyMap<string, string> = new Map([
  ['NumberToken', 'Number'],
  ['DurationToken', 'Duration'],
  ['StringToken', 'String'],
])

function publicName(name: string): string {
  return PUBLIC_NAMES.get(name) ?? name
}

const labels: ReadonlyMap<string, string> = new Map(
  vocabulary.filter((type) => type.LABEL !== undefined).map((type) => [type.name, type.LABEL!]),
)

function terminal(name: string): string {
  const label = labels.get(name)
  return label === undefined ? publicName(name) : `"${label}"`
}

function sequence(pieces: readonly Piece[]): string {
  return pieces.map((piece) => print(piece)).join(' ')
}

/** In parentheses, unless it is one symbol. */
function group(pieces: readonly Piece[]): string {
  const text = sequence(pieces)
  const isOne = pieces.length === 1 && (pieces[0]?.type === 'Terminal' || pieces[0]?.type === 'NonTerminal')
  return isOne || (pieces.length === 1 && text.startsWith('(') && text.endsWith(')')) ? text : `(${text})`
}

function print(piece: Piece): string {
  const inside = piece.definition ?? []
  switch (piece.type) {
    case 'Terminal':
      return terminal(piece.name ?? '')
    case 'NonTerminal':
      return piece.nonTerminalName ?? piece.name ?? ''
    case 'Alternation':
      return `(${inside.map((alternative) => print(alternative)).join(' | ')})`
    case 'Option':
      return `${group(inside)}?`
    case 'Repetition':
      return `${group(inside)}*`
    case 'RepetitionMandatory':
      return `${group(inside)}+`
    default:
      return sequence(inside)
  }
}

/** Splits at the bars that stand in no parentheses and no quotes. */
function alternatives(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let isQuoted = false
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) {
      parts.push(text.slice(from, i).trim())
      from = i + 1
    }
  }
  return [...parts, text.slice(from).trim()]
}

function printRule(name: string, body: string): string {
  const line = `${name} ::= ${body}`
  if (line.length <= WIDTH) return line
  const parts = alternatives(body)
  return `${name}\n  ::= ${parts.join('\n    | ')}`
}

/** Takes the parentheses off an alternation that is a whole rule. */
function bodyOf(rule: Piece): string {
  const inside = rule.definition ?? []
  const [only] = inside
  if (inside.length === 1 && only?.type === 'Alternation') {
    return (only.definition ?? []).map((alternative) => print(alternative)).join(' | ')
  }
  return sequence(inside)
}

function membersOf(category: TokenType): readonly string[] {
  return vocabulary.filter((type) => type.CATEGORIES?.includes(category)).map((type) => terminal(type.name))
}

function wrapWords(words: readonly string[]): string {
  const lines: string[] = ['']
  for (const word of words) {
    const last = lines.length - 1
    const piece = lines[last] === '' ? word : `${lines[last]} | ${word}`
    if (piece.length <= WIDTH - 20 || lines[last] === '') lines[last] = piece
    else lines.push(word)
  }
  return lines.join('\n    | ')
}

/** The rules a piece names, in order. */
function namedRules(piece: Piece): readonly string[] {
  if (piece.type === 'NonTerminal') return [piece.nonTerminalName ?? piece.name ?? '']
  return (piece.definition ?? []).flatMap((inner) => namedRules(inner))
}

/** From the first rule down, each rule after the one that first needs it. */
function inReadingOrder(rules: readonly Piece[], first: string): readonly Piece[] {
  const byName = new Map(rules.map((rule) => [rule.name ?? '', rule]))
  const ordered = new Set<string>([first])
  // A set that grows while it is walked is walked to its end.
  for (const name of ordered) for (const next of namedRules(byName.get(name)!)) ordered.add(next)
  return [...ordered].map((name) => byName.get(name)!)
}

/** The grammar as EBNF, written from the parser's own rules. */
export function promqlGrammar(): string {
  const rules = new PromqlParser().getSerializedGastProductions() as Piece[]
  const categories = vocabulary.map((type) => [type.name, membersOf(type)] as const).filter(([, all]) => all.length > 0)
  return [
    '/* PromQL. Written from the rules of the parser; do not edit. Keywords are read in any case. */',
    '',
    ...inReadingOrder(rules, 'query').map((rule) => printRule(rule.name ?? '', bodyOf(rule))),
    '',
    '/* Precedence, lowest first: or; and unless; == != > < >= <= </ >/; + -; * / % atan2 and signs; ^ (to the right). */',
    '',
    ...categories.map(([name, members]) => {
      const body = members.join(' | ')
      return name.length + body.length + 5 <= WIDTH ? `${name} ::= ${body}` : `${name}\n  ::= ${wrapWords(members)}`
    }),
    '',
    '/* Read by the lexer. Blanks, line ends and comments from # to the end of the line may stand between tokens. */',
    '',
    ...LEXICAL.map(([name, definition]) => `${publicName(name)} ::= ${definition}`),
    '',
  ].join('\n')
}
