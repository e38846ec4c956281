import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { roundsFor, type StressRun } from '../run.ts'
import { chooseMutants, mutated, testsOf, type Mutant } from './mutate.ts'

/** Milliseconds after which a step counts as hanging. On correct source code, every step takes much less. */
const STEP_TIMEOUT_MS = 900_000
const root = resolve(import.meta.dirname, '../../..')

interface Ran {
  readonly status: number | null
  readonly text: string
}

function run(folder: string, args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    // The child gets a separate process group, so that the timeout also kills processes that it started.
    const env = { ...process.env, NO_COLOR: '1', NODE_DISABLE_COLORS: '1' }
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), STEP_TIMEOUT_MS)
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    child.stderr.on('data', (part: Buffer) => (text += part.toString()))
    child.on('close', (status) => {
      clearTimeout(timer)
      done({ status, text })
    })
  })
}

/**
 * One way to detect a mistake in a copy of the project. `look` resolves with a short description; `undefined` if it
 * finds no mistake.
 */
interface Step {
  readonly name: string
  readonly by: 'fuzz' | 'tests'
  readonly look: (folder: string) => Promise<string | undefined>
}

function fuzzStep(name: string, args: readonly string[]): Step {
  const all = ['src/cli/main.ts', 'fuzz', '--only', 'texts', '--max-failures', '1', '--no-shrink', ...args]
  return {
    name,
    by: 'fuzz',
    look: async (folder) => {
      const { status, text } = await run(folder, all)
      if (status === 0) return undefined
      return /^([a-z-]+), seed \d+/m.exec(text)?.[1] ?? (status === null ? 'ran too long' : 'crash')
    },
  }
}

function testStep(tests: readonly string[]): Step {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--reporter', 'dot', '--bail', '1']
  return {
    name: tests.join(' '),
    by: 'tests',
    look: async (folder) => {
      const { status, text } = await run(folder, [...args, ...tests])
      if (status === 0) return undefined
      return / FAIL +(\S+)/.exec(text)?.[1] ?? (status === null ? 'ran too long' : 'crash')
    },
  }
}

const small = fuzzStep('fuzz', ['--seed', '9000000', '--runs', '2500'])
const large = fuzzStep('fuzz, many rows', ['--seed', '9500000', '--runs', '40', '--min-rows', '1300'])

function stepsFor({ file }: Mutant): readonly Step[] {
  const own = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')
  const module = testStep(testsOf(file))
  return existsSync(join(root, own)) ? [testStep([own]), small, module, large] : [small, module, large]
}

function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-mutants-'))
  for (const part of [
    'src',
    'test',
    'grammar',
    'bench',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

type Fate = Step['by'] | 'survived'

async function fateOf(folder: string, mutant: Mutant, print: (line: string) => void): Promise<Fate> {
  const path = join(folder, mutant.file)
  const original = readFileSync(path, 'utf8')
  const where = `${mutant.file}:${mutant.line} [${mutant.kind}]`
  const source = mutated(folder, mutant)
  writeFileSync(path, source)
  try {
    for (const step of stepsFor(mutant)) {
      const how = await step.look(folder)
      if (how === undefined) continue
      print(`killed by ${step.by === 'fuzz' ? 'the fuzzer' : 'unit tests'}  ${where} (${how})`)
      return step.by
    }
    print(`SURVIVED  ${where}\n    ${mutant.before.trim()}\n    ${source.split('\n')[mutant.line - 1]?.trim() ?? ''}`)
    return 'survived'
  } finally {
    writeFileSync(path, original)
  }
}

/**
 * Puts one mistake at a time into a copy of the project and records which step detects it. The first steps are the unit
 * test of the file and the fuzzer over small data. Then come the unit tests of the module, and the fuzzer over more
 * rows than a zone (a block of rows with its own minimum and maximum) has. `--only PATH` selects files by a part of
 * their path.
 */
export const stress: StressRun = {
  seconds: 1800,
  options: { only: 'value' },
  async run({ seed, seconds, values, print }) {
    const only = values.get('only') ?? ''
    const folder = makeCopy()
    try {
      for (const step of [small, large]) {
        const how = await step.look(folder)
        if (how === undefined) continue
        print(`The unchanged source fails already (${step.name}: ${how}); mutants would prove nothing.`)
        return 2
      }
      const more = roundsFor(seconds)
      const fates: Fate[] = []
      for (const mutant of chooseMutants(root, seed)) {
        if (!mutant.file.includes(only)) continue
        if (!more(fates.length)) break
        fates.push(await fateOf(folder, mutant, print))
      }
      const count = (fate: Fate): number => fates.filter((each) => each === fate).length
      print(
        `${fates.length} mutants: ${count('fuzz')} killed first by the fuzzer, ${count('tests')} by unit tests, ${count('survived')} survived`,
      )
      return count('survived') > 0 ? 1 : 0
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
