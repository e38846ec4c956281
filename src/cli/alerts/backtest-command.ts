import type { Command } from 'commander'
import type { MonitorDefinition } from '../../alerting/monitors/index.ts'
import type { NotifyConfig } from '../../alerting/notify/index.ts'
import type { QueryTools } from '../../alerting/index.ts'
import { CommandError, MS_NS, SluiceError, formatRfc3339, nextTurn, type Interval } from '../../base/index.ts'
import { tellFileFaults } from '../diagnostics-output.ts'
import { choice } from '../options/choice-option.ts'
import { parseInstant } from '../options/time-option.ts'
import type { Terminal } from '../terminal.ts'
import { readText } from './test-command.ts'

interface BacktestArguments {
  readonly data: string
  readonly backendId?: string
  readonly file?: string
  readonly since: string
  readonly until?: string
  readonly notify?: string
  readonly format: 'text' | 'json'
}

/** Size of the block cache, bytes. Consecutive rounds read mostly the same blocks. */
const CACHE_BYTES = 256 * 1024 ** 2

/** Placeholder for every secret of a configuration. A backtest sends nothing, so it reads no secrets. */
const NO_SECRET = 'https://receiver.invalid/'

function rangeOf({ since, until = 'now' }: BacktestArguments, terminal: Terminal): Interval {
  const endNs = parseInstant(until, { nowNs: terminal.nowNs() }, '--until')
  // An age such as `7d` counts back from the end of the range, not from now.
  const startNs = parseInstant(since, { nowNs: endNs }, '--since')
  if (startNs >= endNs)
    throw new CommandError(`--since must be before --until, but ${formatRfc3339(startNs, true)} is not.`)
  return { startNs, endNs }
}

async function notifyConfig(path: string | undefined, terminal: Terminal): Promise<NotifyConfig | undefined> {
  if (path === undefined) return undefined
  const { readNotifyConfig } = await import('../../alerting/notify/index.ts')
  const text = readText(path)
  try {
    return readNotifyConfig(text, () => NO_SECRET)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    tellFileFaults(error, text, path, terminal)
    throw new CommandError('', 1)
  }
}

/** Throws CommandError if the range has no data of the tables that the monitor reads. */
async function checkData(tables: readonly string[], range: Interval, { engine, samples }: QueryTools): Promise<void> {
  const { startNs, endNs } = range
  for (const table of tables) {
    const times = { startMs: Number(startNs / MS_NS), endMs: Number(endNs / MS_NS) }
    if (table === 'samples') {
      if ((await samples.series({ ...times, filters: [], guard: undefined })).length > 0) return
    } else for await (const _ of engine.query('* | limit 1', { table, range }).rows()) return
  }
  throw new CommandError(
    `There are no ${tables.join(' or ')} from ${formatRfc3339(startNs, true)} until ${formatRfc3339(endNs, true)}: give a range with data as --since and --until.`,
    1,
  )
}

/** Start and end of a range, in milliseconds since 1970. */
interface Times {
  readonly fromMs: number
  readonly toMs: number
}

/** Throws CommandError for a range with no evaluation or with too many. */
async function checkRounds({ intervalMs }: MonitorDefinition, { fromMs, toMs }: Times): Promise<void> {
  const { MAX_ROUNDS, roundsOf } = await import('../../alerting/backtest/index.ts')
  const { rounds } = roundsOf(intervalMs, fromMs, toMs)
  if (rounds > 0 && rounds <= MAX_ROUNDS) return
  const advice = rounds === 0 ? 'Give an earlier --since.' : `At most ${MAX_ROUNDS} are possible: give a later --since.`
  throw new CommandError(`The range has ${rounds} evaluations of this monitor. ${advice}`)
}

async function run(id: string | undefined, options: BacktestArguments, terminal: Terminal): Promise<void> {
  const { data, backendId, file, format } = options
  if ((id === undefined) === (file === undefined))
    throw new CommandError('Give either the id or title of a monitor, or --file with a definition.')
  const range = rangeOf(options, terminal)
  const config = await notifyConfig(options.notify, terminal)
  const { fileMonitor, storedMonitor } = await import('./backtest-monitor.ts')
  const monitor = file === undefined ? storedMonitor(id ?? '', options) : fileMonitor(file, terminal)
  const { definition, check, tables } = await monitor
  const times = { fromMs: Number(range.startNs / MS_NS), toMs: Number(range.endNs / MS_NS) }
  await checkRounds(definition, times)
  const { monitorQueryTools, openDataToRead } = await import('../../server/index.ts')
  const { openSession } = await import('../session.ts')
  // Templates of labels may query metrics, so samples count too.
  const hasSamples = tables.includes('samples') || definition.labels.length > 0
  const { target, close } = await openDataToRead(data, { backend: backendId, hasSamples, cacheBytes: CACHE_BYTES })
  try {
    const { engine } = await openSession(target.store, 'columnar', terminal, 'off')
    const tools = { ...monitorQueryTools(engine, target.samples.reader), signal: terminal.signal }
    check(tools)
    await checkData(tables, range, tools)
    const { backtest } = await import('../../alerting/backtest/index.ts')
    const { reportJson, reportText } = await import('./backtest-output.ts')
    // Yields to the event loop, so that the signal of Ctrl-C can arrive.
    const pause = async (): Promise<void> => {
      await nextTurn()
      if (terminal.signal.aborted) throw new CommandError('', 130)
    }
    const report = await backtest({ definition, ...times, tools, config, pause })
    await terminal.write(format === 'json' ? `${reportJson(report)}\n` : reportText(report))
  } finally {
    await close()
  }
}

/** Adds the subcommand `backtest`. */
export function addBacktestCommand(command: Command, terminal: Terminal): void {
  command
    .command('backtest')
    .description('evaluate a monitor over the rows of a data folder, as if each round had been on time')
    .argument('[id]', 'id or title of a monitor of the folder')
    .requiredOption('--data <folder>', 'the data folder of `serve --data`, also while it runs')
    .option('--backend-id <id>', 'backend to read, if there are several')
    .option('--file <file>', 'a definition that is not stored, as YAML or JSON, instead of an id')
    .option('--since <time>', 'start of the range: an age such as 7d before its end, or a time', '7d')
    .option('--until <time>', 'end of the range, excluded; now without it')
    .option('--notify <file>', 'receivers and routes in the form of `serve --notify`, to count their notifications')
    .addOption(choice('--format <name>', 'text or json', ['text', 'json']).default('text'))
    .action((id: string | undefined, options: BacktestArguments) => run(id, options, terminal))
}
