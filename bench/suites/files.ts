import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packagedCli } from '../../test/harness/packaged.ts'
import { composite } from '../measure.ts'
import { packFile, packingNames, unpackScript } from './files/packed.ts'
import { questions, type Question } from './files/questions.ts'
import { shapeNames, writeShape } from './files/shapes.ts'

/**
 * Times single queries over files of every shape with Sluice and with DuckDB from npm: `npm run bench -- files [--mb
 * 150 --shapes pino,csv --runs 3 --packed gz,zst --folder DIR]`. Both sides are whole processes that start cold, have
 * two cores and write their rows as JSON lines. All forms of a question take turns; the minimum of each side counts. A
 * form whose answer differs fails the run.
 */
const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '150' },
    shapes: { type: 'string', default: shapeNames.join(',') },
    runs: { type: 'string', default: '3' },
    packed: { type: 'string', default: '' },
    folder: { type: 'string' },
  },
})

const megabytes = positive('mb', values.mb)
const runs = positive('runs', values.runs)

const CORES = 2
/** Enough for a gigabyte of the slowest shape on a busy machine. */
const TIMEOUT = '30m'
/** Limits a process to as many cores as both sides may use. */
const confined = availableParallelism() > CORES ? ['taskset', '-c', `0-${CORES - 1}`] : []

const DUCKDB_SCRIPT = `import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve('@duckdb/node-api'))}
const instance = await DuckDBInstance.create(':memory:', { threads: '${CORES}' })
const connection = await instance.connect()
try {
  const reader = await connection.runAndReadAll(process.argv[2])
  process.stdout.write(reader.getRowObjectsJson().map((row) => JSON.stringify(row) + '\\n').join(''))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
`

function positive(option: string, text: string): number {
  const number = Number(text)
  if (number > 0 && number < Infinity) return number
  throw new Error(`--${option} ${text}: a number above 0 is needed.`)
}

/** Splits a list of names, each of which must be known. */
function listed<Name extends string>(option: string, list: string, known: readonly Name[]): readonly Name[] {
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = known.find((each) => each === name)
      if (found === undefined) throw new Error(`--${option} ${name}: there are ${known.join(', ')}.`)
      return found
    })
}

interface Ran {
  readonly ms: number
  /** Processor milliseconds of the process and its threads, in user and system mode. */
  readonly processorMs: number
  readonly output: string
}

/** Runs a script as a process of its own. Throws when it fails. */
function run(script: string, args: readonly string[]): Ran {
  const command = ['TIMEFORMAT="%3R %3U %3S"; time "$@"', 'bash', ...confined, process.execPath, script, ...args]
  const { status, stdout, stderr } = spawnSync('bash', ['-c', ...command], { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(stderr.trim().split('\n').slice(0, -1).join('\n'))
  const [real = NaN, user = NaN, system = NaN] = stderr
    .slice(stderr.trimEnd().lastIndexOf('\n') + 1)
    .split(' ')
    .map(Number)
  return { ms: real * 1000, processorMs: (user + system) * 1000, output: stdout }
}

/**
 * Writes a time in the one form in which both sides are compared: a blank before the time of day, no zone (all are
 * UTC), no zeros at the end of the fraction.
 */
function timeText(text: string): string {
  return text
    .replace('T', ' ')
    .replace(/Z$|\+00$/, '')
    .replace(/\.0*$|(\.\d*[1-9])0*$/, '$1')
}

/**
 * Returns the rows of an answer in their order, each as one string. A number equals its text, and an empty value a
 * missing one.
 */
function rowsOf(output: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const members = Object.entries(JSON.parse(line) as Record<string, unknown>)
      return members
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => `${name}=${name === '_time' ? timeText(String(value)) : String(value)}`)
        .sort()
        .join(' ')
    })
}

/** Throws an error with the first different row when the answers differ. */
function compare(ours: readonly string[], form: string, theirs: readonly string[]): void {
  if (ours.length === 0) throw new Error('no rows: the question needs a larger file (--mb)')
  const at = ours.length === theirs.length ? ours.findIndex((row, i) => row !== theirs[i]) : 0
  if (ours.length === theirs.length && at === -1) return
  throw new Error(
    `${form}: answers differ, ${ours.length} and ${theirs.length} rows\n  sluice ${ours[at]}\n  DuckDB ${theirs[at] ?? ''}`,
  )
}

