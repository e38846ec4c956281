import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Regex } from '../../base/index.ts'
import type { SeedReport } from '../../fuzz/index.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { addToLedger, carryLedger, endOfUntested, firstUntested, ledgerTotal, readLedger } from './fuzz-ledger.ts'

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
  readonly only?: Regex
  readonly progress: (cases: number) => void
}

export interface FuzzArguments {
  readonly runs: string
  readonly seed: string
  readonly keep?: string
  readonly ledger?: string
  readonly source: string
  readonly maxFailures: string
  readonly quiet?: boolean
  readonly only?: string
  readonly carry?: string
  readonly change?: string
}

/** One kind of question: how cases run, and how what they came to is told. */
export interface Vocabulary<R extends FuzzReportBase> {
  /** Changes when the code that a ledger speaks of does. */
  readonly fingerprint: (sourceFolder: string) => string
  /** Cases after which a ledger is written. */
  readonly chunkCases: number
  readonly run: (options: FuzzRunOptions) => Promise<R>
  /** A failure in words, without a line break at its end. */
  readonly failureText: (failure: R['failures'][number]) => string
  /** Name and content of the file that keeps a failure, where there is a form for it. */
  readonly keptFile?: (
    failure: R['failures'][number],
    index: number,
  ) => { readonly name: string; readonly text: string }
  /** Lines and a sentence about the whole run; seconds and ledger follow. */
  readonly summary: (report: R) => { readonly lines: readonly string[]; readonly sentence: string }
  /** Whether cases can be left out by what their query shows. */
  readonly isSelective?: boolean
  /** Whether a run without a failure has tested all it should. */
  readonly isWhole?: (report: R) => boolean
}

function isMap(value: unknown): value is ReadonlyMap<string, number> {
  return value instanceof Map
}

