import type { JoinFiles } from './data.ts'

/** A question in both languages. Both answers have the same order of rows. */
export interface JoinQuestion {
  readonly id: string
  readonly title: string
  readonly table: 'spans' | 'logs'
  /** The file that is loaded as logs. */
  readonly logs: keyof JoinFiles
  readonly query: string
  readonly sql: string
  /**
   * True if the question has too many pairs to read. Then the engine must either answer in time or refuse with a typed
   * limit error.
   */
  readonly mayBeRefused: boolean
}

const bothSides = 'count() n, sum(duration_ms) ms, sum(duration_seconds) seconds'
const bothSidesSql = 'count(*) AS n, sum(l.duration_ms) AS ms, sum(s.duration_seconds) AS seconds'
/** The sum of no numbers is NaN in Sluice and NULL in SQL, and rows without logs have none. */
const leftSide = 'count() n, count(duration_ms) found, sum(duration_seconds) seconds'
const leftSideSql = 'count(*) AS n, count(l.duration_ms) AS found, sum(s.duration_seconds) AS seconds'
const logSide = (key: string): string => `(options(domain=logs) * | fields ${key}, level, duration_ms)`

function onKey(key: string): Pick<JoinQuestion, 'table' | 'logs' | 'query' | 'sql'> {
  return {
    table: 'spans',
    logs: 'logs',
    query: `* | join by (${key}) ${logSide(key)} inner | stats by (level) ${bothSides} | sort by (level)`,
    sql: `SELECT l.level AS level, ${bothSidesSql} FROM spans s JOIN logs l ON s.${key} = l.${key} GROUP BY ALL ORDER BY level`,
  }
}

const over = 'OVER (PARTITION BY workload ORDER BY t ROWS UNBOUNDED PRECEDING)'

export const joinQuestions: readonly JoinQuestion[] = [
  {
    ...onKey('trace_id'),
    id: 'J1',
    title: 'spans with 100 k logs, on the trace',
    logs: 'smallLogs',
    mayBeRefused: false,
  },
  {
    id: 'J2',
    title: '100 k logs with spans, on the trace',
    table: 'logs',
    logs: 'smallLogs',
    query: `* | join by (trace_id) (options(domain=traces) * | fields trace_id, duration_seconds) inner | stats by (level) ${bothSides} | sort by (level)`,
    sql: `SELECT l.level AS level, ${bothSidesSql} FROM logs l JOIN spans s ON s.trace_id = l.trace_id GROUP BY ALL ORDER BY level`,
    mayBeRefused: false,
  },
  {
    id: 'J3',
    title: 'the slowest pairs of J1, whole spans',
    table: 'spans',
    logs: 'smallLogs',
    query: `* | join by (trace_id) ${logSide('trace_id')} inner | sort by (duration_ms desc, span_id) | limit 100 | fields span_id, span_name, peer, level, duration_ms`,
    sql: 'SELECT s.span_id, s.span_name, s.peer, l.level, l.duration_ms FROM spans s JOIN logs l ON s.trace_id = l.trace_id ORDER BY l.duration_ms DESC, s.span_id LIMIT 100',
    mayBeRefused: false,
  },
  {
    id: 'J4',
    title: 'every span, with logs where there are any',
    table: 'spans',
    logs: 'smallLogs',
    query: `* | join by (trace_id) ${logSide('trace_id')} left | stats by (level) ${leftSide} | sort by (level)`,
    sql: `SELECT l.level AS level, ${leftSideSql} FROM spans s LEFT JOIN logs l ON s.trace_id = l.trace_id GROUP BY ALL ORDER BY level NULLS LAST`,
    mayBeRefused: false,
  },
  { ...onKey('peer'), id: 'J5', title: 'both large, a tenth matches', mayBeRefused: false },
  { ...onKey('hot'), id: 'J6', title: 'as J5, one key has a fifth of the spans', mayBeRefused: false },
  { ...onKey('hot_both'), id: 'J7', title: 'one key has a fifth of both sides', mayBeRefused: true },
  {
    id: 'W1',
    title: 'running sum and count by workload',
    table: 'logs',
    logs: 'logs',
    query:
      '* | running_stats by (workload) sum(duration_ms) run, count() place | stats by (level) sum(run) run, sum(place) places, max(run) most | sort by (level)',
    sql: `SELECT level, sum(run) AS run, sum(place)::BIGINT AS places, max(run) AS most FROM (
      SELECT level, sum(duration_ms) ${over} AS run, count(*) ${over} AS place FROM logs) GROUP BY ALL ORDER BY level`,
    mayBeRefused: false,
  },
  {
    id: 'W2',
    title: 'the greatest of each trace, on every row',
    table: 'logs',
    logs: 'logs',
    query:
      '* | total_stats by (trace_id) max(duration_ms) most, count() rows | stats by (level) sum(most) most, sum(rows) rows | sort by (level)',
    sql: `SELECT level, sum(most) AS most, sum(rows)::BIGINT AS rows FROM (
      SELECT level, max(duration_ms) OVER (PARTITION BY trace_id) AS most, count(*) OVER (PARTITION BY trace_id) AS rows FROM logs)
      GROUP BY ALL ORDER BY level`,
    mayBeRefused: false,
  },
  {
    id: 'W3',
    title: 'the three slowest rows of each trace',
    table: 'logs',
    logs: 'logs',
    query:
      '* | sort by (duration_ms desc, _time) limit 3 partition by (trace_id) | stats by (level) count() n, sum(duration_ms) ms | sort by (level)',
    sql: `SELECT level, count(*) AS n, sum(duration_ms) AS ms FROM (
      SELECT level, duration_ms FROM logs QUALIFY row_number() OVER (PARTITION BY trace_id ORDER BY duration_ms DESC, t) <= 3)
      GROUP BY ALL ORDER BY level`,
    mayBeRefused: false,
  },
  {
    id: 'W4',
    title: 'place and the value before, by workload',
    table: 'logs',
    logs: 'logs',
    query:
      '* | fields _time, workload, level, duration_ms | window partition by (workload) order by (_time) row_number() as place, lag(duration_ms) as before | stats by (level) sum(place) places, sum(before) before | sort by (level)',
    sql: `SELECT level, sum(place)::BIGINT AS places, sum(before) AS before FROM (
      SELECT level, row_number() OVER w AS place, lag(duration_ms) OVER w AS before FROM logs
      WINDOW w AS (PARTITION BY workload ORDER BY t)) GROUP BY ALL ORDER BY level`,
    mayBeRefused: false,
  },
]
