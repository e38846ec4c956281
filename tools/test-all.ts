import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

/**
 * `npm run test:all [-- --seed N]`: runs every test that `npm test` leaves out. A failed step does not stop the others;
 * the last lines repeat the end of its output, and list all steps. The packed package needs `npm run build` before.
 * The seed is fixed, so that every commit runs the same cases; `--seed` draws new ones.
 */
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const seed = `--seed ${values.seed}`
const foreign = 'duckdb,postgres,sqlite,duckdb-scope,postgres-scope,sqlite-scope'

interface Step {
  readonly title: string
  /** A program and its arguments, separated by single blanks. */
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
  /**
   * True if the step keeps one core busy and measures no times. Such steps run last, two at a time, and their output is
   * printed when they end.
   */
  readonly isSingle?: boolean
}

const steps: readonly Step[] = [
  { title: 'slow tests', command: 'npx vitest run --tagsFilter=slow' },
  {
    title: 'server tests, answered by worker threads',
    command: 'npx vitest related --run --passWithNoTests=false test/server/harness/loopback.ts',
    env: { SLUICE_TEST_WORKERS: '1' },
  },
  // Not `npm ci`: it fails if a registry lacks ClickHouse's libraries for other operating systems.
  { title: 'the package of ClickHouse', command: 'npm install --no-save --prefix test/clickhouse' },
  {
    title: 'tests that need ClickHouse',
    command:
      'npx vitest run test/backends/sql/engines/clickhouse test/backends/sql/clickhouse test/server/alerting/catalogs',
  },
  { title: 'each fuzzer', command: `npm run fuzz -- --seconds 12 ${seed}`, isSingle: true },
  {
    title: 'fuzzers over tables of other engines',
    command: `npm run fuzz -- --only ${foreign} --runs 800 ${seed}`,
    isSingle: true,
  },
  {
    title: 'fuzzers with small sizes',
    command: `npm run stress -- small-sizes --only texts,pipelines,promql,scope --seconds 10 ${seed}`,
    isSingle: true,
  },
  {
    title: 'the row model in the place of reference servers',
    command: `npm run stress -- differential --logs model --metrics model --seconds 12 ${seed}`,
    isSingle: true,
  },
  {
    title: 'a service within its memory',
    command: `npm run stress -- soak --seconds 120 --check ${seed}`,
    isSingle: true,
  },
  { title: 'time by length of hostile input', command: 'npm run stress -- growth' },
  {
    title: 'the questions of the bench, relative to the baseline',
    command: 'npm run bench -- --peers columnar,duckdb --baseline bench/baseline.json --budget 100',
  },
  { title: 'the packed package', command: 'npm run test:packed' },
]

/** Number of output lines that are printed again for a failed step. */
const REPEATED_LINES = 40

interface Outcome {
  readonly code: number
  readonly output: string
}

function run({ command, env, isSingle = false }: Step): Promise<Outcome> {
  const [program = '', ...args] = command.split(' ')
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd: resolve(import.meta.dirname, '..'),
      env: { ...process.env, ...env },
      stdio: ['inherit', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    const keep = (text: string): void => {
      output += text
      if (!isSingle) process.stdout.write(text)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', fail).on('close', (code) => done({ code: code ?? 1, output }))
  })
}

const outcomes: string[] = []
const endings: string[] = []

/** Runs steps one after the other. */
async function runAll(queue: Iterator<Step>): Promise<void> {
  for (let next = queue.next(); next.done !== true; next = queue.next()) {
    const { title, command, isSingle = false } = next.value
    console.log(`\n== ${title}: ${command}`)
    const startedMs = performance.now()
    const { code, output } = await run(next.value)
    const state = `${code === 0 ? 'passed' : 'FAILED'}  ${((performance.now() - startedMs) / 1000).toFixed(0).padStart(5)} s  ${title}`
    console.log(`\n== ${state}${isSingle ? `\n${output}` : ''}`)
    outcomes.push(state)
    if (code === 0) continue
    process.exitCode = 1
    endings.push(`\n== ${title} ended with ${code}:\n${output.split('\n').slice(-REPEATED_LINES).join('\n')}`)
  }
}

await runAll(steps.filter(({ isSingle }) => isSingle !== true).values())
const single = steps.filter(({ isSingle }) => isSingle === true).values()
await Promise.all([runAll(single), runAll(single)])
console.log(`${endings.join('\n')}\n\n${outcomes.join('\n')}`)
