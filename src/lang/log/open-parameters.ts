import { checkArgument, isError } from '../../base/index.ts'
import type { Parameters } from '../parameter-values.ts'
import { durations, findPlaceholders, type Candidate, type Placeholders } from '../placeholders.ts'
import { checkParse, parse, type ParseOptions } from './parse.ts'
import { canon } from './print/print.ts'
import { scan } from './scan.ts'
import { Parameter } from './tokens.ts'

const numbers = (first: (i: number) => number, other: (i: number) => number): Candidate => ({
  values: (i) => [first(i), other(i)],
})
const texts = (first: (i: number) => string, other: (i: number) => string): Candidate => ({
  values: (i) => [first(i), other(i)],
})
const words = (one: string, other: string): Candidate => ({ values: () => [one, other], isWord: true })

/** Kinds of stand-in values for parameters of a text, most common kind first. */
const candidates: readonly Candidate[] = [
  // The star shows whether the printed value is quoted, because an unquoted star would be a wildcard.
  texts(
    (i) => `zqa*${i}qz`,
    (i) => `zqb*${i}qz`,
  ),
  durations(73_100_010, 73_200_010),
  numbers(
    (i) => 731_000_000_010 + i,
    (i) => 732_000_000_010 + i,
  ),
  numbers(
    (i) => Number(`0.73100${10 + i}1`),
    (i) => Number(`0.73200${10 + i}1`),
  ),
  texts(
    (i) => `2731-01-01T00:00:${10 + (i % 50)}Z`,
    (i) => `2732-01-01T00:00:${10 + (i % 50)}Z`,
  ),
  texts(
    (i) => `10.73.0.${10 + (i % 200)}`,
    (i) => `10.74.0.${10 + (i % 200)}`,
  ),
  texts(
    (i) => `fd73:${10 + i}::/32`,
    (i) => `fd74:${10 + i}::/32`,
  ),
  texts(
    (i) => `zqa${i}<zqf>`,
    (i) => `zqb${i}<zqf>`,
  ),
  texts(
    (i) => `zqa${i}(?P<zqf>x)`,
    (i) => `zqb${i}(?P<zqf>x)`,
  ),
  words('true', 'false'),
  words('monday', 'tuesday'),
  words('UTC', 'GMT'),
]

/** Names of the parameters of a text, without duplicates. */
export function parameterNames(text: string): readonly string[] {
  checkArgument(typeof text === 'string', text, 'a query text', "parameterNames('level:$level')")
  const { tokens } = scan(text, undefined, true)
  return [...new Set(tokens.flatMap(({ tokenType, image }) => (tokenType === Parameter ? [image.slice(1)] : [])))]
}

/**
 * Finds stand-in values for the parameters of a text; `undefined` if the text has none. Texts in the `logsql` dialect
 * have none, because `$name` is a word there.
 */
export function placeholdersOf(text: string, options: ParseOptions = {}): Placeholders | undefined {
  if (options.dialect === 'logsql') return undefined
  const names = parameterNames(text)
  if (names.length === 0) return undefined
  return findPlaceholders(names, candidates, (parameters) =>
    parse(text, { ...options, parameters })
      .diagnostics.filter(({ code }) => code === 'log/bad-parameter')
      .map(({ data }) => String(data['name'])),
  )
}

/**
 * Returns stand-in values with which a text parses, to inspect the structure of the query. `undefined` if the text has
 * no parameters.
 */
export function openParameters(text: string, options: ParseOptions = {}): Parameters | undefined {
  return placeholdersOf(text, options)?.values()
}

/**
 * Returns the canonical text of a query, with parameters written by name. Returns the text unchanged if it has errors,
 * or if its canonical form depends on parameter values.
 */
export function canonText(text: string, options: ParseOptions = {}): string {
  checkParse(text, options, "printText('level:error')")
  const placeholders = options.parameters === undefined ? placeholdersOf(text, options) : undefined
  const printed = (parameters: Parameters | undefined): string | undefined => {
    const { ast, diagnostics } = parse(text, { ...options, parameters })
    return diagnostics.some(isError) ? undefined : canon(ast, options.dialect)
  }
  if (placeholders === undefined) return printed(options.parameters) ?? text
  const [one, other] = [printed(placeholders.values(0)), printed(placeholders.values(1))]
  const named = one === undefined || other === undefined ? undefined : placeholders.text([one, other])
  if (named === undefined) return text
  // Parsing the result again detects parameter names that touch other text, and so would not be parsed as parameters.
  const again = canon(parse(named, { ...options, parameters: placeholders.values() }).ast, options.dialect)
  return again === one ? named : text
}
