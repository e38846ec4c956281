/** A query, and the SQL statement that a person would write for the same question. `T` is the table. */
export type Question = readonly [ask: string, sql: string]

const logs: readonly Question[] = [
  ['* | stats count() as n', 'SELECT count() AS n FROM T'],
  ['timeout | fields Body', `SELECT Body FROM T WHERE match(Body, '(?i)\\\\btimeout\\\\b')`],
  ['"connection reset" | fields Body', `SELECT Body FROM T WHERE Body ILIKE '%connection reset%'`],
  [
    'SeverityText:=ERROR | stats by (ServiceName) count() as n',
    `SELECT ServiceName, count() AS n FROM T WHERE SeverityText = 'ERROR' GROUP BY ServiceName`,
  ],
  ['SeverityText:error | stats count() as n', `SELECT count() AS n FROM T WHERE lower(SeverityText) = 'error'`],
  [
    'SeverityNumber:>=13 | stats by (SeverityText) count() as n',
    'SELECT SeverityText, count() AS n FROM T WHERE SeverityNumber >= 13 GROUP BY SeverityText',
  ],
  [
    'ServiceName:=cart http.route:="/price" | stats count() as n',
    `SELECT count() AS n FROM T WHERE ServiceName = 'cart' AND LogAttributes['http.route'] = '/price'`,
  ],
  [
    'http.response.status_code:>=500 | stats count() as n',
    `SELECT count() AS n FROM T WHERE toUInt32OrZero(LogAttributes['http.response.status_code']) >= 500`,
  ],
  [
    '* | stats by (http.response.status_code) count() as n',
    `SELECT LogAttributes['http.response.status_code'] AS "http.response.status_code", count() AS n FROM T GROUP BY 1`,
  ],
  [
    'k8s.namespace.name:=core | fields Body',
    `SELECT Body FROM T WHERE ResourceAttributes['k8s.namespace.name'] = 'core'`,
  ],
  [
    '* | stats by (k8s.pod.name) count() as n, count() if (SeverityNumber:>=17) as errors',
    `SELECT ResourceAttributes['k8s.pod.name'] AS "k8s.pod.name", count() AS n, countIf(SeverityNumber >= 17) AS errors FROM T GROUP BY 1`,
  ],
  [
    '* | stats by (_time:1m) count() as n',
    'SELECT toUnixTimestamp(toStartOfMinute(Timestamp)) * 1000000000 AS _time, count() AS n FROM T GROUP BY 1',
  ],
  [
    `TraceId:="5b8efff798038103d269b633813fc60c" | sort by (_time) | fields SpanId, Body`,
    `SELECT SpanId, Body FROM T WHERE TraceId = '5b8efff798038103d269b633813fc60c' ORDER BY Timestamp`,
  ],
  ['* | stats count_uniq(TraceId) as traces', `SELECT uniqExact(nullIf(TraceId, '')) AS traces FROM T`],
  ['* | sort by (_time desc) | limit 3 | fields Body', 'SELECT Body FROM T ORDER BY Timestamp DESC LIMIT 3'],
  [
    'user:bob | stats by (client.address) count() as n',
    `SELECT LogAttributes['client.address'] AS "client.address", count() AS n FROM T WHERE lower(LogAttributes['user']) = 'bob' GROUP BY 1`,
  ],
  [
    '-SeverityText:debug -SeverityText:info | stats count() as n',
    `SELECT count() AS n FROM T WHERE lower(SeverityText) NOT IN ('debug', 'info')`,
  ],
  ['EventName:* | uniq by (EventName)', `SELECT DISTINCT EventName FROM T WHERE EventName != ''`],
  [
    'Body:~"after [0-9]+ms" | stats by (error.type) count() as n',
    `SELECT LogAttributes['error.type'] AS "error.type", count() AS n FROM T WHERE match(Body, 'after [0-9]+ms') GROUP BY 1`,
  ],
  [
    'amount:* | stats by (currency) sum(amount) as total',
    `SELECT LogAttributes['currency'] AS currency, sum(toFloat64(LogAttributes['amount'])) AS total FROM T WHERE LogAttributes['amount'] != '' GROUP BY 1`,
  ],
]

