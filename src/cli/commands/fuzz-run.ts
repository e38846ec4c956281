import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Regex } from '../../base/index.ts'
import type { SeedReport } from '../../fuzz/index.ts'
import { CommandError, type Terminal } from '../terminal.ts'

/** What every fuzzer tells of its run. */
export interface FuzzReportBase {
  cases: number
  readonly failures: readonly unknown[]
  /** Cases in which a feature stood. */
  readonly uses: ReadonlyMap<string, number>
}

export interface FuzzRunOptions {
  readonly seed: number
  readonly runs: number
  readonly maxFailures: number
  readonly signal: AbortSignal
  readonly only?: Regex | undefined
  readonly progress: (cases: number) => void
}

export interface FuzzArguments {
  readonly runs: string
  readonly seed: string
  readonly keep?: string
  readonly maxFailures: string
  readonly quiet?: boolean
  readonly only?: string
}

/** One kind of question: how cases run, and how what they came to is told. */
export interface Vocabulary<R extends FuzzReportBase> {
  readonly run: (options: FuzzRunOptions) => Promise<R>
  /** A failure in words, without a line break at its end. */
  readonly failureText: (failure: R['failures'][number]) => string
  /** Name and content of the file that keeps a failure, where there is a form for it. */
  readonly keptFile?: (
    failure: R['failures'][number],
    index: number,
  ) => { readonly name: string; readonly text: string }
  /** Lines and a sentence about the whole run; the seconds follow. */
  readonly summary: (report: R) => { readonly lines: readonly string[]; readonly sentence: string }
  /** Whether cases can be left out by what their query shows. */
  readonly isSelective?: boolean
}

export function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new CommandError(`${what} needs a whole number, not \`${text}\`.`)
  return value
}

function histogram({ uses, cases }: FuzzReportBase): string {
  const lines = [...uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([use, count]) => `  ${use.padEnd(30)} ${((100 * count) / cases).toFixed(2).padStart(6)} %`)
  return `${lines.join('\n')}\n`
}

/** For what a query shows. */
function patternOf(text: string): Regex {
  try {
    return Regex.compile(text, { isWhole: false, dotMatchesNewline: true })
  } catch (error) {
    throw new CommandError(`--only: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Runs a fuzzer and tells what it found. Throws CommandError 1 when a law is broken. */
export async function runVocabulary<R extends FuzzReportBase>(
  vocabulary: Vocabulary<R>,
  options: FuzzArguments,
  terminal: Terminal,
): Promise<void> {
  const startMs = terminal.nowMs()
  if (options.only !== undefined && vocabulary.isSelective !== true)
    throw new CommandError('These cases show no query that `--only` could look at.')
  const report = await vocabulary.run({
    seed: wholeNumber(options.seed, '--seed'),
    runs: wholeNumber(options.runs, '--runs'),
    maxFailures: wholeNumber(options.maxFailures, '--max-failures'),
    ...(options.only === undefined ? {} : { only: patternOf(options.only) }),
    signal: terminal.signal,
    progress: (cases) => {
      if (terminal.isErrorTty) terminal.writeError(`\r\u001b[K${cases} cases`)
    },
  })
  if (terminal.isErrorTty) terminal.writeError('\r\u001b[K')
  if (options.quiet !== true) await terminal.write(histogram(report))
  for (const [index, failure] of report.failures.entries()) {
    await terminal.write(`\n${vocabulary.failureText(failure)}\n`)
    if (options.keep === undefined || vocabulary.keptFile === undefined) continue
    mkdirSync(options.keep, { recursive: true })
    const { name, text } = vocabulary.keptFile(failure, index)
    writeFileSync(join(options.keep, name), text)
  }
  const { lines, sentence } = vocabulary.summary(report)
  for (const line of lines) await terminal.write(`${line}\n`)
  await terminal.write(`${sentence}, ${((terminal.nowMs() - startMs) / 1000).toFixed(1)} s\n`)
  if (report.failures.length > 0) throw new CommandError('', 1)
}

/** The options that all fuzzers share. */
export function addFuzzOptions(command: Command): Command {
  return command
    .option('--runs <n>', 'number of cases', '1000')
    .option('--seed <n>', 'first seed; the cases are those of the seeds that follow', '1')
    .option('--keep <folder>', 'write shrunk failures into this folder')
    .option('--max-failures <n>', 'stop after so many', '10')
    .option('--quiet', 'leave out what stood in the cases')
    .option('--only <pattern>', 'only cases whose query matches')
}

/** Refusals by code, the most frequent first. */
function refusalLines(refusals: ReadonlyMap<string, number>): string[] {
  return [...refusals].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `refused with ${code}: ${count}`)
}

/** What a run over seeds came to; `what` names its cases. */
export const seedSummary =
  (what: string) =>
  ({ cases, failures, refused, refusals, emptyAnswers, plans }: SeedReport<unknown>) => ({
    lines: refusalLines(refusals),
    sentence: `${cases} ${what}, ${failures.length} differences, ${refused} refused, ${percent(emptyAnswers, cases - refused)} % empty, ${plans.size} distinct plans`,
  })

/** The share in percent of what was counted. */
export function percent(count: number, of: number): string {
  return ((100 * count) / Math.max(1, of)).toFixed(1)
}
