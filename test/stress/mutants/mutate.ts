import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { tokensOf, type Token } from './tokens.ts'
import { present } from '../../../src/base/index.ts'

export interface Mutant {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly operator: Operator
  /**
   * Identifies the mutant by the tokens around it and its declaration, so that the layout of the file does not matter.
   */
  readonly key: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** Original line; `after` is the line with the mistake. */
  readonly before: string
  readonly after: string
}

const operators = ['negate', 'swap', 'off by one', 'dropped guard'] as const
export type Operator = (typeof operators)[number]

const replaced: Readonly<Record<string, readonly [Operator, string]>> = {
  '===': ['negate', '!=='],
  '!==': ['negate', '==='],
  '&&': ['swap', '||'],
  '||': ['swap', '&&'],
  "'asc'": ['swap', "'desc'"],
  "'desc'": ['swap', "'asc'"],
  'Math.min': ['swap', 'Math.max'],
  'Math.max': ['swap', 'Math.min'],
  '<': ['off by one', '<='],
  '<=': ['off by one', '<'],
  '>': ['off by one', '>='],
  '>=': ['off by one', '>'],
  '+ 1': ['off by one', '+ 2'],
  '- 1': ['off by one', '- 0'],
}
const PAIRS = /^(?:Math\.(?:min|max)|[+-] 1)$/
/** Number of tokens before and after a mistake that identify it. */
const AROUND = 8

interface Change {
  readonly kind: string
  readonly operator: Operator
  readonly from: number
  readonly to: number
  readonly text: string
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]?.text === '(') depth++
    if (tokens[i]?.text === ')' && --depth === 0) return i
  }
  return -1
}

/** Returns the possible mistakes that begin at a token. */
function changesAt(source: string, tokens: readonly Token[], at: number): readonly Change[] {
  const word = (offset: number): string => tokens[at + offset]?.text ?? ''
  const pair = `${word(0)} ${word(1)}`
  const call = `${word(0)}${word(1)}${word(2)}`
  for (const [from, length] of [
    [pair, 2],
    [call, 3],
    [word(0), 1],
  ] as const) {
    const found = Object.hasOwn(replaced, from) && (length === 1) !== PAIRS.test(from) ? replaced[from] : undefined
    if (found === undefined) continue
    const [operator, text] = found
    return [{ kind: `${from} to ${text}`, operator, from: at, to: at + length - 1, text }]
  }
  if (word(0) !== 'if' || word(1) !== '(') return []
  const end = closing(tokens, at + 1)
  if (end === -1) return []
  const condition = source.slice(tokens[at + 1]?.end, tokens[end]?.start)
  const isGuard = /^(?:return|continue|break)$/.test(tokens[end + 1]?.text ?? '')
  return [
    { kind: 'negated condition', operator: 'negate', from: at, to: end, text: `if (!(${condition}))` },
    ...(isGuard
      ? [{ kind: 'dropped guard', operator: 'dropped guard' as const, from: at, to: end, text: 'if (false)' }]
      : []),
  ]
}

const DECLARES = /^(?:function|class|const|interface|type)$/

/** Returns all mutants of a source text. Keys that occur repeatedly get a number. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const tokens = tokensOf(source)
  const seen = new Map<string, number>()
  const found: Mutant[] = []
  let depth = 0
  let declaration = ''
  for (const [at, { text }] of tokens.entries()) {
    if (depth === 0 && DECLARES.test(text)) declaration = tokens[at + 1]?.text ?? ''
    if (/^[{(]$/.test(text)) depth++
    if (/^[})]$/.test(text)) depth--
    for (const { kind, operator, from, to, text: changed } of changesAt(source, tokens, at)) {
      const around = tokens.slice(Math.max(0, from - AROUND), to + 1 + AROUND).map((token) => token.text)
      const known = `${declaration}: ${around.join(' ')}`
      const nth = (seen.get(`${kind} ${known}`) ?? 0) + 1
      seen.set(`${kind} ${known}`, nth)
      const start = tokens[from]?.start ?? 0
      const end = tokens[to]?.end ?? 0
      const lineStart = source.lastIndexOf('\n', start) + 1
      const lineEnd = source.indexOf('\n', start)
      found.push({
        file,
        line: source.slice(0, start).split('\n').length,
        kind,
        operator,
        key: nth === 1 ? known : `${known} (${nth})`,
        start,
        end,
        text: changed,
        before: source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd),
        after: changed,
      })
    }
  }
  return found
}

/** Folders whose code determines the answers of queries, with the unit tests of each. */
const modules: ReadonlyMap<string, readonly string[]> = new Map([
  ['src/optimize', ['test/optimize']],
  ['src/data/semantics', ['test/data']],
  ['src/backends/columnar', ['test/backends/columnar']],
  ['src/backends/sql', ['test/backends/sql']],
])