const traces: readonly Question[] = [
  ['* | stats by (ServiceName) count() as spans', 'SELECT ServiceName, count() AS spans FROM T GROUP BY ServiceName'],
  [
    'StatusCode:=Error | fields SpanName, StatusMessage',
    `SELECT SpanName, StatusMessage FROM T WHERE StatusCode = 'Error'`,
  ],
  ['Duration:>1s | stats count() as slow', 'SELECT count() AS slow FROM T WHERE Duration > 1000000000'],
  ['Duration:>=3000000000 | fields SpanId', 'SELECT SpanId FROM T WHERE Duration >= 3000000000'],
  [
    '* | stats by (SpanName) max(Duration) as longest',
    'SELECT SpanName, max(Duration) AS longest FROM T GROUP BY SpanName',
  ],
  [
    '* | stats by (SpanName) min(Duration) as shortest, max(Duration) as longest, count() as n',
    'SELECT SpanName, min(Duration) AS shortest, max(Duration) AS longest, count() AS n FROM T GROUP BY SpanName',
  ],
  [
    'SpanKind:=Server | stats by (ServiceName) sum(Duration) as total',
    `SELECT ServiceName, sum(Duration) AS total FROM T WHERE SpanKind = 'Server' GROUP BY ServiceName`,
  ],
  [
    '* | stats by (ServiceName) avg(Duration) as mean',
    'SELECT ServiceName, avg(Duration) AS mean FROM T GROUP BY ServiceName',
  ],
  [
    '* | sort by (Duration desc) | limit 5 | fields SpanName, Duration',
    'SELECT SpanName, Duration FROM T ORDER BY Duration DESC, Timestamp DESC LIMIT 5',
  ],
  [
    'TraceId:="0af7651916cd43dd8448eb211c80319c" | sort by (_time) | fields SpanId, ParentSpanId',
    `SELECT SpanId, ParentSpanId FROM T WHERE TraceId = '0af7651916cd43dd8448eb211c80319c' ORDER BY Timestamp`,
  ],
  [
    'ParentSpanId:"" | stats by (SpanName) count() as roots',
    `SELECT SpanName, count() AS roots FROM T WHERE ParentSpanId = '' GROUP BY SpanName`,
  ],
  [
    'http.response.status_code:in(401, 504) | stats by (SpanName) count() as n',
    `SELECT SpanName, count() AS n FROM T WHERE SpanAttributes['http.response.status_code'] IN ('401', '504') GROUP BY SpanName`,
  ],
  [
    '* | stats by (http.route, http.response.status_code) count() as n',
    `SELECT SpanAttributes['http.route'] AS "http.route", SpanAttributes['http.response.status_code'] AS "http.response.status_code", count() AS n FROM T GROUP BY 1, 2`,
  ],
  [
    '* | stats count_uniq(TraceId) as traces, count() as spans',
    'SELECT uniqExact(TraceId) AS traces, count() AS spans FROM T',
  ],
  [
    '* | stats by (TraceId) count() as spans, sum(Duration) as total | sort by (spans desc, TraceId asc) | limit 3',
    'SELECT TraceId, count() AS spans, sum(Duration) AS total FROM T GROUP BY TraceId ORDER BY spans DESC, TraceId LIMIT 3',
  ],
  [
    'peer.service:="bank-gateway" | stats by (StatusCode) count() as n',
    `SELECT StatusCode, count() AS n FROM T WHERE SpanAttributes['peer.service'] = 'bank-gateway' GROUP BY StatusCode`,
  ],
  [
    'SpanName:login | stats by (user) count() as n',
    `SELECT SpanAttributes['user'] AS user, count() AS n FROM T WHERE match(SpanName, '(?i)\\\\blogin\\\\b') GROUP BY 1`,
  ],
  [
    'host.name:="node-1" | stats by (ServiceName, SpanKind) count() as n',
    `SELECT ServiceName, SpanKind, count() AS n FROM T WHERE ResourceAttributes['host.name'] = 'node-1' GROUP BY 1, 2`,
  ],
  [
    '* | stats by (_time:1m) count() as n, count() if (StatusCode:=Error) as errors',
    `SELECT toUnixTimestamp(toStartOfMinute(Timestamp)) * 1000000000 AS _time, count() AS n, countIf(StatusCode = 'Error') AS errors FROM T GROUP BY 1`,
  ],
  [
    '* | stats by (ServiceName) count() as n | filter n:>3',
    'SELECT ServiceName, count() AS n FROM T GROUP BY ServiceName HAVING n > 3',
  ],
]

