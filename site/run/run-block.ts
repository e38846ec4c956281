import { Budget, SluiceError, type Diagnostic } from '../../src/base/index.ts'
import { EntriesText, logqlTable } from '../../src/cli/logql/entries-text.ts'
import { MetricText } from '../../src/cli/logql/metric-text.ts'
import { evaluationTimes } from '../../src/cli/options/evaluation-times.ts'
import { parseRange } from '../../src/cli/options/time-option.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { sentDiagnostic } from '../../src/console/data/local/diagnostics.ts'
import { lintsOfServers } from '../../src/console/language/lints.ts'
import { createLanguage } from '../../src/editor/index.ts'
import { defaultEngineLimits, printExplainTree, type Engine, type QueryOptions } from '../../src/engine/index.ts'
import {
  explainPromql,
  queryPromql,
  queryPromqlRange,
  rowsOfSeries,
  seriesTree,
} from '../../src/engine/metrics/index.ts'
import { parseExposition, storeMetrics } from '../../src/ingest/metrics/index.ts'
import { lowerMetric, parseLogqlOrThrow } from '../../src/lang/logql/index.ts'
import type { ExplainTree, LogicalPlan } from '../../src/plan/index.ts'
import { SampleStore } from '../../src/store/index.ts'
import type { Block, BlockAnswer, BlockLanguage, ReadFile } from './block.ts'
import { answerOfRows, printRows } from './print.ts'
import { NOW_NS, Tables } from './tables.ts'
import { searchSpans } from './traceql.ts'

/** Time limit of a block, ms. Blocks over the fixtures take a small fraction of it. */
const TIMEOUT_MS = 10_000

type Run = (block: Block, tables: Tables, read: ReadFile, signal: AbortSignal) => Promise<BlockAnswer>

/** Clock for functions of the command line. The current time is that of the fixtures. */
const clock: Pick<Terminal, 'nowMs' | 'nowNs'> = { nowMs: () => performance.now(), nowNs: () => NOW_NS }

const limits = { ...defaultEngineLimits, timeoutMs: TIMEOUT_MS }

/** Blocks never query a server, but the shared code requires a function for it. */
const noServer = (): never => {
  throw new Error('A block is answered in the page.')
}

function settingsOf({ options, files }: Block, signal: AbortSignal): QueryOptions & { readonly table: string } {
  const zone = options['tz']
  const range = parseRange(options['since'], options['until'], { nowNs: NOW_NS, zone })
  return { range, zone, table: files[0]?.table ?? 'logs', nowNs: NOW_NS, limits, signal, disabledLints: lintsOfServers }
}

function textFieldOf(engine: Engine, table: string): string {
  return engine.catalog.tables.get(table)?.textField ?? 'content'
}

function answered(text: string, plan: string, diagnostics: readonly Diagnostic[] = []): BlockAnswer {
  return { text, plan, diagnostics: diagnostics.map(sentDiagnostic) }
}

const language = createLanguage()

const runLog: Run = async (block, tables, _, signal) => {
  const engine = await tables.engineOf(block)
  const settings = settingsOf(block, signal)
  const dialect = block.language === 'logsql' ? 'logsql' : 'native'
  const result = engine.query(block.query, { ...settings, dialect })
  const text = await printRows(result, block, textFieldOf(engine, settings.table))
  const { table } = settings
  // Advice for servers is computed without data, as an editor connected to a server does.
  const advice = block.options['lints'] === 'server' ? language.check(block.query, { dialect, table }) : []
  return answered(text, printExplainTree(engine.explain(block.query, { ...settings, dialect })), [
    ...(advice.length > 0 ? advice : result.diagnostics),
    ...(await result.rowAdvice()),
    ...(await result.advice(block.query)),
  ])
}

