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

const folders = ['src/optimize', 'src/data/semantics', 'src/backends/columnar', 'src/backends/sql']

/** Code that no log query runs, or that only says how much was done. */
const excluded =
  /\/(series|drivers|dialects)\/|README|explain|measure|diagnostics|query-plan|verify-guards|table\.ts$|lints?\//

function sources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? sources(root, path) : path.endsWith('.ts') && !excluded.test(path) ? [path] : []
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