/** Returns questions for any table of metric points: `metric` is a metric name in it, `key` an attribute name. */
function ofPoints(metric: string, key: string, value: string, service: string): readonly Question[] {
  const attribute = `Attributes['${key}']`
  return [
    ['* | stats count() as n', 'SELECT count() AS n FROM T'],
    ['* | uniq by (MetricName)', 'SELECT DISTINCT MetricName FROM T'],
    [
      '* | stats by (MetricName, MetricUnit) count() as n',
      'SELECT MetricName, MetricUnit, count() AS n FROM T GROUP BY 1, 2',
    ],
    [
      '* | stats by (ServiceName) count_uniq(MetricName) as metrics',
      'SELECT ServiceName, uniqExact(MetricName) AS metrics FROM T GROUP BY 1',
    ],
    [
      `MetricName:="${metric}" | stats by (${key}) count() as n`,
      `SELECT ${attribute} AS "${key}", count() AS n FROM T WHERE MetricName = '${metric}' GROUP BY 1`,
    ],
    [`${key}:="${value}" | stats count() as n`, `SELECT count() AS n FROM T WHERE ${attribute} = '${value}'`],
    [
      `ServiceName:=${service} | stats by (_time:1m) count() as n`,
      `SELECT toUnixTimestamp(toStartOfMinute(TimeUnix)) * 1000000000 AS _time, count() AS n FROM T WHERE ServiceName = '${service}' GROUP BY 1`,
    ],
    [
      `k8s.namespace.name:=shop | stats by (k8s.pod.name) count() as n`,
      `SELECT ResourceAttributes['k8s.pod.name'] AS "k8s.pod.name", count() AS n FROM T WHERE ResourceAttributes['k8s.namespace.name'] = 'shop' GROUP BY 1`,
    ],
    ['* | stats max(_time) as last', 'SELECT max(toUnixTimestamp64Nano(TimeUnix)) AS last FROM T'],
    [
      `MetricDescription:~"^${metric}" | uniq by (MetricDescription)`,
      `SELECT DISTINCT MetricDescription FROM T WHERE startsWith(MetricDescription, '${metric}')`,
    ],
  ]
}

const gauge: readonly Question[] = [
  ...ofPoints('process.cpu', 'core', '0', 'cart'),
  [
    'MetricName:="process.cpu" | stats by (ServiceName) max(Value) as peak',
    `SELECT ServiceName, max(Value) AS peak FROM T WHERE MetricName = 'process.cpu' GROUP BY 1`,
  ],
  [
    'MetricName:="process.cpu" | stats by (ServiceName, core) min(Value) as low, max(Value) as high',
    `SELECT ServiceName, Attributes['core'] AS core, min(Value) AS low, max(Value) AS high FROM T WHERE MetricName = 'process.cpu' GROUP BY 1, 2`,
  ],
  [
    'MetricName:="process.cpu" Value:>0.5 | stats count() as n',
    `SELECT count() AS n FROM T WHERE MetricName = 'process.cpu' AND Value > 0.5`,
  ],
  [
    'MetricName:="queue.length" | sort by (_time) | fields Value',
    `SELECT Value FROM T WHERE MetricName = 'queue.length' ORDER BY TimeUnix`,
  ],
  [
    'MetricName:="queue.length" | stats by (_time:1m) max(Value) as longest',
    `SELECT toUnixTimestamp(toStartOfMinute(TimeUnix)) * 1000000000 AS _time, max(Value) AS longest FROM T WHERE MetricName = 'queue.length' GROUP BY 1`,
  ],
  [
    'MetricName:="queue.length" | stats avg(Value) as mean',
    `SELECT avg(Value) AS mean FROM T WHERE MetricName = 'queue.length'`,
  ],
  [
    'MetricName:="process.memory" | stats by (host.name) sum(Value) as bytes',
    `SELECT ResourceAttributes['host.name'] AS "host.name", sum(Value) AS bytes FROM T WHERE MetricName = 'process.memory' GROUP BY 1`,
  ],
  [
    'Priority:=high Value:range[3, 12) | stats count() as n',
    `SELECT count() AS n FROM T WHERE Attributes['Priority'] = 'high' AND Value >= 3 AND Value < 12`,
  ],
  [
    'MetricName:="process.cpu" | stats quantile(0.5, Value) as p50',
    `SELECT arrayElement(arraySort(groupArray(Value)), intDiv(count(), 2) + 1) AS p50 FROM T WHERE MetricName = 'process.cpu'`,
  ],
  [
    '* | sort by (Value desc) | limit 4 | fields MetricName, Value',
    'SELECT MetricName, Value FROM T ORDER BY Value DESC, TimeUnix DESC LIMIT 4',
  ],
]

