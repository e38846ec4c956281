import { CommandError, MS_NS, present } from '../../base/index.ts'
import { Option, type Command } from 'commander'
import type { Dialect, LogicalPlan } from '../../plan/index.ts'
import { languageNames, type Language } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { tellDiagnostics, withCarets } from '../diagnostics-output.ts'
import {
  canRedraw,
  outputNamed,
  type OutputFormat,
  type OutputOptions,
  type OutputName,
  RunningAnswer,
} from '../output/index.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import { needing } from '../options/conditions.ts'
import { checkQueryIsNoFile, queryArgument } from '../options/query-argument.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'
import { filterRule } from '../options/where-option.ts'
import { recordOptionsIn } from '../options/record-options.ts'
import {
  fileTables,
  openSession,
  planner,
  readsStreams,
  streamFieldsOf,
  streamTables,
  tablesRead,
  withNamedTables,
} from '../session.ts'
import { databasesOf, type OpenSession } from '../databases.ts'
import { checkAlone } from '../remote/ask-server.ts'
import { tellStream } from '../stream-notes.ts'
import { checkNoTables, withTableHint, type NamedTable } from '../options/table-option.ts'
import type { QueryText, ShownAnswer } from '../logql/query-text.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange, parseTimeout, untilDeadline, untilInstant } from '../options/time-option.ts'
import type { Engine, CompiledPlan, Planner, PlanOptions, QueryOptions, QueryResult } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { streamFlow } from '../../optimize/index.ts'
import { logsTable } from '../../store/index.ts'
import type { IngestReport, RecordOptions } from '../../ingest/index.ts'

/** Totals over all reads of the files: bytes, records, and time in ms. */
type FileReadStats = Pick<IngestReport, 'bytes' | 'records' | 'generalRecords' | 'milliseconds'>

/** Lints about cost that do not apply to files, which are read whole. */
export const lintsOfServers = ['no-limit', 'wide-time-range'] as const

/** Field with the path of a row's file. */
const FILE_FIELD = '_file'

/** Default time limit, ms. */
export const DEFAULT_TIMEOUT_MS = 60_000

