import { Option, type Command } from 'commander'
import { CommandError, Budget, blockReadsText, formatRfc3339 } from '../../base/index.ts'
import { METRIC_NAME, batchOfRows, compareText, field, type Row } from '../../data/index.ts'
import { defaultEngineLimits, printExplainTree } from '../../engine/index.ts'
import {
  analyzePromql,
  compilePromql,
  explainPromql,
  explainPromqlAt,
  promqlJson,
  queryPromql,
  queryPromqlRange,
  rowsOfSeries,
  type PromqlOptions,
  type PromqlResult,
} from '../../engine/metrics/index.ts'
import { parseExposition, parseMetricLines, storeMetrics, type MetricBatch } from '../../ingest/metrics/index.ts'
import { SampleStore, type SampleSource } from '../../store/index.ts'
import { backendIdOption, dataHelp } from '../options/catalog-option.ts'
import { choice } from '../options/choice-option.ts'
import { excluding, needing } from '../options/conditions.ts'
import type { CommandModule } from '../command.ts'
import { withCarets } from '../diagnostics-output.ts'
import { queryArgument } from '../options/query-argument.ts'
import { inputBytes, openInput } from '../../sources/files/index.ts'
import { colorWords, type ColorWord, paintFor, tableColumns, tableOutput } from '../output/index.ts'
import { checkAlone, serverOptions } from '../remote/ask-server.ts'
import type { JsonAnswer, ServerPromql } from '../remote/server-promql.ts'
import type { Terminal } from '../terminal.ts'
import { evaluationTimes } from '../options/evaluation-times.ts'
import { parseTimeout, timeoutHelp, untilDeadline } from '../options/time-option.ts'

interface PromqlArguments {
  readonly time?: string
  readonly from?: string
  readonly to?: string
  readonly step?: string
  readonly format?: string
  readonly color: ColorWord
  readonly explain?: boolean
  readonly analyze?: boolean
  readonly quiet?: boolean
  readonly timeout: string
  readonly catalog?: string
  readonly data?: string
  readonly backendId?: string
  readonly server?: string
  readonly key?: string
}

function isJsonLine(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1)
  if (!line.startsWith('{')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function parseText(text: string, defaultTimeMs: number): MetricBatch {
  if (isJsonLine(text)) return parseMetricLines(text, { defaultTimeMs })
  const format = /(^|\n)# EOF\s*$/.test(text) ? 'open-metrics' : 'text'
  return parseExposition(text, { format, defaultTimeMs })
}

async function load(
  paths: readonly string[],
  store: SampleStore,
  isQuiet: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  for (const path of paths) inputBytes(path)
  const nowMs = Number(terminal.nowNs() / 1_000_000n)
  let newestMs = -Infinity
  for (const path of paths) {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of openInput(path, 0, signal)) text += decoder.decode(chunk, { stream: true })
    const { samples, bad, badCount } = parseText(text + decoder.decode(), nowMs)
    storeMetrics(store, samples)
    for (const { timeMs } of samples) newestMs = Math.max(newestMs, timeMs)
    if (badCount === 0 || isQuiet) continue
    const [first] = bad
    terminal.writeError(`${path}: ${badCount} lines left out; line ${first?.position}: ${first?.reason}\n`)
  }
  return newestMs === -Infinity ? nowMs : newestMs
}

/** Prints time, name, other labels by name, value. */
async function table(rows: readonly Row[], isRange: boolean, color: ColorWord, terminal: Terminal): Promise<string> {
  const names = new Set(rows.flatMap((row) => [...row.keys()]))
  // An instant query has a single time, which is printed beside the table.
  if (!isRange) names.delete('_time')
  const ends = ['_time', METRIC_NAME, 'value']
  const labels = [...names].filter((name) => !ends.includes(name)).toSorted(compareText)
  const order = ['_time', METRIC_NAME, ...labels, 'value'].filter((name) => names.has(name))
  const schema = { fields: order.map((name) => field(name, 'any', 'named')), isOpen: false }
  const output = tableOutput({ columns: tableColumns(terminal), paint: paintFor(terminal, color) })
  output.begin(schema)
  output.batch(batchOfRows(schema, rows))
  return output.end()
}

/** Opens the samples of a catalog or a data folder. */
async function storedSamples(
  { catalog: path, data, backendId }: PromqlArguments,
  files: readonly string[],
  terminal: Terminal,
): Promise<{ readonly source: SampleSource; readonly close: () => Promise<void> } | undefined> {
  if (data !== undefined) {
    if (files.length > 0 || path !== undefined)
      throw new CommandError(`Either --data or ${path === undefined ? 'files' : '--catalog'} can be given, not both.`)
    const { dataSamples } = await import('../data-session.ts')
    const { samples, close } = await dataSamples(data, { backendId })
    return { source: samples.reader, close }
  }
  if (path === undefined) return undefined
  if (files.length > 0) throw new CommandError('Either --catalog or files can be given, not both.')
  const { openCatalogSession } = await import('../catalog-file.ts')
  const { engine, catalog, close } = await openCatalogSession(path, {}, terminal)
  const source = catalog.samples(engine)
  if (source !== undefined) return { source, close }
  await close()
  throw new CommandError('No table of the catalog has metric samples: one with `domain: metrics` would have.')
}

function formatOf({ format }: PromqlArguments, { isOutputTty }: Terminal): string {
  return format ?? (isOutputTty ? 'table' : 'json')
}

