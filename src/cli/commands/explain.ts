import { Option, type Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { printExplainTree, printMermaid, printSteps, type Engine, type QueryOptions } from '../../engine/index.ts'
import { seriesTree } from '../../engine/metrics/index.ts'
import { lowerMetric, parseLogqlOrThrow, type MetricExpr } from '../../lang/logql/index.ts'
import { choice, languageNames, type Language } from '../options/choice-option.ts'
import { catalogOptions } from '../options/catalog-option.ts'
import { excluding, needing } from '../options/conditions.ts'
import type { CommandModule } from '../command.ts'
import { databasesOf } from '../databases.ts'
import { tellDiagnostics, withCarets } from '../diagnostics-output.ts'
import { filterRule } from '../options/where-option.ts'
import { queryArgument } from '../options/query-argument.ts'
import { progressOn } from '../reading.ts'
import { backendNames, fileTables, openSession, type BackendName } from '../session.ts'
import type { ExplainTree, LogicalPlan } from '../../plan/index.ts'
import { compileEntries, logqlTable } from '../logql/entries-text.ts'
import type { Terminal } from '../terminal.ts'
import {
  parseRange,
  parseTimeout,
  rangeOptions,
  timeoutHelp,
  untilDeadline,
  type RangeArguments,
} from '../options/time-option.ts'

interface ExplainArguments extends RangeArguments {
  readonly steps?: boolean
  readonly json?: boolean
  readonly mermaid?: boolean
  readonly analyze?: boolean
  readonly backend: BackendName
  readonly dialect: Language
  readonly timeout: string
  readonly catalog?: string
  readonly data?: string
  readonly backendId?: string
  readonly table?: string
  readonly requirePushdown?: number
}

async function run(
  text: string,
  paths: readonly string[],
  options: ExplainArguments,
  terminal: Terminal,
): Promise<void> {
  if (options.steps === true && (options.json === true || options.mermaid === true))
    throw new CommandError(
      `--steps is text: it cannot be given with ${options.json === true ? '--json' : '--mermaid'}.`,
    )
  const nowNs = terminal.nowNs()
  const settings = {
    range: parseRange(options.from, options.to, { nowNs }),
    ...(options.dialect === 'logql' ? {} : { dialect: options.dialect }),
    nowNs,
    signal: terminal.signal,
    limits: { timeoutMs: parseTimeout(options.timeout) },
  }
  await withCarets(text, terminal, async () => {
    const { engine, table, close } = await opened(text, paths, options, nowNs, terminal)
    try {
      await show(text, engine, { ...settings, table }, options, terminal)
    } finally {
      await close()
    }
  })
}

interface Opened {
  readonly engine: Engine
  readonly table: string | undefined
  readonly close: () => Promise<void>
}

/** Opens a catalog, a data folder, or the named files, Parquet files through DuckDB. */
async function opened(
  text: string,
  paths: readonly string[],
  options: ExplainArguments,
  nowNs: bigint,
  terminal: Terminal,
): Promise<Opened> {
  const databases = await databasesOf(paths, options, terminal, text)
  if (databases !== undefined) {
    const session = await databases()
    return { engine: session.engine, table: session.table, close: () => session.close() }
  }
  if (paths.length > 0 && options.analyze !== true)
    terminal.writeError('The files are not read: a plan needs none, and --analyze runs the query over them.\n')
  const { namedFiles } = await import('../../sources/files/index.ts')
  const signal = untilDeadline(terminal.signal, parseTimeout(options.timeout))
  const common = { ...namedFiles(paths), format: 'auto', nowNs, onProgress: progressOn(terminal), signal } as const
  const files = await fileTables('logs', common)
  const session = await openSession(files, options.backend, terminal, 'warn')
  const close = async (): Promise<void> => {
    await session.close()
    await files.close()
  }
  return { engine: session.engine, table: undefined, close }
}

async function writeTree(tree: ExplainTree, { json, mermaid }: ExplainArguments, terminal: Terminal): Promise<void> {
  if (json === true) await terminal.write(`${JSON.stringify(tree, null, 2)}\n`)
  else await terminal.write(`${mermaid === true ? printMermaid(tree) : printExplainTree(tree)}\n`)
}

/** Shows the plan of a metric query in LogQL. */
async function showMetric(
  query: MetricExpr,
  engine: Engine,
  settings: QueryOptions,
  options: ExplainArguments,
  terminal: Terminal,
): Promise<void> {
  const { steps, analyze } = options
  if (steps === true || analyze === true)
    throw new CommandError(`${steps === true ? '--steps' : '--analyze'} is for queries that give lines.`)
  const plan = lowerMetric(query, logqlTable(engine.catalog.tables, settings.table))
  const rows = (logs: LogicalPlan): ExplainTree => engine.queryPlan(logs, settings).explain()
  await writeTree(seriesTree(plan, { rows }), options, terminal)
}

async function show(
  text: string,
  engine: Engine,
  settings: QueryOptions,
  options: ExplainArguments,
  terminal: Terminal,
): Promise<void> {
  const query = options.dialect === 'logql' ? parseLogqlOrThrow(text) : undefined
  if (query !== undefined && query.kind !== 'log-query') return showMetric(query, engine, settings, options, terminal)
  const compiled = query === undefined ? engine.plan(text, settings) : compileEntries(query, engine, settings)
  if (query === undefined) tellDiagnostics(compiled.diagnostics, text, terminal)
  if (options.steps === true) {
    await terminal.write(`${printSteps(compiled.bound, compiled.steps)}\n`)
    if (options.analyze !== true) return
    await terminal.write('\n')
  }
  const result = engine.queryCompiled(compiled, settings)
  if (options.analyze === true) {
    const batches = result.batches()[Symbol.asyncIterator]()
    while ((await batches.next()).done !== true);
  }
  await writeTree(result.explain(), options, terminal)
  if (options.analyze === true) await terminal.write(`\n${result.statistics().summary}\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(catalogOptions(rangeOptions(command)), `a query of the log language. ${filterRule}`)
    .argument('[files...]', 'files to query, with --analyze')
    .option('--steps', 'the plan after each rule that changed it; with --analyze before what each node did')
    .option('--json', 'the tree as JSON')
    .option('--mermaid', 'the tree as a mermaid flow chart')
    .option('--analyze', 'run the query and show what each node did')
    .addOption(
      excluding(
        choice('--backend <name>', 'engine that runs the query', backendNames).default('columnar'),
        '--catalog',
      ),
    )
    .addOption(choice('--dialect <name>', 'dialect of the query', languageNames).default('native'))
    .option('--timeout <time>', timeoutHelp, '60s')
    .addOption(needing(new Option('--table <name>', 'the table of a query that names none'), '--catalog', '--data'))
    .action((text: string, files: string[], options: ExplainArguments) => run(text, files, options, terminal))
}