/** Runs a query over files, or standard input if there are none. */
export async function queryFiles(
  text: string,
  paths: readonly string[],
  options: QueryArguments,
  terminal: Terminal,
): Promise<void> {
  const { server } = options
  if (server !== undefined) return askServer(text, paths, { ...options, server }, terminal)
  const databases = await databasesOf(paths, options, terminal, text)
  if (databases !== undefined) return queryDatabases(text, databases, options, terminal)
  const { dialect, input, backend, otherTables = [] } = options
  const nowNs = terminal.nowNs()
  const zone = recordOptionsIn(options)?.zone
  const range = parseRange(options.from, options.to, { nowNs, zone })
  const timeoutMs = options.timeout === undefined ? undefined : parseTimeout(options.timeout)
  const names = paths.length === 0 ? ['-'] : paths
  // Records without a time get the time of reading. A range that ends now must include them.
  const settings = { range, dialect, table: options.table, nowNs: nowNs + MS_NS, zone }
  let isWhole = true
  const readStats: Record<keyof FileReadStats, number> = { bytes: 0, records: 0, generalRecords: 0, milliseconds: 0 }
  const running = new RunningAnswer(terminal)
  const records = recordOptionsIn(options)
  const printed = new Set<string>()
  const countRead = (report: IngestReport, said?: RecordOptions): void => {
    for (const name of Object.keys(readStats) as (keyof FileReadStats)[]) readStats[name] += report[name]
    isWhole &&= !report.passedOver.some(({ isText }) => isText)
    // If no line could be read, the answer is not reported as complete.
    isWhole &&= report.records > 0 || report.badLines === 0
    running.wipe()
    if (options.quiet === true) return
    let text = ''
    tellBadLines(report, said, { ...terminal, writeError: (line) => (text += line) })
    // Reading again for advice would repeat the same messages.
    if (text !== '' && !printed.has(text)) terminal.writeError(text)
    printed.add(text)
  }
  const onRead = (report: IngestReport): void => countRead(report, records)
  await withCarets(text, terminal, async () => {
    // Compiles before files are read, so that errors appear at once. Some backends copy all rows first.
    const compile = (said: RecordOptions | undefined): CompiledPlan =>
      compiledBy(planner(terminal, 'warn', options.table, said, otherTables), text, settings, options.reads)
    const asked = withTableHint(() => compile(records))
    checkTablesAreRead(otherTables, asked.bound)
    const { namedFiles } = await import('../../sources/files/index.ts')
    const files = namedFiles(names)
    // Each file is a stream of its own unless stream fields are given: rows of different files are not neighbours.
    const areStreams = files.paths.length > 1 && records?.streamFields === undefined && readsStreams(asked.bound)
    const said = areStreams ? { ...records, streamFields: [...streamFieldsOf(options.table), FILE_FIELD] } : records
    const compiled = areStreams ? compile(said) : asked
    const needsAll = backend !== 'columnar' || options.reads?.isWhole === true
    const flow = needsAll ? 'whole' : streamFlow(compiled.bound, standardFunctions)
    const isStream = flow !== 'whole' && (options.follow === true || (names.length === 1 && names[0] === '-'))
    if (options.follow === true && !isStream)
      throw new CommandError(
        '--follow needs a query that passes rows on or adds them up; this one needs all rows first.',
      )
    if (options.follow === true && range.endNs <= nowNs)
      throw new CommandError(
        `--follow waits for what comes from now on, and --until ${options.to ?? ''} is over: leave one of them out.`,
      )
    const limits = { timeoutMs: timeoutMs ?? (isStream ? Number.MAX_SAFE_INTEGER : DEFAULT_TIMEOUT_MS) }
    const ended = untilDeadline(terminal.signal, limits.timeoutMs)
    const hasFileNames = areStreams || options.withFileName
    const common = { ...files, format: input, options: said, hasFileNames, onRead }
    const isFromStart = options.fromStart
    const onProgress = progressOn(terminal)
    const main = isStream
      ? await streamTables(options.table, {
          ...common,
          isFromStart,
          nowNs: () => terminal.nowNs(),
          signal: options.follow === true ? untilInstant(ended, range.endNs, nowNs) : ended,
        })
      : await fileTables(options.table, { ...common, nowNs, onProgress, signal: ended })
    const ofOthers = { format: 'auto', options: records, nowNs, onRead: countRead, onProgress, signal: ended } as const
    const tables = await withNamedTables(main, otherTables, ofOthers)
    // A table appears only after the last row, but lines appear as they arrive. So streams are printed as lines.
    const shown = terminal.isOutputTty ? (isStream && flow === 'rows' ? 'logfmt' : 'table') : 'ndjson'
    const format = options.format ?? shown
    // An interrupt only ends the input of a stream. The query still answers over the rows that arrived before.
    const signal = isStream ? undefined : terminal.signal
    try {
      const isTyped = names.includes('-') && terminal.isInputTty
      const isRunning = isStream && flow === 'groups' && isRedrawn(format) && !isTyped && canRedraw(terminal)
      const runs = isRunning ? running : undefined
      if (isStream && options.quiet !== true)
        tellStream({ plan: compiled.bound, flow, isFollowed: options.follow === true, isRunning }, terminal)
      const session = await openSession(tables, backend, terminal, 'warn')
      const how = { ...settings, limits, signal }
      try {
        await answer(text, compiled, session.engine, { ...options, format, readStats }, how, terminal, runs)
      } finally {
        await session.close()
      }
    } finally {
      await tables.close()
    }
    if (isStream && terminal.signal.aborted) throw new CommandError('', 130)
    if (isStream) ended.throwIfAborted()
  })
  // The command fails because some files are missing from the answer, as messages have reported.
  if (!isWhole) throw new CommandError('', 1)
}

function compiledBy(planner: Planner, text: string, settings: PlanOptions, reads: QueryText | undefined): CompiledPlan {
  return reads?.compile(planner, settings) ?? planner.plan(text, { ...settings, disabledLints: lintsOfServers })
}