async function writeTable(
  rows: readonly Row[],
  isRange: boolean,
  times: ServerPromql['times'],
  { color }: PromqlArguments,
  terminal: Terminal,
): Promise<void> {
  await terminal.write(await table(rows, isRange, color, terminal), 'drawn')
  if (times.stepMs === 0 && terminal.isErrorTty)
    terminal.writeError(`at ${formatRfc3339(BigInt(times.startMs) * 1_000_000n, true)}\n`)
}

/** Evaluates an expression on a server. */
async function askServer(
  text: string,
  files: readonly string[],
  options: PromqlArguments & { readonly server: string },
  terminal: Terminal,
): Promise<void> {
  const { catalog, data } = options
  checkAlone(files, { '--catalog': catalog, '--data': data })
  const timeoutMs = parseTimeout(options.timeout)
  const times = evaluationTimes(options, Number(terminal.nowNs() / 1_000_000n), terminal)
  // Compiles first, so that syntax errors look as they do for files.
  await withCarets(text, terminal, () => compilePromql(text, {}))
  const asked = {
    ...options,
    backendId: options.backendId,
    times,
    timeoutMs,
    signal: untilDeadline(terminal.signal, timeoutMs),
  }
  const { promqlOfServer, rowsOfAnswer } = await import('../remote/server-promql.ts')
  const json = await promqlOfServer(text, asked, terminal)
  const answer = JSON.parse(json) as JsonAnswer
  if (options.quiet !== true)
    for (const note of [...(answer.warnings ?? []), ...(answer.infos ?? [])]) terminal.writeError(`${note}\n`)
  if (formatOf(options, terminal) === 'json') await terminal.write(`${json.trimEnd()}\n`)
  else await writeTable(rowsOfAnswer(answer), answer.data.resultType === 'matrix', times, options, terminal)
}

async function run(
  text: string,
  files: readonly string[],
  options: PromqlArguments,
  terminal: Terminal,
): Promise<void> {
  const { server } = options
  if (server !== undefined) return askServer(text, files, { ...options, server }, terminal)
  const format = formatOf(options, terminal)
  const store = new SampleStore()
  const session = await storedSamples(options, files, terminal)
  const limits = { ...defaultEngineLimits, timeoutMs: parseTimeout(options.timeout) }
  const begin = (): PromqlOptions => ({
    source: session?.source ?? store.reader,
    budget: new Budget(limits, () => terminal.nowMs(), terminal.signal),
  })
  await withCarets(text, terminal, async () => {
    // Errors are reported before files are read.
    const explained = explainPromql(text, begin())
    if (options.explain === true && options.analyze !== true) {
      const nowMs = Number(terminal.nowNs() / 1_000_000n)
      const { tree, steps } =
        session === undefined
          ? explained
          : await explainPromqlAt(text, evaluationTimes(options, nowMs, terminal), begin())
      await terminal.write(`${printExplainTree(tree)}\n\n${steps}\n`)
      return
    }
    const newestMs =
      session === undefined
        ? await load(
            files.length === 0 ? ['-'] : files,
            store,
            options.quiet === true,
            terminal,
            untilDeadline(terminal.signal, limits.timeoutMs),
          )
        : Number(terminal.nowNs() / 1_000_000n)
    const times = evaluationTimes(options, newestMs, terminal)
    // The query and the reading of the files each have the whole time limit.
    const how = begin()
    let result: PromqlResult
    if (options.analyze === true) {
      const analyzed = await analyzePromql(text, times, how)
      result = analyzed.result
      terminal.writeError(`${printExplainTree(analyzed.tree)}\n`)
      const reads = blockReadsText(how.budget.reads)
      if (reads !== '') terminal.writeError(`${reads}\n`)
    } else if (times.stepMs === 0) result = await queryPromql(text, times.startMs, how)
    else result = await queryPromqlRange(text, times, how)
    if (options.quiet !== true)
      for (const note of [...result.warnings, ...result.infos]) terminal.writeError(`${note}\n`)
    if (format === 'json') {
      for (const chunk of promqlJson(result)) await terminal.write(chunk)
      await terminal.write('\n')
      return
    }
    await writeTable(rowsOfSeries(result.answer), result.answer.type === 'matrix', times, options, terminal)
  }).finally(() => session?.close())
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(
    serverOptions(command),
    "a PromQL expression, such as 'sum by (code) (rate(http_requests_total[5m]))'",
    '<expression>',
  )
    .argument('[files...]', 'text format, OpenMetrics or JSON lines, gzip or zstd too; `-` or none is standard input')
    .addOption(
      excluding(
        new Option(
          '--time <time>',
          'time of evaluation: RFC 3339, a date, or an age (default: the newest sample; with --catalog, --data or --server now)',
        ),
        '--from',
        '--to',
      ),
    )
    .option('--since, --from <time>', 'start of the range; the expression is evaluated at every step')
    .option('--until, --to <time>', 'until this time, included; else as --time')
    .addOption(needing(new Option('--step <duration>', 'interval between points, such as 30s'), '--from'))
    .addOption(choice('--format <name>', 'format of the answer: table on a terminal, else json', ['table', 'json']))
    .addOption(choice('--color <when>', 'colour times', colorWords).default('auto'))
    .option('--catalog <file>', 'query the metric tables of other databases that this catalog maps, instead of files')
    .option('--data <folder>', dataHelp)
    .addOption(backendIdOption())
    .option('--timeout <time>', timeoutHelp, '60s')
    .addOption(excluding(new Option('--explain', 'show the plan and its steps instead of an answer'), '--server'))
    .addOption(excluding(new Option('--analyze', 'show on standard error what each node of the plan did'), '--server'))
    .option('--quiet', 'do not report bad lines and notes')
    .action((text: string, files: string[], options: PromqlArguments) => run(text, files, options, terminal))
}
