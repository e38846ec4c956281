/**
 * Puts one mistake at a time into a copy of the project and lets the fuzzer look for it: many cases over small data,
 * then a few over data sets with more rows than a zone has. What the fuzzer misses is given to the unit tests of the
 * room; the two are counted apart.
 * `npm run mutants -- [--count 40] [--seed 1] [--runs 2500] [--large-runs 40] [--workers 2] [--skip-tests]`
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseMutants, testsOf, type Mutant } from './mutate.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2500' },
    'large-runs': { type: 'string', default: '40' },
    workers: { type: 'string', default: '2' },
    'skip-tests': { type: 'boolean', default: false },
  },
})

const TIMEOUT_MS = 900_000
const root = resolve(import.meta.dirname, '../..')

interface Ran {
  readonly status: number | null
  readonly text: string
}

function run(folder: string, args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS })
    let text = ''
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    child.stderr.on('data', (part: Buffer) => (text += part.toString()))
    child.on('close', (status) => done({ status, text }))
  })
}

/** How the fuzzer finds a mistake; `undefined` when it does not. */
async function killedByFuzz(folder: string): Promise<string | undefined> {
  const common = ['src/cli/main.ts', 'fuzz', '--max-failures', '1', '--no-shrink', '--quiet']
  for (const args of [
    ['--seed', '9000000', '--runs', values.runs],
    ['--seed', '9500000', '--runs', values['large-runs'], '--min-rows', '1300'],
  ]) {
    const { status, text } = await run(folder, [...common, ...args])
    if (status === 0) continue
    return /^([a-z-]+), seed \d+/m.exec(text)?.[1] ?? (status === null ? 'ran too long' : 'crash')
  }
  return undefined
}

async function killedByTests(folder: string, tests: readonly string[]): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // A busy machine is no mistake.
  const patience = ['--testTimeout', '200000', '--hookTimeout', '200000']
  const options = ['run', '--config', 'test/vitest.config.ts', '--bail', '1', ...patience]
  const { status } = await run(folder, [vitest, ...options, ...tests])
  return status !== 0
}

function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-mutants-'))
  for (const part of ['src', 'test', 'grammar', 'bench', 'package.json', 'tsconfig.json', 'README.md'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

type Fate = 'fuzz' | 'tests' | undefined

async function fateOf(folder: string, mutant: Mutant): Promise<Fate> {
  const path = join(folder, mutant.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    original
      .split('\n')
      .with(mutant.line - 1, mutant.after)
      .join('\n'),
  )
  try {
    const how = await killedByFuzz(folder)
    const where = `${mutant.file}:${mutant.line} ${mutant.kind}`
    if (how !== undefined) {
      process.stdout.write(`killed by the fuzzer  ${where} (${how})\n`)
      return 'fuzz'
    }
    const isKilled = !values['skip-tests'] && (await killedByTests(folder, testsOf(mutant.file)))
    process.stdout.write(`${isKilled ? 'killed by unit tests ' : 'LIVES                '} ${where}\n`)
    process.stdout.write(`    ${mutant.before.trim()}\n    ${mutant.after.trim()}\n`)
    return isKilled ? 'tests' : undefined
  } finally {
    writeFileSync(path, original)
  }
}

const folders = Array.from({ length: Number(values.workers) }, makeCopy)
/** Stays as it is. */
const sound = makeCopy()
const mutants = chooseMutants(sound, Number(values.seed), Number(values.count))
try {
  const wrong = await killedByFuzz(sound)
  if (wrong !== undefined) {
    process.stdout.write(`The unchanged source fails already (${wrong}); mutants would prove nothing.\n`)
    process.exitCode = 2
  }
  if (process.exitCode !== 2) {
    const rooms = [...new Set(mutants.flatMap(({ file }) => testsOf(file)))]
    const soundTests = values['skip-tests'] ? Promise.resolve(true) : killedByTests(sound, rooms).then((is) => !is)
    const fates: Fate[] = []
    const waiting = [...mutants]
    await Promise.all(
      folders.map(async (folder) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
          fates.push(await fateOf(folder, mutant))
      }),
    )
    if (!(await soundTests)) {
      process.stdout.write('The unit tests of the unchanged source fail already; what they killed proves nothing.\n')
      process.exitCode = 2
    }
    const count = (fate: Fate): number => fates.filter((each) => each === fate).length
    process.stdout.write(
      `${count('fuzz') + count('tests')} of ${fates.length} mutants killed: ${count('fuzz')} by the fuzzer, ${count('tests')} by unit tests of the room only\n`,
    )
  }
} finally {
  for (const folder of [...folders, sound]) rmSync(folder, { recursive: true, force: true })
}