const sum: readonly Question[] = [
  ...ofPoints('http.requests', 'route', '/cart', 'payment'),
  [
    'IsMonotonic:true | stats by (MetricName) count() as n',
    'SELECT MetricName, count() AS n FROM T WHERE IsMonotonic GROUP BY 1',
  ],
  [
    'MetricName:="http.requests" | stats by (ServiceName, route, code) max(Value) as total',
    `SELECT ServiceName, Attributes['route'] AS route, Attributes['code'] AS code, max(Value) AS total FROM T WHERE MetricName = 'http.requests' GROUP BY 1, 2, 3`,
  ],
  [
    'MetricName:="http.requests" | stats by (code) max(Value) as high, min(Value) as low',
    `SELECT Attributes['code'] AS code, max(Value) AS high, min(Value) AS low FROM T WHERE MetricName = 'http.requests' GROUP BY 1`,
  ],
  [
    'AggregationTemporality:=1 | stats by (MetricName) sum(Value) as delta',
    'SELECT MetricName, sum(Value) AS delta FROM T WHERE AggregationTemporality = 1 GROUP BY 1',
  ],
  [
    'code:="500" Value:>0 | stats count() as n',
    `SELECT count() AS n FROM T WHERE Attributes['code'] = '500' AND Value > 0`,
  ],
  [
    'MetricName:="connections" | sort by (_time desc) | limit 1 | fields Value',
    `SELECT Value FROM T WHERE MetricName = 'connections' ORDER BY TimeUnix DESC LIMIT 1`,
  ],
  [
    'code:in("200", "500") | stats by (route) count_uniq(code) as codes',
    `SELECT Attributes['route'] AS route, uniqExact(Attributes['code']) AS codes FROM T WHERE Attributes['code'] IN ('200', '500') GROUP BY 1`,
  ],
  [
    '-route:* | stats by (MetricName) avg(Value) as mean',
    `SELECT MetricName, avg(Value) AS mean FROM T WHERE Attributes['route'] = '' GROUP BY 1`,
  ],
  [
    'route:"/"* | stats by (route) count() as n | sort by (n desc, route asc) | limit 2',
    `SELECT Attributes['route'] AS route, count() AS n FROM T WHERE startsWith(Attributes['route'], '/') GROUP BY 1 ORDER BY n DESC, route LIMIT 2`,
  ],
  [
    '* | stats by (ServiceName) sum(Value) as total | sort by (total desc)',
    'SELECT ServiceName, sum(Value) AS total FROM T GROUP BY 1 ORDER BY total DESC',
  ],
]

