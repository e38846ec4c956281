import type { Command } from 'commander'
import { knownDifferences, runPromqlFuzz, type PromqlFuzzReport } from '../../fuzz/promql/index.ts'
import type { CommandModule } from '../command.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { addToLedger, filesFingerprint, ledgerTotal, readLedger } from './fuzz-ledger.ts'

interface FuzzArguments {
  readonly runs: string
  readonly seed: string
  readonly ledger?: string
  readonly source: string
  readonly maxFailures: string
  readonly quiet?: boolean
}

/** Everything that an answer to a metric query depends on. */
const MEANING = [
  'base/regex.ts',
  'data/histogram-arithmetic.ts',
  'data/histogram.ts',
  'data/kahan.ts',
  'data/labels.ts',
  'plan/series',
  'lang/promql',
  'functions/series',
  'optimize/series',
  'store/samples',
  'store/sqlite/histogram-bytes.ts',
  'store/sqlite/sample-conditions.ts',
  'store/sqlite/samples.ts',
  'backends/columnar/series',
  'engine/promql.ts',
  'fuzz/promql',
]

function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new CommandError(`${what} needs a whole number, not \`${text}\`.`)
  return value
}

function histogram({ uses, cases }: PromqlFuzzReport): string {
  const lines = [...uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([use, count]) => `  ${use.padEnd(28)} ${((100 * count) / cases).toFixed(2).padStart(6)} %`)
  return `${lines.join('\n')}\n`
}

async function run(options: FuzzArguments, terminal: Terminal): Promise<void> {
  const startMs = terminal.nowMs()
  const seed = wholeNumber(options.seed, '--seed')
  const semantics = filesFingerprint(options.source, MEANING)
  const report = await runPromqlFuzz({
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
  for (const { law, seed: failing, text, message } of report.failures)
    await terminal.write(`\n${law}, seed ${failing}: ${text}\n  ${message}\n`)
  if (!report.hasSecondReader) await terminal.write('The second reader is not installed; its law was not tested.\n')
  let total = ''
  if (options.ledger !== undefined) {
    if (semantics !== filesFingerprint(options.source, MEANING))
      throw new CommandError('The code changed during the run; nothing was recorded.', 1)
    const isClean = report.failures.length === 0 && report.cases > 0 && report.hasSecondReader
    const ledger = isClean
      ? addToLedger(options.ledger, { fromSeed: seed, cases: report.cases, semantics })
      : readLedger(options.ledger)
    total = `, ledger ${ledgerTotal(ledger, semantics)}`
  }
  const share = (count: number): string => ((100 * count) / Math.max(1, report.cases)).toFixed(1)
  const seconds = ((terminal.nowMs() - startMs) / 1000).toFixed(1)
  await terminal.write(
    `${report.cases} cases, ${report.failures.length} differences, ${share(report.refused)} % refused, ${share(report.emptyAnswers)} % empty, ${knownDifferences.length} listed kinds of reader difference, ${seconds} s${total}\n`,
  )
  if (report.failures.length > 0) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .option('--runs <n>', 'number of cases', '1000')
    .option('--seed <n>', 'first seed; the cases are those of the seeds that follow', '1')
    .option('--ledger <file>', 'add a run without a difference to this ledger')
    .option('--source <folder>', 'the source that the ledger speaks of', new URL('../..', import.meta.url).pathname)
    .option('--max-failures <n>', 'stop after so many', '10')
    .option('--quiet', 'leave out what stood in the texts')
    .action((options: FuzzArguments) => run(options, terminal))
}
