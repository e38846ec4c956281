export interface Question {
  readonly id: string
  readonly title: string
  readonly query: string
  /** Times of the day, the second one excluded; the whole day by default. */
  readonly range?: readonly [string, string]
  /**
   * SQL by an expert over `logs(seq, t, workload, …)` sorted by time. `$from` and `$to` are the bounds of `range` in
   * nanoseconds.
   */
  readonly duckdb: string
  /** SQL by an expert over the same table with nine B-tree indexes and the FTS5 table `words`. */
  readonly sqlite: string
  /** Present when the rows are wanted as JSON lines: SQL by an expert that returns all of them as one text. */
  readonly jsonLines?: { readonly duckdb: string; readonly sqlite: string }
}

const NEWEST = 'ORDER BY t DESC, seq DESC'

function word(text: string): string {
  return `regexp_matches(content, '(?i)\\b${text}\\b')`
}

/** Selects the row ids in `sqlite` that match an FTS5 expression. */
function fts(match: string): string {
  return `seq IN (SELECT rowid FROM words WHERE words MATCH '${match}')`
}

function ftsCount(match: string): string {
  return `SELECT count(*) AS n FROM words WHERE words MATCH '${match}'`
}

function newestMatches(match: string, where = ''): string {
  return `SELECT l.* FROM words w CROSS JOIN logs l ON l.seq = w.rowid WHERE words MATCH '${match}' ${where} ORDER BY w.rowid DESC LIMIT 100`
}

function both(sql: string): Pick<Question, 'duckdb' | 'sqlite'> {
  return { duckdb: sql, sqlite: sql }
}

const NEWEST_ERRORS = `SELECT * FROM logs WHERE level = 'error' ${NEWEST} LIMIT 10000`
const MEMBERS = [
  't',
  'level',
  'workload',
  'namespace',
  'env',
  'cluster',
  'pod',
  'trace_id',
  'status',
  'duration_ms',
  'content',
]
  .map((name) => `'${name}', ${name}`)
  .join(', ')

const ERROR_OR_503 = "(level = 'error' OR status = 503) AND namespace IN ('payments', 'discovery')"