const runLogql: Run = async (block, tables, _, signal) => {
  const query = parseLogqlOrThrow(block.query)
  const engine = await tables.engineOf(block)
  const settings = settingsOf(block, signal)
  const text =
    query.kind === 'log-query'
      ? new EntriesText(query, noServer)
      : new MetricText(query, { ...block.options, isOfFiles: true }, clock as Terminal, noServer)
  const compiled = text.compile(engine, settings)
  const shown = await text.answer(engine, compiled, settings)
  const printed = await printRows(shown, block, textFieldOf(engine, settings.table))
  const rows = (plan: LogicalPlan): ExplainTree => engine.queryPlan(plan, settings).explain()
  const tree =
    query.kind === 'log-query'
      ? engine.queryCompiled(compiled, settings).explain()
      : seriesTree(lowerMetric(query, logqlTable(engine.catalog.tables, settings.table)), { rows })
  return answered(printed, printExplainTree(tree))
}

const runPromql: Run = async (block, _, read, signal) => {
  const store = new SampleStore()
  let newestMs = -Infinity
  for (const { path } of block.files) {
    const { samples } = parseExposition(new TextDecoder().decode(await read(path)), { defaultTimeMs: 0 })
    storeMetrics(store, samples)
    for (const { timeMs } of samples) newestMs = Math.max(newestMs, timeMs)
  }
  const how = { source: store.reader, budget: new Budget(limits, () => performance.now(), signal) }
  const { tree } = explainPromql(block.query, how)
  const times = evaluationTimes(block.options, newestMs, clock as Terminal)
  const { answer } =
    times.stepMs === 0
      ? await queryPromql(block.query, times.startMs, how)
      : await queryPromqlRange(block.query, times, how)
  // An instant query has one time for all rows, so the column is left out.
  const rows = rowsOfSeries(answer).map((row) =>
    answer.type === 'matrix' ? row : new Map([...row].filter(([name]) => name !== '_time')),
  )
  return answered(await printRows(answerOfRows(rows), block, 'content'), printExplainTree(tree))
}

const runTraceql: Run = async (block, tables, _, signal) => {
  const engine = await tables.engineOf(block)
  const budget = new Budget(limits, () => performance.now(), signal)
  const { rows, plans } = await searchSpans(block.query, engine, budget, signal)
  return answered(await printRows(answerOfRows(rows), block, 'content'), plans.map(printExplainTree).join('\n'))
}

/** Loaded on demand, since few pages have JSON pipelines. */
const runPipeline: Run = async (block, tables, _, signal) => {
  const [{ createJson }, { parseJson }] = await Promise.all([
    import('../../src/engine/pipelines/index.ts'),
    import('../../src/wire/index.ts'),
  ])
  const pipeline = parseJson(block.query)
  const engine = await tables.engineOf(block)
  const settings = settingsOf(block, signal)
  const json = createJson(engine)
  const result = json.query(pipeline, settings)
  const text = await printRows(result, block, textFieldOf(engine, settings.table))
  return answered(text, printExplainTree(json.explain(pipeline, settings)), result.diagnostics)
}

const runs: Readonly<Record<BlockLanguage, Run>> = {
  native: runLog,
  logsql: runLog,
  logql: runLogql,
  promql: runPromql,
  traceql: runTraceql,
  pipeline: runPipeline,
}

/** Runs blocks over files of the site, both in the browser and when the site is built. */
export class Runner {
  readonly #read: ReadFile
  readonly #tables: Tables

  constructor(read: ReadFile) {
    this.#read = read
    this.#tables = new Tables(read)
  }

  /** Runs a block. Query errors are part of the answer; rejects if a file cannot be read. */
  async run(block: Block, signal: AbortSignal = new AbortController().signal): Promise<BlockAnswer> {
    try {
      return await runs[block.language](block, this.#tables, this.#read, signal)
    } catch (error) {
      if (error instanceof SluiceError) return answered('', '', error.diagnostics)
      throw error
    }
  }
}

/** True if the answer consists of errors. */
export function hasFailed({ diagnostics }: Pick<BlockAnswer, 'diagnostics'>): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
