import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { CommandError, MAX_INT32, Regex } from '../../base/index.ts'
import { fuzzersOf, type FuzzOptions, type FuzzReport, type Fuzzer, type KeptCase } from '../../fuzz/runner/index.ts'
import { makeFolders } from '../../store/durable/index.ts'
import { scopeFuzzer } from '../../fuzz/scope/index.ts'
import type { CommandModule } from '../command.ts'
import { scopeWays } from '../scope-ways.ts'
import { shapeWays } from '../shape-ways.ts'
import type { Terminal } from '../terminal.ts'

interface FuzzArguments {
  readonly seconds?: string
  readonly runs?: string
  readonly seed?: string
  readonly only?: string
  readonly law?: string
  readonly kind?: string
  readonly matching?: string
  readonly keep?: string
  readonly maxFailures: string
  readonly minRows: string
  readonly shrink: boolean
  readonly histogram?: boolean
  readonly replay?: string
}

/** Default time of each fuzzer, s. */
const USUAL_SECONDS = 10

function wholeNumber(text: string, what: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new CommandError(`${what} needs a whole number, not \`${text}\`.`)
  return value
}

function patternOf(text: string): Regex {
  try {
    return Regex.compile(text, { isWhole: false, dotMatchesNewline: true })
  } catch (error) {
    throw new CommandError(`--matching: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function percent(number: number, of: number): string {
  return `${((100 * number) / Math.max(1, of)).toFixed(1)} %`
}

/** Formats notes on outcomes, most frequent first. Rare ones are only in the histogram. */
function notesText({ notes, cases }: FuzzReport): string {
  return [...notes]
    .filter(([note]) => !note.includes(': '))
    .toSorted(([, a], [, b]) => b - a)
    .map(([note, number]) => `, ${percent(number, cases)} ${note}`)
    .join('')
}

function histogram({ uses, notes, cases }: FuzzReport): string {
  const lines = [...uses, ...notes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, number]) => `  ${what.padEnd(36)} ${percent(number, cases).padStart(8)}\n`)
  return lines.join('')
}

/** Selects fuzzers. Throws CommandError for an unknown name or law. */
function chosen(all: readonly Fuzzer[], { only, law, kind }: FuzzArguments): readonly Fuzzer[] {
  const names = only?.split(',').map((name) => name.trim())
  const unknown = names?.find((name) => !all.some((each) => each.name === name || each.group === name))
  if (unknown !== undefined)
    throw new CommandError(`There is no fuzzer \`${unknown}\`; there are ${all.map(({ name }) => name).join(', ')}.`)
  const laws = new Set(all.flatMap((each) => each.laws))
  if (law !== undefined && !laws.has(law))
    throw new CommandError(`There is no law \`${law}\`; there are ${[...laws].join(', ')}.`)
  const fuzzers = all.filter(
    ({ name, group, laws: own }) =>
      (names === undefined ? group === undefined : names.some((each) => each === name || each === group)) &&
      (law === undefined || own.includes(law)),
  )
  if (kind === undefined) return fuzzers
  return fuzzers.map((each) => (each.name === 'scope' ? scopeFuzzer(scopeWays, kind.split(',')) : each))
}

async function replay(file: string, fuzzers: readonly Fuzzer[], terminal: Terminal): Promise<void> {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptCase
  const fuzzer = fuzzers.find(({ name }) => name === kept.fuzzer)
  if (fuzzer?.laws.includes(kept.law) !== true)
    throw new CommandError(`${file} is not a kept case: there is no law \`${kept.law}\` of \`${kept.fuzzer}\`.`)
  const message = await fuzzer.replay(kept)
  if (message !== undefined) throw new CommandError(`${kept.law} is broken: ${message}`, 1)
  await terminal.write(`${kept.law} holds\n`)
}

/** Runs one fuzzer and reports its findings; returns the number of failures. */
async function runOne(fuzzer: Fuzzer, options: FuzzOptions, given: FuzzArguments, terminal: Terminal): Promise<number> {
  const startMs = terminal.nowMs()
  const report = await fuzzer.run({
    ...options,
    signal: terminal.signal,
    progress: (cases) => {
      if (terminal.isErrorTty) terminal.writeError(`\r\u001b[K${fuzzer.name}: ${cases} cases`, 'drawn')
    },
  })
  if (terminal.isErrorTty) terminal.writeError('\r\u001b[K', 'drawn')
  if (given.histogram === true) await terminal.write(histogram(report))
  for (const { law, seed, shown, message, kept } of report.failures) {
    await terminal.write(`\n${law}, seed ${seed}: ${shown}\n  ${message}\n`)
    if (given.keep === undefined) continue
    makeFolders(given.keep)
    const file = join(given.keep, `${fuzzer.name}-${law}-${seed}.json`)
    writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`)
    await terminal.write(`  kept as ${file}\n`)
  }
  const { cases, failures, fingerprints } = report
  const distinct = fingerprints.size === 0 ? '' : `, ${fingerprints.size} distinct plans`
  const seconds = ((terminal.nowMs() - startMs) / 1000).toFixed(1)
  await terminal.write(
    `${fuzzer.name}: ${cases} cases, ${failures.length} failures${notesText(report)}${distinct}, ${seconds} s\n`,
  )
  return failures.length
}

async function run(all: readonly Fuzzer[], given: FuzzArguments, terminal: Terminal): Promise<void> {
  if (given.replay !== undefined) return replay(given.replay, all, terminal)
  const fuzzers = chosen(all, given)
  const seed = given.seed === undefined ? randomInt(MAX_INT32) : wholeNumber(given.seed, '--seed')
  const seconds =
    given.seconds === undefined
      ? given.runs === undefined
        ? USUAL_SECONDS
        : Infinity
      : wholeNumber(given.seconds, '--seconds')
  const options: FuzzOptions = {
    seed,
    timeMs: seconds * 1000,
    ...(given.runs === undefined ? {} : { runs: wholeNumber(given.runs, '--runs') }),
    maxFailures: wholeNumber(given.maxFailures, '--max-failures'),
    minRows: wholeNumber(given.minRows, '--min-rows'),
    shrinks: given.shrink,
    law: given.law,
    matching: given.matching === undefined ? undefined : patternOf(given.matching),
  }
  await terminal.write(`seed ${seed}\n`)
  let failures = 0
  for (const fuzzer of fuzzers) {
    if (terminal.signal.aborted) break
    const missing = await fuzzer.missing()
    if (missing !== undefined) {
      // A fuzzer that is selected by name must run. In a run of all fuzzers it is skipped with a message.
      if (given.only !== undefined) throw new CommandError(`${fuzzer.name} ${missing}.`)
      await terminal.write(`${fuzzer.name}: left out, ${missing}\n`)
      continue
    }
    failures += await runOne(fuzzer, options, given, terminal)
  }
  if (failures > 0) throw new CommandError('', 1)
}

function namesOf(fuzzers: readonly Fuzzer[]): string {
  return fuzzers.map(({ name, group }) => (group === undefined ? name : `${name} (of ${group})`)).join(', ')
}

/** Defines the command over a list of fuzzers. */
export function defineFuzz(command: Command, terminal: Terminal, fuzzers: readonly Fuzzer[]): void {
  command
    .option('--seconds <n>', `time of each fuzzer (default: ${USUAL_SECONDS} unless --runs is given)`)
    .option('--runs <n>', 'maximum number of cases of each fuzzer')
    .option('--seed <n>', 'first seed; later cases use the following seeds (default: a new one, printed first)')
    .option('--only <names>', `run these, separated by commas: ${namesOf(fuzzers)}`)
    .option('--law <name>', 'check only this law, on every case')
    .option('--kind <names>', 'kinds of data for `scope`, separated by commas')
    .option('--matching <pattern>', 'skip cases whose text does not match')
    .option('--keep <folder>', 'write each failing case, shrunk, into this folder')
    .option('--max-failures <n>', 'stop a fuzzer after this many failures', '10')
    .option('--min-rows <n>', 'minimum number of rows of each data set', '0')
    .option('--no-shrink', 'do not shrink failing cases')
    .option('--histogram', 'show how often each feature was drawn')
    .option('--replay <file>', 'check one saved case only')
    .action((given: FuzzArguments) => run(fuzzers, given, terminal))
}

export const define: CommandModule['define'] = (command, terminal) =>
  defineFuzz(command, terminal, fuzzersOf(scopeWays, shapeWays))