interface Times {
  readonly ms: number
  readonly processorMs: number
  readonly duckdbMs: number
  /** The DuckDB form with the smallest time. */
  readonly form: string
}

interface Scripts {
  readonly cli: string
  readonly duckdb: string
}

function timesOf({ ours, forms }: Question, file: string, { cli, duckdb }: Scripts): Times {
  let ms = Infinity
  let processorMs = Infinity
  let duckdbMs = Infinity
  let fastest = ''
  for (let i = 0; i < runs; i++) {
    const own = run(cli, ['query', ours, file, '--format', 'ndjson', '--quiet', '--timeout', TIMEOUT])
    ms = Math.min(ms, own.ms)
    processorMs = Math.min(processorMs, own.processorMs)
    const rows = rowsOf(own.output)
    for (const { name, sql } of forms) {
      const other = run(duckdb, [sql.replace('$P', () => file)])
      compare(rows, name, rowsOf(other.output))
      if (other.ms >= duckdbMs) continue
      duckdbMs = other.ms
      fastest = name
    }
  }
  return { ms, processorMs, duckdbMs, form: fastest }
}

function tell(...cells: readonly string[]): void {
  const [first = '', ...others] = cells
  const last = others.pop() ?? ''
  console.log(`${first.padEnd(26)}${others.map((cell) => cell.padStart(11)).join('')}  ${last}`.trimEnd())
}

const whole = (ms: number): string => ms.toFixed(0)

/** Runs all questions over a file and prints their times. */
function timeFile(title: string, asked: readonly Question[], file: string, scripts: Scripts): void {
  console.log(`\n${title}, ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  tell('question', 'sluice ms', 'processor', 'DuckDB ms', 'ratio', 'form of DuckDB')
  const all: Times[] = []
  for (const question of asked) {
    try {
      const times = timesOf(question, file, scripts)
      all.push(times)
      const { ms, processorMs, duckdbMs, form } = times
      tell(question.name, whole(ms), whole(processorMs), whole(duckdbMs), (ms / duckdbMs).toFixed(2), form)
    } catch (error) {
      console.log(`${question.name.padEnd(26)} FAILED ${(error as Error).message}`)
      process.exitCode = 1
    }
  }
  if (all.length === 0) return
  const duckdbTimes = all.map(({ duckdbMs }) => duckdbMs)
  const ownTimes = all.map(({ ms }) => ms)
  tell('geometric mean', '', '', '', composite(duckdbTimes, ownTimes).toFixed(2), '')
}

/** Prints the minimum time in which Node decompresses a file. */
function timeUnpacking(file: string, script: string): void {
  const ran = Array.from({ length: Math.ceil(runs) }, () => run(script, [file]))
  const least = (of: (each: Ran) => number): string => whole(Math.min(...ran.map(of)))
  tell(
    'decompression alone',
    least((each) => each.ms),
    least((each) => each.processorMs),
    '',
    '',
    '',
  )
}

async function main(made: string): Promise<void> {
  const chosen = listed('shapes', values.shapes, shapeNames)
  const packings = listed('packed', values.packed, packingNames)
  const folder = values.folder ?? made
  mkdirSync(folder, { recursive: true })
  const scripts = { cli: packagedCli(made), duckdb: join(made, 'duckdb.mjs') }
  writeFileSync(scripts.duckdb, DUCKDB_SCRIPT)
  for (const shape of chosen) {
    const file = await writeShape(folder, shape, megabytes)
    timeFile(shape, questions[shape], file, scripts)
    for (const ending of packings) {
      const packed = await packFile(file, ending)
      const script = join(made, `unpack-${ending}.mjs`)
      writeFileSync(script, unpackScript(ending))
      timeFile(`${shape}, ${ending}`, questions[shape], packed, scripts)
      timeUnpacking(packed, script)
    }
  }
}

const made = mkdtempSync(join(tmpdir(), 'sluice-files-'))
try {
  await main(made)
} finally {
  rmSync(made, { recursive: true, force: true })
}
