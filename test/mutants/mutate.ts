import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { present } from '../../src/base/index.ts'

export interface Mutant {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly operator: Operator
  readonly before: string
  readonly after: string
}

const operators = ['negate', 'swap', 'off by one', 'dropped guard'] as const
export type Operator = (typeof operators)[number]

interface Mutator {
  readonly kind: string
  readonly operator: Operator
  readonly pattern: RegExp
  readonly replace: (match: string) => string
}

const replaced: Readonly<Record<Exclude<Operator, 'dropped guard'>, Readonly<Record<string, string>>>> = {
  negate: { ' === ': ' !== ', ' !== ': ' === ' },
  swap: {
    ' && ': ' || ',
    ' || ': ' && ',
    "'asc'": "'desc'",
    "'desc'": "'asc'",
    'Math.min': 'Math.max',
    'Math.max': 'Math.min',
  },
  'off by one': { ' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ', ' + 1': ' + 2', ' - 1': '' },
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

const mutators: readonly Mutator[] = [
  ...(['negate', 'swap', 'off by one'] as const).flatMap((operator) =>
    Object.entries(replaced[operator]).map(([from, to]) => ({
      kind: `${from.trim()} to ${to.trim() || 'nothing'}`,
      operator,
      pattern: new RegExp(escaped(from)),
      replace: () => to,
    })),
  ),
  {
    kind: 'negated condition',
    operator: 'negate',
    pattern: /^(\s*)if \((.*)\)( return.*| continue.*| break.*|\s*\{)$/,
    replace: (match) => match.replace(/if \((.*)\)( return| continue| break|\s*\{)/, 'if (!($1))$2'),
  },
  {
    kind: 'dropped guard',
    operator: 'dropped guard',
    pattern: /^\s*if \(.*\) (return|continue|break)\b.*$/,
    replace: () => '',
  },
]

/** Rooms whose code decides what a query answers, and the unit tests of each. */
const rooms: ReadonlyMap<string, readonly string[]> = new Map([
  ['src/optimize', ['test/optimize']],
  ['src/data/semantics', ['test/data']],
  ['src/backends/columnar', ['test/backends/columnar']],
  ['src/backends/sql', ['test/backends/sql']],
])

/** Code that cannot change the answer of a log query, or that no log query inside one process runs, and why. */
const excluded: readonly { readonly files: RegExp; readonly why: string }[] = [
  { files: /\/series\//, why: 'metric queries, which have a fuzzer of their own' },
  { files: /\/(explain|measure|query-plan)[^/]*$/, why: 'says how a query runs, after it has' },
  { files: /diagnostics\.ts$/, why: 'words of messages' },
  { files: /\/lints\/|\/lint\.ts$/, why: 'advice' },
  { files: /\/verify-guards\.ts$/, why: 'a second look at guards: throws where they are missing' },
  { files: /\/drivers\/(child|pool|worker-process|messages)\.ts$/, why: 'queries in other processes' },
  { files: /\/index\.ts$/, why: 'lists' },
]

/** The unit tests of the room that a file is in. */
export function testsOf(file: string): readonly string[] {
  return [...rooms].find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? []
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

function isCode(line: string): boolean {
  return (
    !/^\s*(\*|\/\/|\/\*|import|export \*|type |interface |readonly )/.test(line) && !/invariant\(|throw /.test(line)
  )
}

/** Where the choice of `seed` has this mutant: nothing but its own line and its own file decide. */
function rankOf(seed: number, mutant: Mutant, nth: number): string {
  const { kind, file, before } = mutant
  return createHash('sha256')
    .update(JSON.stringify([seed, kind, file, before.trim(), nth]))
    .digest('hex')
}

/** All mutants of a room, in the order in which `seed` takes them. */
function ranked(root: string, room: string, seed: number): Mutant[] {
  const found: { readonly rank: string; readonly mutant: Mutant }[] = []
  for (const file of sources(root, room)) {
    const seen = new Map<string, number>()
    for (const [index, before] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
      if (!isCode(before)) continue
      const nth = seen.get(before.trim()) ?? 0
      seen.set(before.trim(), nth + 1)
      for (const { kind, operator, pattern, replace } of mutators) {
        if (!pattern.test(before)) continue
        const mutant = { file, line: index + 1, kind, operator, before, after: before.replace(pattern, replace) }
        found.push({ rank: rankOf(seed, mutant, nth), mutant })
      }
    }
  }
  return found.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ mutant }) => mutant)
}

/** The text of the mutant's file with its one line changed. */
export function mutated(root: string, mutant: Mutant): string {
  const lines = readFileSync(join(root, mutant.file), 'utf8').split('\n')
  return lines.with(mutant.line - 1, mutant.after).join('\n')
}

/** Whether another program comes of it: one that can be read, and differs in more than its types. */
function isProgram(root: string, mutant: Mutant): boolean {
  try {
    const sound = stripTypeScriptTypes(readFileSync(join(root, mutant.file), 'utf8'))
    return stripTypeScriptTypes(mutated(root, mutant)) !== sound
  } catch {
    return false
  }
}

/**
 * Mutants chosen by seed, in equal parts per room and per operator, at most one a line: `count` that can be told from the
 * sound source, and those equivalent to it that came before them. Each has a rank of its own, so that an edit changes the
 * choice only where it touches a chosen line or adds one that ranks before.
 */
export function chooseMutants(
  root: string,
  seed: number,
  count: number,
  isEquivalent: (mutant: Mutant) => boolean,
): readonly Mutant[] {
  const waiting = [...rooms.keys()].map((room) => ranked(root, room, seed))
  const mutants: Mutant[] = []
  const taken = new Set<string>()
  let found = 0
  for (let turn = 0; found < count && turn <= count * operators.length; turn++) {
    const room = turn % waiting.length
    const operator = operators[(room + Math.floor(turn / waiting.length)) % operators.length]
    for (const each of present(waiting[room])) {
      const line = `${each.file}:${each.line}`
      if (each.operator !== operator || taken.has(line) || !isProgram(root, each)) continue
      taken.add(line)
      mutants.push(each)
      if (isEquivalent(each)) continue
      found++
      break
    }
  }
  return mutants
}