/** Throws CommandError for a named table that the query does not read. */
function checkTablesAreRead(named: readonly NamedTable[], plan: LogicalPlan): void {
  const read = tablesRead(plan)
  const unread = named.find(({ name }) => !read.has(name))
  if (unread === undefined) return
  throw new CommandError(
    `The query does not read the table ${unread.name} of --table: a subquery such as \`join by (id) (options(domain=${unread.name}) *)\` does.`,
  )
}

/** Runs a query over databases or a data folder. */
async function queryDatabases(
  text: string,
  open: OpenSession,
  options: QueryArguments,
  terminal: Terminal,
): Promise<void> {
  if (options.follow === true)
    throw new CommandError('--follow reads files; what databases and data folders take in is not followed.')
  const nowNs = terminal.nowNs()
  const zone = recordOptionsIn(options)?.zone
  const range = parseRange(options.from, options.to, { nowNs, zone })
  const session = await open()
  try {
    await withCarets(text, terminal, async () => {
      const timeoutMs = options.timeout === undefined ? DEFAULT_TIMEOUT_MS : parseTimeout(options.timeout)
      const { engine, table } = session
      const limits = { timeoutMs }
      const settings = { range, dialect: options.dialect, table, nowNs, zone, limits, signal: terminal.signal }
      const compiled = compiledBy(engine, text, settings, options.reads)
      const format = options.format ?? (terminal.isOutputTty ? 'table' : 'ndjson')
      await answer(text, compiled, engine, { ...options, format, table }, settings, terminal, undefined)
    })
  } finally {
    await session.close()
  }
}

/** Runs a query on a server. */
async function askServer(
  text: string,
  paths: readonly string[],
  options: QueryArguments & { readonly server: string },
  terminal: Terminal,
): Promise<void> {
  const { catalog, data, follow, reads } = options
  checkNoTables(options, '--server')
  checkAlone(paths, {
    '--catalog': catalog,
    '--data': data,
    '--follow (`sluice tail` follows a server)': follow,
  })
  const nowNs = terminal.nowNs()
  const timeoutMs = options.timeout === undefined ? DEFAULT_TIMEOUT_MS : parseTimeout(options.timeout)
  const format = options.format ?? (terminal.isOutputTty ? 'table' : 'ndjson')
  const asked = {
    ...options,
    key: options.key,
    backendId: options.backendId,
    range: parseRange(options.from, options.to, { nowNs }),
    nowNs,
    signal: untilDeadline(terminal.signal, timeoutMs),
    isQuiet: options.quiet === true,
  }
  const outputOf = (textField: string): OutputFormat =>
    options.output ?? outputNamed(format, outputOptionsOf(options, format, textField), terminal)
  await withCarets(text, terminal, async () => {
    if (reads === undefined) {
      const { queryServer } = await import('../remote/server-query.ts')
      return queryServer(text, asked, outputOf, terminal)
    }
    const output = outputOf(logsTable.textField ?? 'content')
    await writeRows(await reads.ofServer(asked), output, terminal)
    await terminal.write(await output.end(), output.written)
  })
}

/** True if the format can be redrawn as the answer grows. */
function isRedrawn(format: OutputName): boolean {
  return format === 'table' || format === 'chart'
}

/** Returns the output options. Throws CommandError for options that the format does not support. */
export function outputOptionsOf(
  { dialect, color, showTz: zone, spreadsheet: isForSpreadsheet }: QueryArguments,
  format: OutputName,
  textField: string,
): OutputOptions {
  if (isForSpreadsheet === true && format !== 'csv') throw new CommandError('--spreadsheet needs --format csv.')
  return { dialect, textField, color, zone, isForSpreadsheet }
}

type QuerySettings = QueryOptions & { readonly dialect: Dialect }

