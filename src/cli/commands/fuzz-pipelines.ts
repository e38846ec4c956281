import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printPipelineCase, runPipelineFuzz, type PipelineFuzzReport } from '../../fuzz/index.ts'
import type { CommandModule } from '../command.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { addToLedger, filesFingerprint, ledgerTotal, readLedger } from './fuzz-ledger.ts'

interface FuzzArguments {
  readonly runs: string
  readonly seed: string
  readonly keep?: string
  readonly ledger?: string
  readonly source: string
  readonly maxFailures: string
  readonly quiet?: boolean
}

/** Everything that an answer to a structured query depends on. */
const MEANING = [
  'base',
  'data',
  'wire',
  'plan',
  'lang/json',
  'lang/log',
  'functions',
  'analyze',
  'optimize',
  'engine',
  'backends/rows',
  'backends/columnar',
  'backends/sql',
  'fuzz/pipeline.ts',
  'fuzz/dataset.ts',
]

function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new CommandError(`${what} needs a whole number, not \`${text}\`.`)
  return value
}

function histogram({ uses, cases }: PipelineFuzzReport): string {
  const lines = [...uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([use, count]) => `  ${use.padEnd(28)} ${((100 * count) / cases).toFixed(2).padStart(6)} %`)
  return `${lines.join('\n')}\n`
}

async function run(options: FuzzArguments, terminal: Terminal): Promise<void> {
  const startMs = terminal.nowMs()
  const seed = wholeNumber(options.seed, '--seed')
  const semantics = filesFingerprint(options.source, MEANING)
  const report = await runPipelineFuzz({
    runs: wholeNumber(options.runs, '--runs'),
    seed,
    maxFailures: wholeNumber(options.maxFailures, '--max-failures'),
    signal: terminal.signal,
    progress: (cases) => {
      if (terminal.isErrorTty) terminal.writeError(`\r\u001b[K${cases} cases`)
    },
  })
  if (terminal.isErrorTty) terminal.writeError('\r\u001b[K')
  if (options.quiet !== true) await terminal.write(histogram(report))
  for (const [index, failure] of report.failures.entries()) {
    const { law, seed: failing, body, rows, message } = failure
    await terminal.write(`\n${law}, seed ${failing}, ${rows.length} rows: ${JSON.stringify(body)}\n  ${message}\n`)
    if (options.keep === undefined) continue
    mkdirSync(options.keep, { recursive: true })
    writeFileSync(join(options.keep, `${law}-${failing}-${index}.json`), printPipelineCase(failure))
  }
  let total = ''
  if (options.ledger !== undefined) {
    if (semantics !== filesFingerprint(options.source, MEANING))
      throw new CommandError('The code changed during the run; nothing was recorded.', 1)
    const isClean = report.failures.length === 0 && report.cases > 0
    const ledger = isClean
      ? addToLedger(options.ledger, { fromSeed: seed, cases: report.cases, semantics })
      : readLedger(options.ledger)
    total = `, ledger ${ledgerTotal(ledger, semantics)}`
  }
  for (const [code, count] of report.refusals) await terminal.write(`refused with ${code}: ${count}\n`)
  const answered = Math.max(1, report.cases - report.refused)
  const empty = ((100 * report.emptyAnswers) / answered).toFixed(1)
  const seconds = ((terminal.nowMs() - startMs) / 1000).toFixed(1)
  await terminal.write(
    `${report.cases} pipelines, ${report.failures.length} differences, ${report.refused} refused, ${empty} % empty, ${report.plans.size} distinct plans, ${seconds} s${total}\n`,
  )
  if (report.failures.length > 0) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .option('--runs <n>', 'number of cases', '1000')
    .option('--seed <n>', 'first seed; the cases are those of the seeds that follow', '1')
    .option('--keep <folder>', 'write shrunk failures into this folder')
    .option('--ledger <file>', 'add a run without a difference to this ledger')
    .option('--source <folder>', 'the source that the ledger speaks of', new URL('../..', import.meta.url).pathname)
    .option('--max-failures <n>', 'stop after so many', '10')
    .option('--quiet', 'leave out what stood in the pipelines')
    .action((options: FuzzArguments) => run(options, terminal))
}