/** Two reports of one fuzzer as one: counts add up, of `slowest…` the larger stays, sets and lists come together, flags must hold in both. */
export function mergedReports<R extends FuzzReportBase>(a: R, b: R): R {
  const both = Object.entries(b).map(([name, right]: [string, unknown]) => {
    const left: unknown = (a as unknown as Readonly<Record<string, unknown>>)[name]
    if (typeof left === 'number' && typeof right === 'number')
      return [name, name.startsWith('slowest') ? Math.max(left, right) : left + right]
    if (typeof left === 'boolean') return [name, left && right]
    if (Array.isArray(left) && Array.isArray(right)) return [name, [...(left as unknown[]), ...(right as unknown[])]]
    if (left instanceof Set && right instanceof Set) return [name, new Set<unknown>([...left, ...right])]
    if (!isMap(left) || !isMap(right)) return [name, right]
    const sums = new Map(left)
    for (const [key, count] of right) sums.set(key, (sums.get(key) ?? 0) + count)
    return [name, sums]
  })
  return Object.fromEntries(both) as R
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

interface Progress<R> {
  readonly report: R | undefined
  /** Cases of this run that the ledger has, those of earlier runs included. */
  readonly skipped: number
}

/** For what a query shows. */
function patternOf(text: string): Regex {
  try {
    return Regex.compile(text, { isWhole: false, dotMatchesNewline: true })
  } catch (error) {
    throw new CommandError(`--only: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Runs seeds, and tells a terminal how far it is after the cases before. */
async function runPart<R extends FuzzReportBase>(
  vocabulary: Vocabulary<R>,
  part: Omit<FuzzRunOptions, 'signal' | 'progress'>,
  before: number,
  terminal: Terminal,
): Promise<R> {
  const report = await vocabulary.run({
    ...part,
    signal: terminal.signal,
    progress: (cases) => {
      if (terminal.isErrorTty) terminal.writeError(`\r\u001b[K${before + cases} cases`)
    },
  })
  if (terminal.isErrorTty) terminal.writeError('\r\u001b[K')
  return report
}

/**
 * Runs those of the recorded cases again that a change of the code can touch; when all are clean, what is recorded speaks of
 * the present code.
 */
async function carryOver<R extends FuzzReportBase>(
  vocabulary: Vocabulary<R>,
  { ledger, carry: from = '', only, change, source, maxFailures }: FuzzArguments,
  terminal: Terminal,
): Promise<Progress<R>> {
  if (ledger === undefined || only === undefined || change === undefined)
    throw new CommandError('`--carry` needs `--ledger`, `--only` and `--change`.')
  const pattern = patternOf(only)
  const most = wholeNumber(maxFailures, '--max-failures')
  const to = vocabulary.fingerprint(source)
  const entries = readLedger(ledger).entries.filter(({ semantics }) => semantics === from)
  if (entries.length === 0) throw new CommandError(`The ledger has no cases of ${from}.`)
  let report: R | undefined
  for (const { fromSeed, cases } of entries) {
    const seeds = { seed: fromSeed, runs: cases, maxFailures: most, only: pattern }
    const part = await runPart(vocabulary, seeds, report?.cases ?? 0, terminal)
    report = report === undefined ? part : mergedReports(report, part)
    if (terminal.signal.aborted || report.failures.length > 0) return { report, skipped: 0 }
  }
  if (to !== vocabulary.fingerprint(source)) throw new CommandError('The code changed during the run.', 1)
  carryLedger(ledger, { from, to, rerun: report?.cases ?? 0, change, only })
  return { report, skipped: 0 }
}

/** Runs the seeds chunk by chunk; each clean chunk is recorded at once, and seeds that are recorded are not run again. */
async function runChunks<R extends FuzzReportBase>(
  vocabulary: Vocabulary<R>,
  options: FuzzArguments,
  terminal: Terminal,
): Promise<Progress<R>> {
  const { ledger, source } = options
  const only = options.only === undefined ? undefined : patternOf(options.only)
  if (only !== undefined && ledger !== undefined)
    throw new CommandError('A ledger takes no `--only` without `--carry`.')
  const from = wholeNumber(options.seed, '--seed')
  const end = from + wholeNumber(options.runs, '--runs')
  const maxFailures = wholeNumber(options.maxFailures, '--max-failures')
  const semantics = ledger === undefined ? '' : vocabulary.fingerprint(source)
  let report: R | undefined
  let skipped = 0
  for (let seed = from; seed < end && !terminal.signal.aborted;) {
    let stop = end
    if (ledger !== undefined) {
      const recorded = readLedger(ledger)
      const next = Math.min(end, firstUntested(recorded, semantics, seed))
      skipped += next - seed
      if (next > seed) {
        seed = next
        continue
      }
      stop = endOfUntested(recorded, semantics, seed, end)
    }
    const runs = Math.min(stop - seed, vocabulary.chunkCases)
    const seeds = { seed, runs, maxFailures: maxFailures - (report?.failures.length ?? 0), only }
    const chunk = await runPart(vocabulary, seeds, report?.cases ?? 0, terminal)
    report = report === undefined ? chunk : mergedReports(report, chunk)
    if (ledger !== undefined) {
      if (semantics !== vocabulary.fingerprint(source))
        throw new CommandError('The code changed during the run; what ran since the last record was not recorded.', 1)
      const isClean = chunk.failures.length === 0 && chunk.cases > 0 && vocabulary.isWhole?.(chunk) !== false
      // What broke a law comes first; nothing is recorded beyond it.
      if (!isClean) break
      addToLedger(ledger, { fromSeed: seed, cases: chunk.cases, semantics })
    }
    if (report.failures.length >= maxFailures || (only === undefined && chunk.cases < runs)) break
    seed += runs
  }
  return { report, skipped }
}

/** Runs a fuzzer, tells what it found and records it. Throws CommandError 1 when a law is broken. */
export async function runVocabulary<R extends FuzzReportBase>(
  vocabulary: Vocabulary<R>,
  options: FuzzArguments,
  terminal: Terminal,
): Promise<void> {
  const startMs = terminal.nowMs()
  if (options.only !== undefined && vocabulary.isSelective !== true)
    throw new CommandError('These cases show no query that `--only` could look at.')
  const { report, skipped } = await (options.carry === undefined ? runChunks : carryOver)(vocabulary, options, terminal)
  const before = skipped === 0 ? '' : `, ${skipped} recorded before`
  const total =
    options.ledger === undefined
      ? ''
      : `, ledger ${ledgerTotal(readLedger(options.ledger), vocabulary.fingerprint(options.source))}`
  if (report === undefined) {
    await terminal.write(`0 cases${before}${total}\n`)
    return
  }
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
  const seconds = ((terminal.nowMs() - startMs) / 1000).toFixed(1)
  await terminal.write(`${sentence}, ${seconds} s${before}${total}\n`)
  if (report.failures.length > 0) throw new CommandError('', 1)
}

/** The options that all fuzzers share. */
export function addFuzzOptions(command: Command): Command {
  return command
    .option('--runs <n>', 'number of cases', '1000')
    .option('--seed <n>', 'first seed; the cases are those of the seeds that follow', '1')
    .option('--keep <folder>', 'write shrunk failures into this folder')
    .option('--ledger <file>', 'record what ran without a difference in this ledger; what is recorded is not run again')
    .option('--source <folder>', 'the source that the ledger speaks of', join(import.meta.dirname, '../..'))
    .option('--max-failures <n>', 'stop after so many', '10')
    .option('--quiet', 'leave out what stood in the cases')
    .option('--only <pattern>', 'only cases whose query matches')
    .option(
      '--carry <fingerprint>',
      'run the recorded cases of that code again that match --only, and let the ledger speak of this code',
    )
    .option('--change <text>', 'with --carry: what changed, and why it touches those cases alone')
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
