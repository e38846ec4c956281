/**
 * Puts one mistake at a time into a copy of the project and looks for what notices it: the unit test of the file, then
 * the fuzzer over small data, then the unit tests of the module, then the fuzzer over data sets with more rows than a zone
 * has. The first that fails kills the mutant. Mutants of `equivalent.json` run as well, and count for themselves.
 * `npm run trial -- mutants [--count 40] [--seed 1] [--runs 2500] [--large-runs 40] [--workers 2] [--skip-tests] [--only TEXT] [--list]`
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { present } from '../../src/base/index.ts'
import { isListed, readEquivalents, staleOf } from './equivalent.ts'
import { chooseMutants, mutated, testsOf, type Mutant } from './mutate.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2500' },
    'large-runs': { type: 'string', default: '40' },
    workers: { type: 'string', default: '2' },
    'skip-tests': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
})

/** A step on sound source may take this long; one on a mutant, so many times what the sound one took. */
const TIMEOUT_MS = 900_000
const PATIENCE = 6
const LEAST_PATIENCE_MS = 90_000
const root = resolve(import.meta.dirname, '../..')

interface Ran {
  readonly status: number | null
  readonly text: string
}

function run(folder: string, args: readonly string[], timeoutMs: number): Promise<Ran> {
  return new Promise((done) => {
    // A group of its own: a loop that never ends may be in a process that the child started.
    const env = { ...process.env, NO_COLOR: '1', NODE_DISABLE_COLORS: '1' }
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), timeoutMs)
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    child.stderr.on('data', (part: Buffer) => (text += part.toString()))
    child.on('close', (status) => {
      clearTimeout(timer)
      done({ status, text })
    })
  })
}

/** Looks for a mistake in a folder: `undefined` when it sees none, otherwise a word on how it did. */
interface Step {
  readonly name: string
  readonly by: 'fuzz' | 'tests'
  readonly look: (folder: string, timeoutMs: number) => Promise<string | undefined>
}

function fuzzStep(name: string, args: readonly string[]): Step {
  const all = ['src/cli/main.ts', 'fuzz', '--only', 'texts', '--max-failures', '1', '--no-shrink', ...args]
  return {
    name,
    by: 'fuzz',
    look: async (folder, timeoutMs) => {
      const { status, text } = await run(folder, all, timeoutMs)
      if (status === 0) return undefined
      return /^([a-z-]+), seed \d+/m.exec(text)?.[1] ?? (status === null ? 'ran too long' : 'crash')
    },
  }
}

function testStep(tests: readonly string[]): Step {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // A busy machine is not a mistake.
  const patience = ['--testTimeout', '200000', '--hookTimeout', '200000']
  const args = [vitest, 'run', '--reporter', 'dot', '--bail', '1', ...patience]
  return {
    name: tests.join(' '),
    by: 'tests',
    look: async (folder, timeoutMs) => {
      const { status, text } = await run(folder, [...args, ...tests], timeoutMs)
      if (status === 0) return undefined
      return / FAIL +(\S+)/.exec(text)?.[1] ?? (status === null ? 'ran too long' : 'crash')
    },
  }
}

const small = fuzzStep('fuzz', ['--seed', '9000000', '--runs', values.runs])
const large = fuzzStep('fuzz, many rows', ['--seed', '9500000', '--runs', values['large-runs'], '--min-rows', '1300'])

function stepsFor({ file }: Mutant): readonly Step[] {
  if (values['skip-tests']) return [small, large]
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

type Fate = Step['by'] | 'equivalent' | 'survived'

const equivalents = readEquivalents()
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function fateOf(folder: string, mutant: Mutant, soundMs: ReadonlyMap<string, number>): Promise<Fate> {
  const path = join(folder, mutant.file)
  const original = readFileSync(path, 'utf8')
  const where = `${mutant.file}:${mutant.line} [${mutant.kind}]`
  const source = mutated(folder, mutant)
  const change = `    ${mutant.before.trim()}\n    ${source.split('\n')[mutant.line - 1]?.trim() ?? ''}`
  const listed = equivalents.find((each) => isListed(each, mutant))
  writeFileSync(path, source)
  try {
    for (const step of stepsFor(mutant)) {
      const timeoutMs = Math.max(LEAST_PATIENCE_MS, PATIENCE * (soundMs.get(step.name) ?? 0))
      const how = await step.look(folder, timeoutMs)
      if (how === undefined) continue
      say(`killed by ${step.by === 'fuzz' ? 'the fuzzer' : 'unit tests'}  ${where} (${how})`)
      if (listed !== undefined) {
        say(`${change}\n    IS LISTED AS EQUIVALENT, and is not: ${listed.reason}`)
        process.exitCode = 1
      }
      return step.by
    }
    say(`${listed === undefined ? 'SURVIVED  ' : 'equivalent'}  ${where}\n${change}`)
    if (listed !== undefined) say(`    ${listed.reason}`)
    return listed === undefined ? 'survived' : 'equivalent'
  } finally {
    writeFileSync(path, original)
  }
}

/** Runs every step on sound source: how long each takes, or the first that fails. */
async function timesOf(sound: string, steps: readonly Step[]): Promise<ReadonlyMap<string, number> | string> {
  const times = new Map<string, number>()
  for (const step of steps) {
    const startMs = performance.now()
    const how = await step.look(sound, TIMEOUT_MS)
    if (how !== undefined) return `${step.name}: ${how}`
    times.set(step.name, performance.now() - startMs)
  }
  return times
}

async function main(): Promise<void> {
  const isEquivalent = (mutant: Mutant): boolean => equivalents.some((each) => isListed(each, mutant))
  const all = chooseMutants(root, Number(values.seed), Number(values.count), isEquivalent)
  const mutants = all.filter(({ file, line }) => `${file}:${line}`.includes(values.only))
  if (values.list) {
    for (const { file, line, kind, before, after } of mutants)
      say(`${file}:${line} [${kind}]\n    ${before.trim()}\n    ${after.trim()}`)
    return
  }
  const folders = Array.from({ length: Number(values.workers) }, makeCopy)
  try {
    // The folders are still sound.
    const modules = [...new Set(mutants.map(({ file }) => testsOf(file)))].map(testStep)
    const halves = [values['skip-tests'] ? [] : modules, [small, large]]
    const times = await Promise.all(
      halves.map((steps, index) => timesOf(present(folders[index % folders.length]), steps)),
    )
    const soundMs = new Map<string, number>()
    for (const time of times) {
      if (typeof time === 'string') {
        say(`The unchanged source fails already (${time}); mutants would prove nothing.`)
        process.exitCode = 2
        return
      }
      for (const [name, ms] of time) soundMs.set(name, ms)
    }
    const fates: Fate[] = []
    const waiting = [...mutants]
    await Promise.all(
      folders.map(async (folder) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
          fates.push(await fateOf(folder, mutant, soundMs))
      }),
    )
    for (const stale of staleOf(root, equivalents)) {
      say(`equivalent.json names a mutant that is no more: ${stale.key}`)
      process.exitCode = 1
    }
    const count = (fate: Fate): number => fates.filter((each) => each === fate).length
    const [fuzz, tests] = [count('fuzz'), count('tests')]
    say(
      `${fates.length} mutants: ${fuzz + tests} killed (${fuzz} first by the fuzzer, ${tests} first by unit tests), ` +
        `${count('equivalent')} equivalent (listed with reasons), ${count('survived')} survived`,
    )
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

await main()