/**
 * Code without mutants, with the reason: it cannot change the answer of a log query, or no log query in a single
 * process runs it.
 */
const excluded: readonly { readonly files: RegExp; readonly why: string }[] = [
  { files: /\/series\//, why: 'metric queries, which have a fuzzer of their own' },
  { files: /\/(explain|measure|query-plan)[^/]*$/, why: 'says how a query runs, after it has' },
  { files: /diagnostics\.ts$/, why: 'words of messages' },
  { files: /\/lints\/|\/lint\.ts$/, why: 'advice' },
  { files: /\/verify-guards\.ts$/, why: 'a second look at guards: throws where they are missing' },
  { files: /\/drivers\/(child|pool|worker-process|messages)\.ts$/, why: 'queries in other processes' },
  { files: /\/index\.ts$/, why: 'lists' },
]

/** Returns the folders with unit tests of the module that contains a file. */
export function testsOf(file: string): readonly string[] {
  return [...modules].find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? []
}

function sources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory()
      ? sources(root, path)
      : path.endsWith('.ts') && !excluded.some(({ files }) => files.test(path))
        ? [path]
        : []
  })
}

function isCode({ before }: Mutant): boolean {
  return !/^\s*(import|export \*|type |interface |readonly )/.test(before) && !/invariant\(|throw /.test(before)
}

/** Returns the sort key of a mutant for `seed`. It depends only on the mutant's tokens and file. */
function rankOf(seed: number, { kind, file, key }: Mutant): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, kind, file, key]))
    .digest('hex')
}

function mutantsIn(root: string, module: string): readonly Mutant[] {
  return sources(root, module).flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')).filter(isCode))
}

/** Returns all mutants of a module, sorted by `rankOf`. */
function ranked(root: string, module: string, seed: number): Mutant[] {
  return mutantsIn(root, module)
    .map((mutant) => ({ rank: rankOf(seed, mutant), mutant }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant)
}

/** Returns the source of the mutant's file with the mistake in it. */
export function mutated(root: string, { file, start, end, text }: Mutant): string {
  const source = readFileSync(join(root, file), 'utf8')
  return source.slice(0, start) + text + source.slice(end)
}

/** True if the mutant is a different program: it can be parsed, and differs in more than its types. */
function isProgram(root: string, mutant: Mutant): boolean {
  try {
    const sound = stripTypeScriptTypes(readFileSync(join(root, mutant.file), 'utf8'))
    return stripTypeScriptTypes(mutated(root, mutant)) !== sound
  } catch {
    return false
  }
}

/**
 * Yields mutants in an order that `seed` determines, evenly over modules and operators, at most one per line. The rank
 * of each is independent of the others, so an edit of the source moves only mutants near the edited tokens.
 */
export function* chooseMutants(root: string, seed: number): Generator<Mutant> {
  const waiting = [...modules.keys()].map((module) => ranked(root, module, seed))
  const taken = new Set<string>()
  const lineOf = ({ file, line }: Mutant): string => `${file}:${line}`
  let misses = 0
  for (let turn = 0; misses < waiting.length * operators.length; turn++) {
    const module = turn % waiting.length
    const operator = operators[(module + Math.floor(turn / waiting.length)) % operators.length]
    const mutant = present(waiting[module]).find(
      (each) => each.operator === operator && !taken.has(lineOf(each)) && isProgram(root, each),
    )
    if (mutant === undefined) misses++
    else {
      misses = 0
      taken.add(lineOf(mutant))
      yield mutant
    }
  }
}