/** The 33 questions of an operator on call, with the SQL an expert would write for each peer. */
export const questions: readonly Question[] = [
  {
    id: 'Q01',
    title: 'needle word, newest 100',
    query: 'zyxquartz | sort by (_time desc) | limit 100',
    duckdb: `SELECT * FROM logs WHERE ${word('zyxquartz')} ${NEWEST} LIMIT 100`,
    sqlite: newestMatches('zyxquartz'),
  },
  {
    id: 'Q02',
    title: 'common word, newest 100',
    query: 'request | sort by (_time desc) | limit 100',
    duckdb: `SELECT * FROM logs WHERE ${word('request')} ${NEWEST} LIMIT 100`,
    sqlite: newestMatches('request'),
  },
  {
    id: 'Q03',
    title: 'common word, count',
    query: 'request | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE ${word('request')}`,
    sqlite: ftsCount('request'),
  },
  {
    id: 'Q04',
    title: 'two words',
    query: 'connection refused | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE ${word('connection')} AND ${word('refused')}`,
    sqlite: ftsCount('connection refused'),
  },
  {
    id: 'Q05',
    title: 'phrase',
    query: '"connection reset by peer" | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE ${word('connection reset by peer')}`,
    sqlite: ftsCount('"connection reset by peer"'),
  },
  {
    id: 'Q06',
    title: 'prefix, few frequent words',
    query: 'conn* | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE regexp_matches(content, '(?i)\\bconn')`,
    sqlite: ftsCount('conn*'),
  },
  {
    id: 'Q07',
    title: 'prefix, many rare words',
    query: 'user1234* | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE regexp_matches(content, '(?i)\\buser1234')`,
    sqlite: ftsCount('user1234*'),
  },
  {
    id: 'Q08',
    title: 'substring, frequent',
    query: 'content:*"nection re"* | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE content ILIKE '%nection re%'`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE content LIKE '%nection re%'`,
  },
  {
    id: 'Q09',
    title: 'substring, rare',
    query: 'content:*deadbe* | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE content ILIKE '%deadbe%'`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE content LIKE '%deadbe%'`,
  },
  {
    id: 'Q10',
    title: 'regexp with a literal',
    query: 'content:~"retry [45] of 5 for call to [a-m]" | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE regexp_matches(content, 'retry [45] of 5 for call to [a-m]')`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE content GLOB '*retry [45] of 5 for call to [a-m]*'`,
  },
  {
    id: 'Q11',
    title: 'regexp without literals',
    query: 'content:~"[a-f]{7}[0-9]{2}" | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE regexp_matches(content, '[a-f]{7}[0-9]{2}')`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE content GLOB '*${'[a-f]'.repeat(7)}${'[0-9]'.repeat(2)}*'`,
  },
  {
    id: 'Q12',
    title: 'field + word, newest 100',
    query: 'workload:checkout-api timeout | sort by (_time desc) | limit 100',
    duckdb: `SELECT * FROM logs WHERE workload = 'checkout-api' AND ${word('timeout')} ${NEWEST} LIMIT 100`,
    sqlite: newestMatches('timeout', "AND l.workload = 'checkout-api'"),
  },
  {
    id: 'Q13',
    title: 'repeated field',
    query: 'level:error level:warn namespace:payments | stats count() as n',
    ...both(`SELECT count(*) AS n FROM logs WHERE level IN ('error', 'warn') AND namespace = 'payments'`),
  },
  {
    id: 'Q14',
    title: 'exclusions + word',
    query: '-level:debug -level:info request | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE level NOT IN ('debug', 'info') AND ${word('request')}`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE level NOT IN ('debug', 'info') AND ${fts('request')}`,
  },
  {
    id: 'Q15',
    title: 'nest',
    query:
      '(level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n',
    duckdb: `SELECT count(*) AS n FROM logs WHERE ${ERROR_OR_503} AND NOT ${word('retry')}`,
    sqlite: `SELECT count(*) AS n FROM logs WHERE ${ERROR_OR_503} AND NOT ${fts('retry')}`,
  },
  {
    id: 'Q16',
    title: 'five minutes, newest 100',
    query: 'level:error namespace:payments | sort by (_time desc) | limit 100',
    range: ['13:00', '13:05'],
    ...both(
      `SELECT * FROM logs WHERE level = 'error' AND namespace = 'payments' AND t >= $from AND t < $to ${NEWEST} LIMIT 100`,
    ),
  },
  {
    id: 'Q17',
    title: 'top 100 by duration',
    query: 'level:error | sort by (duration_ms desc) | limit 100',
    ...both(`SELECT * FROM logs WHERE level = 'error' ORDER BY duration_ms DESC, t DESC, seq DESC LIMIT 100`),
  },
  {
    id: 'Q18',
    title: 'deep page',
    query: 'namespace:payments | sort by (_time desc) | offset $page | limit 100',
    ...both(`SELECT * FROM logs WHERE namespace = 'payments' ${NEWEST} LIMIT 100 OFFSET $page`),
  },
  {
    id: 'Q19',
    title: 'count of half a day',
    query: '* | stats count() as n',
    range: ['06:17', '18:43'],
    ...both('SELECT count(*) AS n FROM logs WHERE t >= $from AND t < $to'),
  },
  {
    id: 'Q20',
    title: 'by level',
    query: '* | stats by (level) count() as n',
    ...both('SELECT level, count(*) AS n FROM logs GROUP BY level ORDER BY level'),
  },
  {
    id: 'Q21',
    title: 'by workload, top 10',
    query: '* | stats by (workload) count() as n | sort by (n desc) | limit 10',
    ...both('SELECT workload, count(*) AS n FROM logs GROUP BY workload ORDER BY n DESC, workload LIMIT 10'),
  },
  {
    id: 'Q22',
    title: 'count if',
    query: '* | stats by (workload) count() as n, count() if (level:error) as e',
    ...both(
      `SELECT workload, count(*) AS n, count(*) FILTER (WHERE level = 'error') AS e FROM logs GROUP BY workload ORDER BY workload`,
    ),
  },
  {
    id: 'Q23',
    title: 'avg, exact p50, p99',
    query:
      '* | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99',
    // The small surplus makes the discrete quantile the value at floor(phi * n).
    duckdb: `SELECT workload, avg(duration_ms) AS a, quantile_disc(duration_ms, 0.500000000001) AS p50, quantile_disc(duration_ms, 0.990000000001) AS p99 FROM logs GROUP BY workload ORDER BY workload`,
    sqlite: `WITH r AS (SELECT workload, duration_ms, row_number() OVER (PARTITION BY workload ORDER BY duration_ms) - 1 AS i, count(*) OVER (PARTITION BY workload) AS c FROM logs)
      SELECT workload, avg(duration_ms) AS a, max(CASE WHEN i = c * 50 / 100 THEN duration_ms END) AS p50, max(CASE WHEN i = c * 99 / 100 THEN duration_ms END) AS p99 FROM r GROUP BY workload ORDER BY workload`,
  },
  {
    id: 'Q24',
    title: 'exact distinct',
    query: '* | stats count_uniq(trace_id) as n',
    ...both('SELECT count(DISTINCT trace_id) AS n FROM logs'),
  },
  {
    id: 'Q25',
    title: 'minutes',
    query: '* | stats by (_time:1m) count() as n',
    duckdb: 'SELECT (t // 60000000000) * 60000000000 AS _time, count(*) AS n FROM logs GROUP BY 1 ORDER BY 1',
    sqlite: 'SELECT (t / 60000000000) * 60000000000 AS _time, count(*) AS n FROM logs GROUP BY 1 ORDER BY 1',
  },
  {
    id: 'Q26',
    title: '30 k groups, top 100',
    query:
      '* | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100',
    ...both(
      'SELECT workload, pod, status, count(*) AS n, avg(duration_ms) AS a FROM logs GROUP BY workload, pod, status ORDER BY n DESC, pod, status, workload LIMIT 100',
    ),
  },
  {
    id: 'Q27',
    title: 'many groups, top 10',
    query: '* | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10',
    ...both('SELECT trace_id, count(*) AS n FROM logs GROUP BY trace_id ORDER BY n DESC, trace_id LIMIT 10'),
  },
  {
    id: 'Q28',
    title: 'word over time by level',
    query: 'timeout | stats by (_time:1m, level) count() as n',
    duckdb: `SELECT (t // 60000000000) * 60000000000 AS _time, level, count(*) AS n FROM logs WHERE ${word('timeout')} GROUP BY 1, 2 ORDER BY 1, 2`,
    sqlite: `SELECT (t / 60000000000) * 60000000000 AS _time, level, count(*) AS n FROM logs WHERE ${fts('timeout')} GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    id: 'Q29',
    title: 'distinct values',
    query: '* | uniq by (pod)',
    ...both('SELECT DISTINCT pod FROM logs ORDER BY pod'),
  },
  {
    id: 'Q30',
    title: 'JSON text of 10 k rows',
    query: 'level:error | sort by (_time desc) | limit 10000',
    ...both(NEWEST_ERRORS),
    jsonLines: {
      duckdb: `SELECT string_agg(CAST(to_json(l) AS VARCHAR), chr(10) ${NEWEST}) AS lines FROM (${NEWEST_ERRORS}) l`,
      sqlite: `SELECT group_concat(json_object(${MEMBERS}), char(10)) AS lines FROM (${NEWEST_ERRORS})`,
    },
  },
  {
    id: 'Q31',
    title: 'trace look-up',
    query: 'trace_id:$trace | sort by (_time desc) | limit 100',
    ...both(`SELECT * FROM logs WHERE trace_id = '$trace' ${NEWEST} LIMIT 100`),
  },
  {
    id: 'Q32',
    title: 'ranges',
    query: 'duration_ms:>500 status:>=500 | stats count() as n',
    ...both('SELECT count(*) AS n FROM logs WHERE duration_ms > 500 AND status >= 500'),
  },
  {
    id: 'Q33',
    title: 'one hour, dashboard',
    query: '* | stats by (namespace, level) count() as n, avg(duration_ms) as a',
    range: ['09:00', '10:00'],
    ...both(
      'SELECT namespace, level, count(*) AS n, avg(duration_ms) AS a FROM logs WHERE t >= $from AND t < $to GROUP BY namespace, level ORDER BY namespace, level',
    ),
  },
]

export interface QuestionClass {
  readonly title: string
  readonly ids: readonly string[]
}

/** Classes of questions with the same main cost. */
export const questionClasses: readonly QuestionClass[] = [
  { title: 'Look-ups and pages', ids: ['Q01', 'Q02', 'Q12', 'Q16', 'Q17', 'Q18', 'Q31'] },
  { title: 'Words', ids: ['Q03', 'Q04', 'Q05', 'Q06', 'Q07', 'Q14', 'Q15'] },
  { title: 'Scans of texts', ids: ['Q08', 'Q09', 'Q10', 'Q11'] },
  { title: 'Counts of fields and times', ids: ['Q13', 'Q19', 'Q20', 'Q21', 'Q22', 'Q25', 'Q32'] },
  { title: 'Groups, quantiles, distinct values', ids: ['Q23', 'Q24', 'Q26', 'Q27', 'Q28', 'Q29', 'Q33'] },
  { title: 'Output of many rows', ids: ['Q30'] },
]
