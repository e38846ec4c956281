import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { breaks, oracles, printCase, readCase, runFuzz, type FuzzReport } from '../../fuzz/index.ts'
import type { CommandModule } from '../command.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { addToLedger, ledgerTotal, readLedger, semanticsFingerprint } from './fuzz-ledger.ts'

interface FuzzArguments {
  readonly runs: string
  readonly seed: string
  readonly replay?: string
  readonly keep?: string
  readonly ledger?: string
  readonly source: string
  readonly maxFailures: string
}

function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new CommandError(`${what} needs a whole number, not \`${text}\`.`)
  return value
}

function histogram(report: FuzzReport): string {
  const lines = [...report.uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([use, count]) => {
      const share = (100 * count) / report.cases
      return `  ${use.padEnd(24)} ${share.toFixed(2).padStart(6)} % ${'#'.repeat(Math.round(share))}`
    })
  return `${lines.join('\n')}\n`
}

async function replay(file: string, terminal: Terminal): Promise<void> {
  const kept = readCase(readFileSync(file, 'utf8'))
  const found = oracles.find(({ oracle }) => oracle.name === kept.oracle)?.oracle
  if (found === undefined) throw new CommandError(`The law \`${kept.oracle}\` of ${file} is not known.`)
  const message = await breaks(found, kept, 1)
  if (message !== undefined) throw new CommandError(`${kept.oracle} is broken: ${message}`, 1)
  await terminal.write(`${kept.oracle} holds for ${[kept.filter, ...kept.pipes].join(' | ')}\n`)
}

async function run(options: FuzzArguments, terminal: Terminal): Promise<void> {
  if (options.replay !== undefined) {
    await replay(options.replay, terminal)
    return
  }
  const startMs = terminal.nowMs()
  const runs = wholeNumber(options.runs, '--runs')
  const seed = wholeNumber(options.seed, '--seed')
  const semantics = options.ledger === undefined ? '' : semanticsFingerprint(options.source)
  const report = await runFuzz({
    runs,
    seed,
    maxFailures: wholeNumber(options.maxFailures, '--max-failures'),
    signal: terminal.signal,
    progress: (cases) => {
      if (terminal.isErrorTty) terminal.writeError(`\r\u001b[K${cases} cases`)
    },
  })
  if (terminal.isErrorTty) terminal.writeError('\r\u001b[K')
  await terminal.write(histogram(report))
  for (const [index, failure] of report.failures.entries()) {
    const text = [failure.filter, ...failure.pipes].join(' | ')
    await terminal.write(`\n${failure.oracle}, seed ${failure.seed}: ${text}\n  ${failure.message}\n`)
    if (options.keep === undefined) continue
    mkdirSync(options.keep, { recursive: true })
    writeFileSync(join(options.keep, `${failure.oracle}-${failure.seed}-${index}.json`), printCase(failure))
  }
  for (const [code, count] of report.refusals) await terminal.write(`refused with ${code}: ${count}\n`)
  const answered = Math.max(1, report.cases - report.refused)
  const empty = ((100 * report.emptyAnswers) / answered).toFixed(1)
  const seconds = ((terminal.nowMs() - startMs) / 1000).toFixed(1)
  let total = ''
  if (options.ledger !== undefined) {
    if (semantics !== semanticsFingerprint(options.source))
      throw new CommandError('The code changed during the run; nothing was recorded.', 1)
    const isClean = report.failures.length === 0 && report.cases > 0
    const ledger = isClean
      ? addToLedger(options.ledger, { fromSeed: seed, cases: report.cases, semantics })
      : readLedger(options.ledger)
    total = `, ledger ${ledgerTotal(ledger, semantics)}`
  }
  await terminal.write(
    `${report.cases} cases, ${report.failures.length} differences, ${report.refused} refused, ${empty} % empty, ${report.plans.size} distinct plans, ${seconds} s${total}\n`,
  )
  if (report.failures.length > 0) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .option('--runs <n>', 'number of cases', '1000')
    .option('--seed <n>', 'first seed; the cases are those of the seeds that follow', '1')
    .option('--replay <file>', 'check one kept failure instead')
    .option('--keep <folder>', 'write shrunk failures into this folder')
    .option('--ledger <file>', 'add a run without a difference to this ledger')
    .option('--source <folder>', 'the source that the ledger speaks of', new URL('../..', import.meta.url).pathname)
    .option('--max-failures <n>', 'stop after so many', '10')
    .action((options: FuzzArguments) => run(options, terminal))
}
