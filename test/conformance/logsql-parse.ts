import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** One recorded call of the reference implementation. */
export interface ParseVector {
  readonly id: string
  readonly kind: string
  readonly q?: string
  readonly qb64?: string
  readonly canon?: string | undefined
  readonly ast?: unknown
}

export interface ParseOutcome {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
  /** Vectors that ran under other names. */
  readonly renamed?: number
}

const dialect = 'logsql'
const printer = printerOf(dialect)

type Part = (text: string) => string | readonly string[]

/** Reads and prints: the canonical text, or the codes of what is wrong. */
function part<T>(read: (text: string) => ParsedPart<T>, print: (ast: T) => string): Part {
  return (text) => {
    const { ast, diagnostics } = read(text)
    if (diagnostics.length > 0) return diagnostics.map(({ code }) => code)
    return ast === undefined ? ['nothing was read'] : print(ast)
  }
}

const query = part((text) => parse(text, { dialect }), printer.query)
const pipe = part((text) => parsePipe(text, { dialect }), printer.pipe)
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
  ['stream-filter', part((text) => parseFilter(text, { dialect }), printer.filter)],
])

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is wrong with a vector; `undefined` when nothing is. */
function checkValid(vector: ParseVector): string | undefined {
  const { kind, q = '', canon } = vector
  const canonOf = parts.get(kind)
  if (canonOf !== undefined && canon !== undefined) {
    const printed = canonOf(q)
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
  return `unknown kind ${kind}`
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

function checkInvalid({ kind, q = '' }: ParseVector): string | undefined {
  if (kind === 'extract-pattern') {
    return isRefused(pipe, `extract ${JSON.stringify(q)}`) ? undefined : `the pattern ${show(q)} is accepted`
  }
  const canonOf = parts.get(kind)
  if (canonOf === undefined) return `unknown kind ${kind}`
  if (!isRefused(canonOf, q)) return `${kind} ${show(q)} is accepted: ${show(canonOf(q))}`
  if (kind === 'pipe' && !isRefused(query, `* | ${q}`)) return `${show(`* | ${q}`)} is accepted`
  return undefined
}

/** The vector with other names for what it names itself. */
function renamed(vector: ParseVector, seed: number | undefined): ParseVector {
  if (seed === undefined) return vector
  const { id, q = '', canon, ast } = vector
  const renaming = renamingOf(id, seed, q, undefined, [canon, valuesOf(ast)])
  if (!renaming.isChanged) return vector
  return { ...vector, q: renaming.text(q), canon: canon && renaming.text(canon), ast: withValues(ast, renaming.text) }
}

const isOwnName = (name: string): boolean => name === 'type' || name === 'b64'

/** Texts of a tree, which has its own names for its members. */
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

function run(
  directory: string,
  name: string,
  check: (vector: ParseVector) => string | undefined,
  seed: number | undefined,
): ParseOutcome {
  const { vectors } = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as {
    readonly vectors: readonly ParseVector[]
  }
  const failures: string[] = []
  let count = 0
  for (const vector of vectors) {
    const q = vector.q ?? Buffer.from(vector.qb64 ?? '', 'base64').toString('utf8')
    const other = renamed({ ...vector, q }, seed)
    if (other.q !== q) count++
    const failure = check(other)
    if (failure !== undefined) failures.push(`${vector.id} ${failure}`)
  }
  const passed = vectors.length - failures.length
  return { file: name, passed, failed: failures.length, skipped: 0, failures, renamed: count }
}

/** Queries that are read, printed in their one form, and printed so again; tokens, filters and patterns as recorded. */
export function checkParseValid(directory: string, seed?: number): ParseOutcome {
  return run(directory, 'parse-valid', checkValid, seed)
}

/** Queries that are refused. */
export function checkParseInvalid(directory: string, seed?: number): ParseOutcome {
  return run(directory, 'parse-invalid', checkInvalid, seed)
}
