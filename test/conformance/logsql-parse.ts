import { isError } from '../../src/base/index.ts'
import {
  parse,
  parseFilter,
  parsePipe,
  parseStatsCall,
  printCall,
  printerOf,
  type ParsedPart,
} from '../../src/lang/log/index.ts'
import { astOf } from './logsql-ast.ts'
import { patternStepsOf, tokensOf } from './logsql-lexis.ts'
import { renamingOf } from './logsql-rename.ts'
import { checkAll, checkFile, type Outcome, type Vector } from './outcome.ts'

interface ParseVector extends Vector {
  readonly q?: string
  readonly qb64?: string
  readonly canon?: string | undefined
  readonly ast?: unknown
  /** True if the text must be rejected, whichever file holds the vector. */
  readonly error?: boolean
}

const dialect = 'logsql'
const printer = printerOf(dialect)

type Part = (text: string) => string | readonly string[]

/**
 * Returns a function that parses and prints a text. Its result is the canonical text, or the list of error codes.
 * Diagnostics that are not errors are ignored.
 */
function part<T>(read: (text: string) => ParsedPart<T>, print: (ast: T) => string): Part {
  return (text) => {
    const { ast, diagnostics } = read(text)
    const errors = diagnostics.filter(isError)
    if (errors.length > 0) return errors.map(({ code }) => code)
    return ast === undefined ? ['nothing was read'] : print(ast)
  }
}

const query = part((text) => parse(text, { dialect }), printer.query)
const pipe = part((text) => parsePipe(text, { dialect }), printer.pipe)
const filter = part((text) => parseFilter(text, { dialect }), printer.filter)
const parts: ReadonlyMap<string, Part> = new Map([
  ['query', query],
  ['filter', query],
  ['pipe', pipe],
  [
    'stats-func',
    part(
      (text) => parseStatsCall(text, { dialect }),
      (call) => printCall(call, printer),
    ),
  ],
  ['stream-filter', filter],
])

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isErrorWanted({ error, ast }: ParseVector): boolean {
  return error === true || (ast !== null && typeof ast === 'object' && 'error' in ast && ast.error === true)
}

/** Describes how a vector fails; `undefined` if it passes. */
function checkValid(vector: ParseVector): string | undefined {
  const { kind = '', q = '', canon } = vector
  if (isErrorWanted(vector)) return checkInvalid(vector)
  const canonOf = parts.get(kind)
  if (canonOf !== undefined) {
    const printed = canonOf(q)
    if (typeof printed !== 'string') return `${show(q)} is refused: ${printed.join(', ')}`
    if (canon === undefined) return undefined
    if (printed !== canon) return `${show(q)} prints ${show(printed)}, not ${show(canon)}`
    const again = canonOf(canon)
    return again === canon ? undefined : `${show(canon)} prints again as ${show(again)}`
  }
  if (kind === 'tokens') return differs(q, tokensOf(q), vector.ast)
  if (kind === 'pattern-steps') return differs(q, patternStepsOf(q), vector.ast)
  if (kind === 'filter-ast') {
    const { ast, diagnostics } = parseFilter(q, { dialect })
    if (ast === undefined || diagnostics.length > 0)
      return `${show(q)} is refused: ${diagnostics.map(({ code }) => code).join(', ')}`
    return differs(q, astOf(ast), vector.ast)
  }
  return `is of a kind that is not known: ${show(kind)}`
}

function differs(q: string, actual: unknown, expected: unknown): string | undefined {
  const [a, b] = [sorted(actual), sorted(expected)]
  return a === b ? undefined : `${show(q)} gives ${a}, not ${b}`
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function isRefused(canonOf: Part, text: string): boolean {
  return typeof canonOf(text) !== 'string'
}

/** True if a text of this kind is rejected; `undefined` for an unknown kind. */
function refusalOf(kind: string, q: string): boolean | undefined {
  const canonOf = parts.get(kind)
  if (canonOf !== undefined) return isRefused(canonOf, q)
  switch (kind) {
    case 'extract-pattern':
      return isRefused(pipe, `extract ${JSON.stringify(q)}`)
    case 'pattern-steps':
      return typeof patternStepsOf(q) === 'string'
    case 'filter-ast':
      return isRefused(filter, q)
    default:
      return undefined
  }
}

function checkInvalid({ kind = '', q = '' }: ParseVector): string | undefined {
  const isRight = refusalOf(kind, q)
  if (isRight === undefined) return `is of a kind that is not known: ${show(kind)}`
  if (!isRight) return `${kind} ${show(q)} is accepted`
  if (kind === 'pipe' && !isRefused(query, `* | ${q}`)) return `${show(`* | ${q}`)} is accepted`
  return undefined
}

/**
 * Returns the vector with other names, drawn from `seed`. Returns it unchanged without a seed, or if no renaming is
 * possible.
 */
function renamed(vector: ParseVector, seed: number | undefined): ParseVector {
  if (seed === undefined) return vector
  const { id = '', q = '', canon, ast } = vector
  const renaming = renamingOf(id, seed, q, undefined, [canon, valuesOf(ast)])
  if (!renaming.isChanged) return vector
  return { ...vector, q: renaming.text(q), canon: canon && renaming.text(canon), ast: withValues(ast, renaming.text) }
}

const isOwnName = (name: string): boolean => name === 'type' || name === 'b64'

/** Returns the strings in a syntax tree, except the values of `type` and `b64`, to which renaming does not apply. */
function valuesOf(ast: unknown): readonly unknown[] {
  if (typeof ast === 'string') return [ast]
  if (ast === null || typeof ast !== 'object') return []
  return Object.entries(ast).flatMap(([name, member]) => (isOwnName(name) ? [] : valuesOf(member)))
}

function withValues(ast: unknown, text: (text: string) => string): unknown {
  if (typeof ast === 'string') return text(ast)
  if (Array.isArray(ast)) return ast.map((item) => withValues(item, text))
  if (ast === null || typeof ast !== 'object') return ast
  return Object.fromEntries(
    Object.entries(ast).map(([name, member]) => [name, isOwnName(name) ? member : withValues(member, text)]),
  )
}

async function run(
  directory: string,
  file: string,
  check: (vector: ParseVector) => string | undefined,
  seed: number | undefined,
): Promise<readonly Outcome[]> {
  return checkFile<ParseVector>(directory, file, async ({ vectors }) => {
    let count = 0
    const outcome = await checkAll(file, vectors, (vector) => {
      const { q, qb64 } = vector
      if (q === undefined && qb64 === undefined) return { failure: 'has no query' }
      const own = { ...vector, q: q ?? Buffer.from(qb64 ?? '', 'base64').toString('utf8') }
      const other = renamed(own, seed)
      if (other.q !== own.q) count++
      const failure = check(other)
      return failure === undefined ? undefined : { failure }
    })
    return { ...outcome, renamed: count }
  })
}

/**
 * Checks parsing: valid queries must print in canonical form, tokens, filters and patterns must equal the recorded
 * ones, and invalid queries must be rejected.
 */
export async function checkParsing(directory: string, seed: number | undefined): Promise<readonly Outcome[]> {
  return [
    ...(await run(directory, 'parse-valid.json', checkValid, seed)),
    ...(await run(directory, 'parse-invalid.json', checkInvalid, seed)),
  ]
}
