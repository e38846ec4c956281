const FIELDS =
  'toUnixTimestamp64Nano(time) AS _time, level, workload, namespace, env, cluster, pod, trace_id, status, duration_ms, content, attributes'
const NEWEST = 'ORDER BY time DESC, arrival DESC'
const word = (text: string): string => `hasTokenCaseInsensitive(content, '${text}')`
const count = (where: string): string => `SELECT count() AS n FROM logs WHERE ${where}`
const newest = (where: string, limit = 'LIMIT 100'): string =>
  `SELECT ${FIELDS} FROM logs WHERE ${where} ${NEWEST} ${limit}`
const RANGE = 'time >= fromUnixTimestamp64Nano($from) AND time < fromUnixTimestamp64Nano($to)'
const MINUTE = 'toUnixTimestamp(toStartOfMinute(time)) * 1000000000 AS _time'

/** Statements of an expert for the table of `grammar/catalogs/clickhouse-logs.sql`, by question id. */
export const byHand: Readonly<Record<string, string>> = {
  Q01: newest(word('zyxquartz')),
  Q02: newest(word('request')),
  Q03: count(word('request')),
  Q04: count(`${word('connection')} AND ${word('refused')}`),
  Q05: count(`match(lower(content), '\\\\bconnection reset by peer\\\\b')`),
  Q06: count(`match(lower(content), '\\\\bconn')`),
  Q07: count(`match(lower(content), '\\\\buser1234')`),
  Q08: count(`positionCaseInsensitive(content, 'nection re') > 0`),
  Q09: count(`positionCaseInsensitive(content, 'deadbe') > 0`),
  Q10: count(`match(content, 'retry [45] of 5 for call to [a-m]')`),
  Q11: count(`match(content, '[a-f]{7}[0-9]{2}')`),
  Q12: newest(`workload = 'checkout-api' AND ${word('timeout')}`),
  Q13: count(`level IN ('error', 'warn') AND namespace = 'payments'`),
  Q14: count(`level NOT IN ('debug', 'info') AND ${word('request')}`),
  Q15: count(`(level = 'error' OR status = 503) AND namespace IN ('payments', 'discovery') AND NOT ${word('retry')}`),
  Q16: newest(`level = 'error' AND namespace = 'payments' AND ${RANGE}`),
  Q17: `SELECT ${FIELDS} FROM logs WHERE level = 'error' ORDER BY duration_ms DESC, time DESC, arrival DESC LIMIT 100`,
  Q18: newest(`namespace = 'payments'`, 'LIMIT 100 OFFSET $page'),
  Q19: count(RANGE),
  Q20: 'SELECT level, count() AS n FROM logs GROUP BY level ORDER BY level',
  Q21: 'SELECT workload, count() AS n FROM logs GROUP BY workload ORDER BY n DESC, workload LIMIT 10',
  Q22: `SELECT workload, count() AS n, countIf(level = 'error') AS e FROM logs GROUP BY workload ORDER BY workload`,
  Q23: 'SELECT workload, avg(duration_ms) AS a, quantileExact(0.5)(duration_ms) AS p50, quantileExact(0.99)(duration_ms) AS p99 FROM logs GROUP BY workload ORDER BY workload',
  Q24: 'SELECT uniqExact(trace_id) AS n FROM logs',
  Q25: `SELECT ${MINUTE}, count() AS n FROM logs GROUP BY _time ORDER BY _time`,
  Q26: 'SELECT workload, pod, status, count() AS n, avg(duration_ms) AS a FROM logs GROUP BY workload, pod, status ORDER BY n DESC, pod, status, workload LIMIT 100',
  Q27: 'SELECT trace_id, count() AS n FROM logs GROUP BY trace_id ORDER BY n DESC, trace_id LIMIT 10',
  Q28: `SELECT ${MINUTE}, level, count() AS n FROM logs WHERE ${word('timeout')} GROUP BY _time, level ORDER BY _time, level`,
  Q29: 'SELECT DISTINCT pod FROM logs ORDER BY pod',
  Q30: newest(`level = 'error'`, 'LIMIT 10000'),
  Q31: newest(`trace_id = '$trace'`),
  Q32: count('duration_ms > 500 AND status >= 500'),
  Q33: `SELECT namespace, level, count() AS n, avg(duration_ms) AS a FROM logs WHERE ${RANGE} GROUP BY namespace, level ORDER BY namespace, level`,
}

/** Fills this table from JSON lines. Rows with the same time are numbered in the order of the file. */
export function loadRowsSql(table: string, file: string): string {
  const columns =
    '_time String, level String, workload String, namespace String, env String, cluster String, pod String, trace_id String, status UInt16, duration_ms Float64, content String'
  return `INSERT INTO ${table} (time, arrival, level, workload, namespace, env, cluster, pod, trace_id, status, duration_ms, content)
    SELECT parseDateTime64BestEffort(_time, 9, 'UTC'), rowNumberInAllBlocks(), level, workload, namespace, env, cluster, pod, trace_id, status, duration_ms, content
    FROM file('${file}', 'JSONEachRow', '${columns}') SETTINGS max_threads = 1, max_insert_threads = 1`
}