/** Questions about the `Count` and `Sum` columns of histograms and summaries. */
const ofCounts: readonly Question[] = [
  [
    '* | stats by (MetricName) max(Count) as n, max(Sum) as total',
    'SELECT MetricName, max(Count) AS n, max(Sum) AS total FROM T GROUP BY 1',
  ],
  [
    'Count:>10 | stats by (ServiceName) count() as n',
    'SELECT ServiceName, count() AS n FROM T WHERE Count > 10 GROUP BY 1',
  ],
  ['ServiceName:=cart | stats sum(Count) as n', `SELECT sum(Count) AS n FROM T WHERE ServiceName = 'cart'`],
  ['* | stats by (ServiceName) sum(Sum) as total', 'SELECT ServiceName, sum(Sum) AS total FROM T GROUP BY 1'],
  [
    '* | sort by (Count desc) | limit 3 | fields ServiceName, Count',
    'SELECT ServiceName, Count FROM T ORDER BY Count DESC, TimeUnix DESC LIMIT 3',
  ],
  ['ServiceName:=payment | stats avg(Sum) as mean', `SELECT avg(Sum) AS mean FROM T WHERE ServiceName = 'payment'`],
]

const histogram: readonly Question[] = [
  ...ofPoints('http.duration', 'route', '/price', 'cart'),
  ...ofCounts,
  [
    'route:="/cart" | stats min(Min) as low, max(Max) as high',
    `SELECT min(Min) AS low, max(Max) AS high FROM T WHERE Attributes['route'] = '/cart'`,
  ],
  [
    'Max:>=1000 | stats by (route) count() as n',
    `SELECT Attributes['route'] AS route, count() AS n FROM T WHERE Max >= 1000 GROUP BY 1`,
  ],
  [
    'AggregationTemporality:=2 | stats by (_time:1m) max(Max) as slowest',
    `SELECT toUnixTimestamp(toStartOfMinute(TimeUnix)) * 1000000000 AS _time, max(Max) AS slowest FROM T WHERE AggregationTemporality = 2 GROUP BY 1`,
  ],
  ['Min:<10 | uniq by (route)', `SELECT DISTINCT Attributes['route'] AS route FROM T WHERE Min < 10`],
]

const exponential: readonly Question[] = [
  ...ofPoints('db.duration', 'db.system', 'redis', 'auth'),
  ...ofCounts,
  [
    'ZeroCount:>0 | stats by (MetricName) sum(ZeroCount) as zeros',
    'SELECT MetricName, sum(ZeroCount) AS zeros FROM T WHERE ZeroCount > 0 GROUP BY 1',
  ],
  ['* | stats by (Scale) count() as n', 'SELECT Scale, count() AS n FROM T GROUP BY 1'],
  [
    'PositiveOffset:<0 | stats by (db.system) min(PositiveOffset) as low',
    `SELECT Attributes['db.system'] AS "db.system", min(PositiveOffset) AS low FROM T WHERE PositiveOffset < 0 GROUP BY 1`,
  ],
  ['Sum:<0 | stats count() as n, min(Sum) as low', 'SELECT count() AS n, min(Sum) AS low FROM T WHERE Sum < 0'],
]

const summary: readonly Question[] = [
  ...ofPoints('gc.pause', 'gc', 'young', 'cart'),
  ...ofCounts,
  ['gc:="old" | stats max(Sum) as worst', `SELECT max(Sum) AS worst FROM T WHERE Attributes['gc'] = 'old'`],
  [
    '* | stats by (ServiceName, gc) count() as n, sum(Count) as pauses',
    `SELECT ServiceName, Attributes['gc'] AS gc, count() AS n, sum(Count) AS pauses FROM T GROUP BY 1, 2`,
  ],
  [
    'Sum:range(60, 100] | stats by (gc) count() as n',
    `SELECT Attributes['gc'] AS gc, count() AS n FROM T WHERE Sum > 60 AND Sum <= 100 GROUP BY 1`,
  ],
  ['Count:in(40, 42, 100) | stats count() as n', 'SELECT count() AS n FROM T WHERE Count IN (40, 42, 100)'],
]

export const otelQuestions: Readonly<Record<string, readonly Question[]>> = {
  otel_logs: logs,
  otel_traces: traces,
  otel_metrics_gauge: gauge,
  otel_metrics_sum: sum,
  otel_metrics_histogram: histogram,
  otel_metrics_exponential_histogram: exponential,
  otel_metrics_summary: summary,
}
