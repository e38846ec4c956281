import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/base/index.ts'

export interface Mutant {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly before: string
  readonly after: string
}

interface Mutator {
  readonly kind: string
  readonly pattern: RegExp
  readonly replace: (match: string) => string
}

const swaps: Readonly<Record<string, string>> = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' + 1': ' + 2',
  ' - 1': '',
  "'asc'": "'desc'",
  "'desc'": "'asc'",
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

const mutators: readonly Mutator[] = [
  ...Object.entries(swaps).map(([from, to]) => ({
    kind: `${from.trim()} to ${to.trim() || 'nothing'}`,
    pattern: new RegExp(escaped(from)),
    replace: () => to,
  })),
  {
    kind: 'negated condition',
    pattern: /^(\s*)if \((.*)\)( return.*| continue.*| break.*|\s*\{)$/,
    replace: (match) => match.replace(/if \((.*)\)( return| continue| break|\s*\{)/, 'if (!($1))$2'),
  },
  { kind: 'dropped guard', pattern: /^\s*if \(.*\) (return|continue|break)\b.*$/, replace: () => '' },
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

/** `count` mutants chosen by seed, spread evenly over the folders. */
export function chooseMutants(root: string, seed: number, count: number): Mutant[] {
  const random = seededRandom(seed)
  const folders = [...rooms.keys()]
  const mutants: Mutant[] = []
  const taken = new Set<string>()
  while (mutants.length < count) {
    const file = random.pick(sources(root, folders[mutants.length % folders.length]))
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    const line = random.below(lines.length)
    const before = lines[line]
    const fitting = mutators.filter(({ pattern }) => pattern.test(before))
    const key = `${file}:${line}`
    if (!isCode(before) || fitting.length === 0 || taken.has(key)) continue
    taken.add(key)
    const mutator = random.pick(fitting)
    mutants.push({
      file,
      line: line + 1,
      kind: mutator.kind,
      before,
      after: before.replace(mutator.pattern, mutator.replace),
    })
  }
  return mutants
}