async function answer(
  text: string,
  compiled: CompiledPlan,
  engine: Engine,
  { format, ...options }: QueryArguments & { readonly format: OutputName; readonly readStats?: FileReadStats },
  settings: QuerySettings,
  terminal: Terminal,
  running: RunningAnswer | undefined,
): Promise<void> {
  const textField = engine.catalog.tables.get(options.table)?.textField ?? 'content'
  const outputOptions = outputOptionsOf(options, format, textField)
  const output = options.output ?? outputNamed(format, outputOptions, terminal)
  const { reads } = options
  const shown = await reads?.answer(engine, compiled, settings)
  const result = shown === undefined ? engine.queryCompiled(compiled, settings) : shown.result
  // Advice exists for the log language only.
  const isAdvised = reads === undefined && options.quiet !== true
  // Warnings about the meaning of a query are always printed, advice on its cost on a terminal only.
  const reported = result?.diagnostics.filter(({ code }) => terminal.isErrorTty || !code.startsWith('lint/')) ?? []
  if (isAdvised) tellDiagnostics(reported, text, terminal)
  await writeRows(shown ?? rowsOf(present(result)), output, terminal, () =>
    result === undefined
      ? undefined
      : running?.start(result, () => outputNamed(format, { ...outputOptions, isRunning: true }, terminal)),
  ).finally(() => running?.end())
  await terminal.write(await output.end(), output.written)
  if (result === undefined) return
  if (isAdvised) tellDiagnostics([...(await result.rowAdvice()), ...(await result.advice(text))], text, terminal)
  const { printExplainTree } = await import('../../engine/index.ts')
  if (options.explain === true) {
    await result.askPlans()
    terminal.writeError(`${printExplainTree(result.explain())}\n`)
  }
  const { readStats } = options
  if (options.explain === true && readStats !== undefined) terminal.writeError(`${readStatsText(readStats)}\n`)
  if (options.stats === true)
    terminal.writeError(`${JSON.stringify({ ...result.statistics(), ...(readStats && { readStats }) }, null, 2)}\n`)
}

function rowsOf(result: QueryResult): Pick<ShownAnswer, 'schema' | 'batches'> {
  return { schema: result.schema, batches: () => result.batches() }
}

/** Writes rows as they arrive; calls `begun` after writing the header. The caller writes the end of the output. */
async function writeRows(
  { schema, batches }: Pick<ShownAnswer, 'schema' | 'batches'>,
  output: OutputFormat,
  terminal: Terminal,
  begun = (): void => {},
): Promise<void> {
  await terminal.write(output.begin(schema), output.written)
  begun()
  for await (const batch of batches()) {
    const chunk = output.batch(batch)
    if (chunk.length > 0) await terminal.write(chunk, output.written)
  }
}

/** Returns a sentence about the files that a query read. */
function readStatsText({ bytes, records, generalRecords, milliseconds }: FileReadStats): string {
  const general = generalRecords === 0 ? '' : `, ${generalRecords} of them by the general reader`
  return `Files were read for ${milliseconds.toFixed(0)} ms: ${(bytes / 1e6).toFixed(1)} MB, ${records} records${general}.`
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(
    queryOptions(command, undefined, languageNames),
    `a query of the log language, such as 'level:error | stats by (workload) count()'. ${filterRule}`,
  )
    .argument('[files...]', filesHelp)
    .addOption(needing(new Option('--step <duration>', stepHelp), '--from'))
    .action(async (text: string, files: string[], options: LanguageArguments) => {
      const hasTables = options.server !== undefined || options.catalog !== undefined || options.data !== undefined
      checkQueryIsNoFile('query', text, files, hasTables)
      const { dialect } = options
      if (dialect !== 'logql') {
        if (options.step !== undefined) throw new CommandError('--step goes with --dialect logql.')
        return queryFiles(text, files, { ...options, dialect }, terminal)
      }
      const { readLogql } = await import('../logql/read-logql.ts')
      const reads = await readLogql(text, options, terminal)
      return queryFiles(text, files, { ...options, dialect: 'native', reads }, terminal)
    })
}

const stepHelp = 'interval between the points of a metric query in LogQL, such as 30s'

type LanguageArguments = Omit<QueryArguments, 'dialect'> & { readonly dialect: Language }
