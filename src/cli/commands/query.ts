import type { Command } from 'commander'
import type { Dialect, LogicalPlan } from '../../plan/index.ts'
import type { CommandModule } from '../command.ts'
import { tellDiagnostics, withCarets } from '../diagnostics-output.ts'
import { canPlace, hasLargeFile, loadFiles, PlaceLost, tellBadLines, type LoadOptions } from '../load.ts'
import { outputNamed, outputNames, type OutputName } from '../output/index.ts'
import { fieldsRead, rowsRead } from '../plan-needs.ts'
import { backendNames, emptyStore, openSession } from '../session.ts'
import type { ScanThread } from '../scan/scan-thread.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { parseRange } from '../time-option.ts'
import type { Engine, QueryOptions } from '../../engine/index.ts'
import type { FormatName, IngestReport } from '../../ingest/index.ts'
import type { MemoryStore } from '../../store/index.ts'

export interface QueryArguments {
  readonly from?: string
  readonly to?: string
  readonly format?: string
  readonly input: string
  readonly backend: string
  readonly dialect: string
  readonly table: string
  readonly explain?: boolean
  readonly stats?: boolean
  readonly quiet?: boolean
}

function oneOf<T extends string>(text: string, known: readonly T[], option: string): T {
  const found = known.find((name) => name === text)
  if (found === undefined) throw new CommandError(`${option} is one of ${known.join(', ')}, not \`${text}\`.`)
  return found
}

async function run(text: string, files: readonly string[], options: QueryArguments, terminal: Terminal): Promise<void> {
  const dialect: Dialect = oneOf(options.dialect, ['native', 'logsql'], '--dialect')
  const format: OutputName = oneOf(
    options.format ?? (terminal.isOutputTty ? 'table' : 'ndjson'),
    outputNames,
    '--format',
  )
  const input: FormatName = oneOf(options.input, ['auto', 'json', 'logfmt', 'text'], '--input')
  const nowNs = terminal.nowNs()
  const range = parseRange(options.from, options.to, nowNs)
  const planning = emptyStore()
  if (!planning.tables.has(options.table)) throw new CommandError(`There is no table ${options.table}.`)
  const asked = { range, dialect, table: options.table, nowNs, signal: terminal.signal }
  // The thread starts while the query is planned.
  const thread = hasLargeFile(files) ? new (await import('../scan/scan-thread.ts')).ScanThread() : undefined
  try {
    await withCarets(text, terminal, () =>
      answer(text, files, options, terminal, { asked, planning, format, input, thread }),
    )
  } finally {
    await thread?.close()
  }
}

interface Prepared {
  readonly asked: { readonly [K in 'range' | 'dialect' | 'table' | 'nowNs' | 'signal']: NonNullable<QueryOptions[K]> }
  readonly planning: MemoryStore
  readonly format: OutputName
  readonly input: FormatName
  readonly thread: ScanThread | undefined
}

interface Loading {
  readonly text: string
  readonly files: readonly string[]
  readonly optimized: LogicalPlan
  readonly planner: Engine
  readonly asked: Prepared['asked']
  readonly load: LoadOptions
}

interface Loaded {
  readonly store: MemoryStore
  readonly report: IngestReport
}

/** Files are read once: no index, and fields and rows that cannot matter are passed over. */
function storeFor(plan: LogicalPlan, table: string, placeField?: string): MemoryStore {
  const { timeField } = emptyStore().table(table).definition
  const keptRows = rowsRead(plan, timeField)
  return emptyStore({ isReadOnce: true, keptFields: fieldsRead(plan), keptRows, placeField })
}

async function loadAll({ files, optimized, asked, load }: Loading): Promise<Loaded> {
  const store = storeFor(optimized, asked.table)
  const report = await loadFiles(files.length === 0 ? ['-'] : files, store.table(asked.table), load)
  return { store, report }
}

/** Few rows of large files: first only what finds them is read, then these lines alone. */
async function loadLate({ text, files, optimized, planner, asked, load }: Loading): Promise<Loaded | undefined> {
  if (load.thread === undefined || !canPlace(files, load)) return undefined
  const { appendPlaces, PLACE, placesOf, placesQuery } = await import('../late-rows.ts')
  const placing = placesQuery(text, optimized, planner, asked)
  if (placing === undefined || fieldsRead(placing.plan)?.has(PLACE) !== true) return undefined
  const found = storeFor(placing.plan, asked.table, PLACE)
  let report: IngestReport
  try {
    report = await loadFiles(files, found.table(asked.table), { ...load, hasPlaces: true })
  } catch (error) {
    if (error instanceof PlaceLost) return undefined
    throw error
  }
  const { engine } = await openSession(found, 'columnar', load.terminal, 'off')
  const store = emptyStore({ isReadOnce: true })
  appendPlaces(files, await placesOf(engine, placing.text, asked), store.table(asked.table), asked.nowNs)
  return { store, report }
}

async function answer(
  text: string,
  files: readonly string[],
  options: QueryArguments,
  terminal: Terminal,
  { asked, planning, format, input, thread }: Prepared,
): Promise<void> {
  // A query with errors must not wait for the files.
  const { engine: planner } = await openSession(planning, 'columnar', terminal, 'off')
  const { optimized } = planner.plan(text, asked)
  const loading: Loading = {
    text,
    files,
    optimized,
    planner,
    asked,
    load: { format: input, nowNs: asked.nowNs, terminal, thread },
  }
  // What a query cost is told of one run over all rows.
  const isMeasured = options.explain === true || options.stats === true
  const { store, report } = (isMeasured ? undefined : await loadLate(loading)) ?? (await loadAll(loading))
  if (options.quiet !== true) tellBadLines(report, terminal)
  const session = await openSession(store, oneOf(options.backend, backendNames, '--backend'), terminal, 'warn')
  try {
    const result = session.engine.query(text, asked)
    if (terminal.isErrorTty && options.quiet !== true) tellDiagnostics(result.diagnostics, text, terminal)
    const output = outputNamed(format, asked.dialect, terminal.columns)
    await terminal.write(output.begin(result.schema))
    for await (const batch of result.batches()) {
      const piece = output.batch(batch)
      if (piece !== '') await terminal.write(piece)
    }
    await terminal.write(output.end())
    const { printExplainTree } = await import('../../engine/index.ts')
    if (options.explain === true) terminal.writeError(`${printExplainTree(result.explain())}\n`)
    if (options.stats === true) terminal.writeError(`${JSON.stringify(result.statistics(), null, 2)}\n`)
  } finally {
    await session.close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .argument('<query>', "a query of the log language, such as 'level:error | stats by (workload) count()'")
    .argument('[files...]', 'JSON lines, logfmt or plain text, gzip and zstd too; `-` or none is standard input')
    .option('--from <time>', 'start of the range: RFC 3339, a date, or a duration before now such as 1h')
    .option('--to <time>', 'end of the range, not included')
    .option('--format <name>', `${outputNames.join(', ')} (table on a terminal, else ndjson)`)
    .option('--input <name>', 'auto, json, logfmt, text', 'auto')
    .option('--backend <name>', backendNames.join(', '), 'columnar')
    .option('--dialect <name>', 'native, logsql', 'native')
    .option('--table <name>', 'the table that the files hold', 'logs')
    .option('--explain', 'show on standard error who ran what')
    .option('--stats', 'show on standard error what the query cost')
    .option('--quiet', 'say nothing of bad lines and warnings')
    .action((text: string, files: string[], options: QueryArguments) => run(text, files, options, terminal))
}
