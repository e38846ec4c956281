import { CommandError } from '../../base/index.ts'
import { parseLogqlOrThrow, type LogqlExpr } from '../../lang/logql/index.ts'
import { withCarets } from '../diagnostics-output.ts'
import { evaluationTimes } from '../options/evaluation-times.ts'
import { parseRange } from '../options/time-option.ts'
import type { Terminal } from '../terminal.ts'
import { EntriesText } from './entries-text.ts'
import { MetricText } from './metric-text.ts'
import type { QueryText, ShownAnswer } from './query-text.ts'

interface LogqlArguments {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step?: string | undefined
  readonly explain?: boolean | undefined
  readonly stats?: boolean | undefined
  readonly table: string
  readonly server?: string | undefined
  readonly catalog?: string | undefined
  readonly data?: string | undefined
}

/** Throws CommandError for an option that has no effect on the query. */
function checkOptions({ kind }: LogqlExpr, { step, explain, stats, table, server }: LogqlArguments): void {
  const isMetric = kind !== 'log-query'
  if (step !== undefined && !isMetric) throw new CommandError('--step is for metric queries: this one gives lines.')
  if (isMetric && explain === true)
    throw new CommandError('--explain is for queries that give lines; `sluice explain --dialect logql` shows the plan.')
  if (isMetric && stats === true) throw new CommandError('--stats is for queries that give lines.')
  if (server !== undefined && table !== 'logs')
    throw new CommandError(`A server answers LogQL over logs, not over the table ${table}.`)
}

/** Parses a LogQL query. Prints its errors and throws CommandError, also for options that have no effect on it. */
export async function readLogql(text: string, options: LogqlArguments, terminal: Terminal): Promise<QueryText> {
  const query = await withCarets(text, terminal, () => parseLogqlOrThrow(text))
  checkOptions(query, options)
  const { catalog, data, from, to } = options
  const isOfFiles = catalog === undefined && data === undefined
  const nowNs = terminal.nowNs()
  if (query.kind === 'log-query')
    return new EntriesText(query, async (asked): Promise<ShownAnswer> => {
      const { entriesOfServer } = await import('../remote/server-logql.ts')
      return entriesOfServer(text, parseRange(from, to, { nowNs }), asked, terminal)
    })
  return new MetricText(query, { ...options, isOfFiles }, terminal, async (asked): Promise<ShownAnswer> => {
    const { seriesOfServer } = await import('../remote/server-logql.ts')
    return seriesOfServer(text, evaluationTimes(options, Number(nowNs / 1_000_000n), terminal), asked, terminal)
  })
}
