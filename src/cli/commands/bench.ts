import { Option, type Command } from 'commander'
import { CommandError, MS_NS, SluiceError, at, isError, span, spanOf, type Diagnostic } from '../../base/index.ts'
import { batchOfRows, field } from '../../data/index.ts'
import type { QueryOptions } from '../../engine/index.ts'
import type { CommandModule } from '../command.ts'
import { databasesOf } from '../databases.ts'
import { tellDiagnostics } from '../diagnostics-output.ts'
import { memorySession } from '../loaded-store.ts'
import { choice } from '../options/choice-option.ts'
import { countOption } from '../options/count-option.ts'
import { recordOptionsIn } from '../options/record-options.ts'
import { parseRange, parseTimeout } from '../options/time-option.ts'
import { outputNamed } from '../output/index.ts'
import { readQueryList, type ListedQuery, type QueryList } from '../bench/query-list.ts'
import { timesOf, type RunTimes } from '../bench/run-times.ts'
import type { Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { DEFAULT_TIMEOUT_MS, lintsOfServers } from './query.ts'
import { runOptions, type QueryArguments } from '../options/query-options.ts'

const formatNames = ['table', 'json', 'ndjson', 'csv'] as const

interface BenchArguments extends Omit<QueryArguments, 'format'> {
  readonly queries?: string
  readonly runs: number
  readonly format?: (typeof formatNames)[number]
}

/** Default number of measured runs, enough for the 10th and 90th percentile. */
const USUAL_RUNS = 10
const MAX_RUNS = 10_000

/** Row count and run times of one query, or its error. */
interface Measured {
  readonly rows?: number
  readonly times?: RunTimes
  readonly diagnostics: readonly Diagnostic[]
}

/** Runs a query several times. An error of the query becomes part of the result; an interrupt rejects. */
async function measure(
  text: string,
  { engine }: Session,
  settings: QueryOptions,
  runs: number,
  terminal: Terminal,
): Promise<Measured> {
  let rows = 0
  const answer = async () => {
    const result = engine.query(text, settings)
    rows = 0
    for await (const batch of result.batches()) rows += batch.rowCount
    return result
  }
  try {
    const result = await answer()
    const diagnostics = [...result.diagnostics, ...(await result.rowAdvice()), ...(await result.advice(text))]
    const times = await timesOf(
      async () => void (await answer()),
      runs,
      () => terminal.nowMs(),
    )
    return { rows, times, diagnostics }
  } catch (error) {
    if (!(error instanceof SluiceError) || terminal.signal.aborted) throw error
    return { diagnostics: error.diagnostics }
  }
}

/** Moves a diagnostic to its position in the query file. */
function inFile(diagnostic: Diagnostic, { text, start }: ListedQuery): Diagnostic {
  const found = spanOf(diagnostic.origin) ?? span(0, text.length)
  return { ...diagnostic, origin: at(span(start + found.start, start + found.end)) }
}

/** Rounds ms to µs. */
function shownMs(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 1000) / 1000
}

const columns = ['query', 'rows', 'median_ms', 'p10_ms', 'p90_ms', 'diagnostics']
const schema = { fields: columns.map((name) => field(name)), isOpen: false }

function reportRow({ name }: ListedQuery, { rows, times, diagnostics }: Measured) {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].join(', ')
  const times3 = [times?.median, times?.p10, times?.p90].map(shownMs)
  return new Map([name, rows ?? null, ...times3, codes].map((value, i) => [columns[i] ?? '', value]))
}

/** Measures all queries and writes a row for each. */
async function report(
  { text, queries }: QueryList,
  session: Session,
  settings: QueryOptions,
  options: BenchArguments,
  terminal: Terminal,
): Promise<void> {
  const format = options.format ?? (terminal.isOutputTty ? 'table' : 'ndjson')
  const output = outputNamed(format, { dialect: 'native', textField: 'query' }, terminal)
  let hasErrors = false
  await terminal.write(output.begin(schema), output.written)
  for (const [i, query] of queries.entries()) {
    if (terminal.isErrorTty) terminal.writeError(`\r\u001b[Kquery ${i + 1} of ${queries.length}`, 'drawn')
    const measured = await measure(query.text, session, settings, options.runs, terminal)
    if (terminal.isErrorTty) terminal.writeError('\r\u001b[K', 'drawn')
    const errors = measured.diagnostics.filter(isError)
    hasErrors ||= errors.length > 0
    const reported = options.quiet === true ? errors : measured.diagnostics
    const name = options.queries === '-' ? 'queries' : options.queries
    tellDiagnostics(
      reported.map((diagnostic) => inFile(diagnostic, query)),
      text,
      terminal,
      name,
    )
    await terminal.write(output.batch(batchOfRows(schema, [reportRow(query, measured)])), output.written)
  }
  await terminal.write(await output.end(), output.written)
  if (hasErrors) throw new CommandError('', 1)
}

async function run(paths: readonly string[], options: BenchArguments, terminal: Terminal): Promise<void> {
  const { queries: path, catalog, data } = options
  if (path === undefined)
    throw new CommandError('The queries are missing: name a file that has one on each line by --queries queries.txt.')
  if (paths.length === 0 && catalog === undefined && data === undefined)
    throw new CommandError(`The data is missing: name files, as in sluice bench --queries ${path} app.log.`)
  if (path === '-' && paths.includes('-'))
    throw new CommandError('Standard input holds either the queries or the data: name a file for one of them.')
  const list = readQueryList(path)
  const nowNs = terminal.nowNs()
  const zone = recordOptionsIn(options)?.zone
  const range = parseRange(options.from, options.to, { nowNs, zone })
  const timeoutMs = options.timeout === undefined ? DEFAULT_TIMEOUT_MS : parseTimeout(options.timeout)
  const databases = await databasesOf(paths, options, terminal, list.text)
  const session = databases === undefined ? await memorySession(paths, options, terminal, 'warn') : await databases()
  const settings = {
    range,
    dialect: options.dialect,
    table: options.table,
    // Rows without a time get the current time. A range that ends now must include them.
    nowNs: nowNs + MS_NS,
    zone,
    limits: { timeoutMs },
    signal: terminal.signal,
    disabledLints: lintsOfServers,
  }
  try {
    await report(list, session, settings, options, terminal)
  } finally {
    await session.close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  runOptions(command)
    .argument(
      '[files...]',
      'the data, read once and kept in memory: files, folders, quoted patterns, or `-` for standard input',
    )
    .option(
      '--queries <file>',
      'the queries, one on each line, or `-` for standard input; a line that begins with # names the query below it',
    )
    .addOption(
      new Option('--runs <n>', 'number of measured runs of each query, after some warm-up runs')
        .argParser(countOption('--runs', MAX_RUNS))
        .default(USUAL_RUNS),
    )
    .addOption(choice('--format <name>', 'format of the report: table on a terminal, else ndjson', formatNames))
    .option('--table <name>', 'name of the table in the files', 'logs')
    .action((files: string[], options: BenchArguments) => run(files, options, terminal))
}
