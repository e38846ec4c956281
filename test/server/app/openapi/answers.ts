import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import snappy from 'snappyjs'
import { parse } from 'yaml'
import { present } from '../../../../src/base/index.ts'
import type { App } from '../../../../src/server/index.ts'
import { KEY_HEADER, type Operation } from '../bad-requests/operations.ts'

const fixtures = join(import.meta.dirname, '../../../../fixtures')

/** One answer that the server gave. */
export interface Given {
  readonly operation: Operation
  readonly about: string
  readonly status: number
  readonly contentType: string
  /** The parsed body; `undefined` if it is empty. */
  readonly body: unknown
}

interface Question {
  readonly path?: string
  readonly body?: unknown
  readonly bytes?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }
const Range = { Start: range.start, End: range.end }
const EXPOSITION = '# TYPE up gauge\n# HELP up x\nup{job="a"} 1 1773140400000\nup{job="b"} 2 1773140400000\n'
const at = 'time=2026-03-10T11:00:00Z'

function fixture(kind: string): string {
  return readFileSync(join(fixtures, kind, 'payments-pool-exhausted.ndjson'), 'utf8')
    .split('\n')
    .slice(0, 200)
    .join('\n')
}

const silence = {
  startsAt: range.start,
  endsAt: range.end,
  comment: 'x',
  matchers: [{ name: 'a', value: 'b', isRegex: true }],
}
const scope = {
  simple: { conditions: [{ key: 'cluster', type: 'string', origin: 'root', filters: [{ op: 'match', value: 'c' }] }] },
}
const promqlForm = (text: string): Question => ({ bytes: new URLSearchParams(text).toString() })
const lokiPushes: readonly Question[] = [
  { body: { streams: [{ stream: { a: 'b' }, values: [['1773140400000000000', 'x']] }] } },
  {
    body: {
      streams: [
        {
          stream: { a: 'b' },
          values: [
            ['1', 'x'],
            ['soon', 'y'],
          ],
        },
      ],
    },
  },
  { body: { streams: 5 } },
]
const seconds = 'start=1773097200&end=1773183600'
const traceSearch = `q=${encodeURIComponent('{ kind = server } | by(.span_type) | select(name)')}&limit=2&${seconds}`
const traceRate = `q=${encodeURIComponent('{} | rate() by (resource.service.name)')}&${seconds}`
const searches: readonly Question[] = [
  { body: { ...range, query: '* | limit 5' } },
  { body: { ...range, query: '* | stats by (namespace) count() n, max(_time) last | sort by (n desc)' } },
  { body: { ...range, query: '* | limit 2', enableStream: true }, headers: { Accept: 'application/x-ndjson' } },
  { body: { ...range, query: '* | limit 2', enableStream: true }, headers: { Accept: 'text/event-stream' } },
  { body: { ...range, query: 'level:' } },
  { body: { start: 'x' } },
]

/** Requests for each operation: valid ones and a few invalid ones. They are ordered so that each finds some data. */
const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'POST /api/ingest/logs': [
    { bytes: fixture('logs') },
    { bytes: '{"content":"x"}\n{' },
    { bytes: '{"a":', headers: { 'Content-Type': 'application/json' } },
  ],
  'POST /api/ingest/events': [{ bytes: fixture('events') }, { bytes: 'x' }],
  'POST /api/ingest/spans': [{ bytes: fixture('spans') }, { bytes: '[' }],
  'POST /api/ingest/clusters': [{ bytes: fixture('clusters') }, { bytes: '1' }],
  'POST /api/ingest/workloads': [{ bytes: fixture('workloads') }, { bytes: '{' }],
  'POST /insert/jsonline': [{ bytes: '{"_msg":"x"}\n{' }, { bytes: 'x' }],
  'POST /_bulk': [{ bytes: '{"create":{}}\n{"a":1}\n{"index":{"_index":"i"}}\n{\n' }, { bytes: 'x' }],
  'POST /{index}/_bulk': [{ bytes: '{"index":{}}\n{"a":1}\n' }, { bytes: '' }],
  'GET /': [{}],
  'GET /_license': [{}],
  'GET /_cluster/health': [{}],
  'GET /_index_template/{name}': [{}],
  'PUT /_index_template/{name}': [{ body: {} }, { bytes: 'x', headers: { 'Content-Type': 'image/png' } }],
  'POST /services/collector/event': [
    { bytes: '{"event":"x"}' },
    { bytes: '{"event":"x"}', headers: { 'X-Splunk-Request-Channel': 'c' } },
    { bytes: '{"event":' },
  ],
  'POST /services/collector/raw': [{ bytes: 'x\ny' }, { bytes: '' }],
  'POST /services/collector/ack': [{ body: { acks: [1] } }, { body: {} }],
  'GET /services/collector/health': [{}],
  'POST /api/v2/logs': [{ bytes: '{"message":"x"}' }, { bytes: '[{"message":"x"},7]' }, { bytes: '[' }],
  'GET /api/v1/validate': [{}],
  'POST /upload': [
    { bytes: 'MESSAGE=x\n\n', headers: { 'Content-Type': 'application/vnd.fdo.journal' } },
    { bytes: 'x', headers: { 'Content-Type': 'application/vnd.fdo.journal' } },
  ],
  'POST /v1/logs': [
    { body: { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' } }] }] }] } },
    { bytes: Uint8Array.of(), headers: { 'Content-Type': 'application/x-protobuf' } },
    { body: { resourceLogs: 5 } },
  ],
  'POST /v1/traces': [
    { body: { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }] }] }] } },
    { bytes: Uint8Array.of(), headers: { 'Content-Type': 'application/x-protobuf' } },
    { body: [] },
  ],
  'POST /v1/metrics': [
    {
      body: {
        resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: [{ asInt: 1 }, {}] } }] }] }],
      },
    },
    { bytes: Uint8Array.of(), headers: { 'Content-Type': 'application/x-protobuf' } },
    { body: { resourceMetrics: 5 } },
  ],
  'POST /loki/api/v1/push': lokiPushes,
  'POST /api/prom/push': lokiPushes,
  'POST /api/v1/write': [{ bytes: Uint8Array.from(snappy.compress(Uint8Array.of())) }, { bytes: 'x' }],
  'POST /api/v1/import/prometheus': [{ bytes: EXPOSITION }, { bytes: `${EXPOSITION}{` }, { bytes: '{' }],
  'POST /api/logs/v2/search': [
    ...searches,
    { body: { ...range, query: 'level:$level', parameters: { level: 'x' }, pipeline: { limit: 2 } } },
  ],
  'POST /api/k8s/v2/events/search': searches,
  'POST /api/traces/v2/search': searches,
  'POST /api/metrics/query': [
    { body: { ...Range, Promql: 'up', QueryType: 'range', Step: '600' } },
    { body: { End: range.end, Promql: 'up', QueryType: 'instant' } },
    { body: { End: range.end, Promql: '1 + 1', QueryType: 'instant' } },
    { body: { End: range.end, Promql: '"x"', QueryType: 'instant' } },
    { body: { Promql: 'sum(' } },
  ],
  'POST /api/k8s/v2/events-over-time': [
    { body: { ...Range, Limit: 5 } },
    { body: { ...Range, WithRawEvents: true, Limit: 3 } },
    { body: {} },
  ],
  'POST /api/k8s/v3/clusters/list': [{ body: {} }, { body: { Sources: 1 } }],
  'POST /api/rows/delete': [
    { body: { where: 'level:error', ...range } },
    { body: { table: 'events', where: 'no:such', ...range, write: true } },
    { body: { where: '* | limit 1', ...range } },
  ],
  'POST /api/k8s/v3/workloads/list': [{ body: { limit: 5 } }, { body: { limit: 0 } }],
  'POST /api/explain': [
    { body: { ...range, query: '* | stats by (namespace) count() n' } },
    { body: { query: 'no_such_field:x', analyze: true } },
    { body: { query: '* | limt 5' } },
  ],
  'POST /api/check': [{ body: { query: '* | limt 5' } }, { body: { query: '*' } }, { body: {} }],
  'POST /api/fields/names': [{ body: { ...range, query: '*' } }, { body: {} }],
  'POST /api/fields/values': [{ body: { ...range, query: '*', field: 'level' } }, { body: { ...range, field: '' } }],
  'POST /api/fields/facets': [{ body: { ...range, query: '*', limit: 3 } }, { body: { ...range, query: '(' } }],
  'POST /api/hits': [
    { body: { ...range, query: '*', step: '6h' } },
    { body: { ...range, query: '*', step: '6h', field: 'level' } },
    { body: { ...range, step: 'x' } },
  ],
  'GET /api/logs/tail': [{ path: '?query=*&for=10ms' }, { path: '' }, { path: '?query=*+|+stats+count()+n' }],
  'GET /api/v1/query': [{ path: `?query=up&${at}` }, { path: `?query=1&${at}` }, { path: '' }, { path: '?query=up{' }],
  'POST /api/v1/query': [promqlForm(`query=up&${at}`), promqlForm('query=(')],
  'GET /api/v1/query_range': [
    { path: `?query=up&start=${range.start}&end=${range.end}&step=3600` },
    { path: '?query=up' },
  ],
  'POST /api/v1/query_range': [promqlForm(`query=up&start=${range.start}&end=${range.end}&step=3600`), promqlForm('')],
  'GET /api/v1/series': [{ path: '?match[]=up' }, { path: '' }],
  'POST /api/v1/series': [promqlForm('match[]=up'), promqlForm('match[]={')],
  'GET /api/v1/labels': [{ path: '' }, { path: '?start=x' }],
  'POST /api/v1/labels': [promqlForm(''), promqlForm('limit=x')],
  'GET /api/v1/label/{name}/values': [{ path: '' }, { path: '?match[]=(' }],
  'GET /api/v1/metadata': [{ path: '' }, { path: '?limit=x' }],
  'GET /api/v1/parse_query': [{ path: '?query=up' }, { path: '?query=sum by (a) (rate(up[5m]))' }, { path: '?query=' }],
  'POST /api/v1/parse_query': [promqlForm('query=up'), promqlForm('query=(')],
  'GET /api/v1/format_query': [{ path: '?query=up' }, { path: '?query=(' }],
  'POST /api/v1/format_query': [promqlForm('query=up'), promqlForm('')],
  'GET /api/v1/status/buildinfo': [{ path: '' }],
  'GET /api/v1/status/config': [{ path: '' }],
  'GET /api/v1/status/flags': [{ path: '' }],
  'GET /api/v1/status/runtimeinfo': [{ path: '' }],
  'GET /api/v1/status/tsdb': [{ path: '' }, { path: '?limit=1' }, { path: '?limit=x' }],
  'GET /api/v1/status/walreplay': [{ path: '' }],
  'GET /api/v1/status/tsdb/blocks': [{ path: '' }],
  'GET /api/v1/features': [{ path: '' }],
  'GET /api/v1/notifications': [{ path: '' }],
  'GET /api/v1/notifications/live': [{ path: '' }],
  'GET /api/v1/targets': [{ path: '' }],
  'GET /api/v1/targets/metadata': [{ path: '' }, { path: '?limit=x' }, { path: '?match_target={' }],
  'GET /api/v1/scrape_pools': [{ path: '' }],
  'GET /api/v1/alertmanagers': [{ path: '' }],
  // Sets the clock to the time at which the alert fires that later operations return.
  'POST /test/clock': [{ body: { now: range.end } }, { body: { now: 'x' } }, { body: {} }],
  'GET /api/v1/rules': [{ path: '' }, { path: '?type=record' }, { path: '?type=x' }],
  'GET /api/v1/alerts': [{ path: '' }],
  'GET /api/monitors/{id}/state': [{}],
  'GET /api/monitors/dead-letters': [{}],
  'POST /api/monitors/dead-letters/{id}/resend': [{}],
  'POST /api/v2/alerts': [{ body: [{ labels: { alertname: 'posted' } }] }, { body: [{}] }, { bytes: '[' }],
  'GET /api/v2/alerts': [{ path: '' }, { path: '?filter=(' }],
  'GET /api/v2/alerts/groups': [{ path: '' }],
  'GET /api/v2/status': [{}],
  'GET /api/v2/receivers': [{}],
  'POST /api/v2/silences': [{ body: {} }, { body: { ...silence, createdBy: 'x' } }],
  'GET /api/v2/silences': [{ path: '' }, { path: '?filter=(' }],
  'GET /api/v2/silence/{id}': [{}],
  'DELETE /api/v2/silence/{id}': [{}, {}],
  'POST /api/monitors/{id}/resolve': [{ body: { labels: { alertname: 'm' } } }, { body: {} }],
  'GET /api/v1/query_exemplars': [{ path: '?query=up&start=0&end=1' }, { path: '?query=up' }],
  'POST /api/v1/query_exemplars': [promqlForm('query=up&start=0&end=1'), promqlForm('query=(&start=0&end=1')],
  'POST /api/v1/read': [
    { bytes: Uint8Array.from(snappy.compress(Uint8Array.of())) },
    // Requests one query without matchers, answered in chunks.
    { bytes: Uint8Array.from(snappy.compress(Uint8Array.of(10, 0, 18, 1, 1))) },
    { bytes: 'x' },
  ],
  'GET /select/logsql/query': [{ path: '?query=*&limit=2' }, { path: '?query=level:' }],
  'POST /select/logsql/query': [promqlForm('query=*&limit=2'), promqlForm('query=(')],
  'GET /select/logsql/hits': [{ path: '?query=*&step=6h&field=level' }, { path: '?query=*&step=0' }],
  'POST /select/logsql/hits': [promqlForm('query=*'), promqlForm('')],
  'GET /select/logsql/stats_query': [{ path: '?query=*+|+count()&time=2026-03-10' }, { path: '?query=*' }],
  'POST /select/logsql/stats_query': [promqlForm('query=*+|+stats+by+(level)+count()'), promqlForm('')],
  'GET /select/logsql/stats_query_range': [{ path: '?query=*+|+count()&step=6h' }, { path: '?query=*' }],
  'POST /select/logsql/stats_query_range': [promqlForm('query=*+|+count()'), promqlForm('query=*+|+count()&step=x')],
  'GET /select/logsql/field_names': [{ path: '?query=*' }, { path: '' }],
  'POST /select/logsql/field_names': [promqlForm('query=*'), promqlForm('query=*&start=x')],
  'GET /select/logsql/field_values': [{ path: '?query=*&field=level' }, { path: '?query=*' }],
  'POST /select/logsql/field_values': [
    promqlForm('query=*&field=level&limit=1'),
    promqlForm('query=*&field=a&limit=-1'),
  ],
  'GET /select/logsql/streams': [{ path: '?query=*' }, { path: '?query={' }],
  'POST /select/logsql/streams': [promqlForm('query=*&limit=1'), promqlForm('')],
  'GET /select/logsql/stream_ids': [{ path: '?query=*' }, { path: '?query={' }],
  'POST /select/logsql/stream_ids': [promqlForm('query=*&limit=1'), promqlForm('')],
  'GET /select/logsql/stream_field_names': [{ path: '?query=*' }, { path: '?query={' }],
  'POST /select/logsql/stream_field_names': [promqlForm('query=*'), promqlForm('')],
  'GET /select/logsql/stream_field_values': [{ path: '?query=*&field=pod' }, { path: '?query=*' }],
  'POST /select/logsql/stream_field_values': [promqlForm('query=*&field=pod'), promqlForm('')],
  'GET /select/logsql/facets': [{ path: '?query=*&limit=2' }, { path: '?query=*&limit=x' }],
  'POST /select/logsql/facets': [promqlForm('query=*'), promqlForm('query=*&keep_const_fields=maybe')],
  'GET /select/logsql/tail': [{ path: '?query=*&for=10ms' }, { path: '?query=*+|+count()' }],
  'POST /select/logsql/tail': [promqlForm('query=*&for=10ms'), promqlForm('query=*+|+count()')],
  'GET /loki/api/v1/query_range': [{ path: '?query={pod=~".%2B"}&limit=2' }, { path: '?query={' }],
  'POST /loki/api/v1/query_range': [promqlForm('query={pod=~".%2B"}&limit=2'), promqlForm('query={')],
  'GET /loki/api/v1/query': [{ path: '?query=sum(count_over_time({pod=~".%2B"}[6h]))' }, { path: '?query=1&limit=0' }],
  'POST /loki/api/v1/query': [
    promqlForm('query=sum(count_over_time({pod=~".%2B"}[6h]))'),
    promqlForm('query=1&limit=0'),
  ],
  'GET /loki/api/v1/labels': [{ path: '?since=6h' }, { path: '?start=x' }],
  'POST /loki/api/v1/labels': [promqlForm('since=6h'), promqlForm('start=x')],
  'GET /loki/api/v1/label/{name}/values': [{ path: '?since=6h' }, { path: '?start=x' }],
  'POST /loki/api/v1/label/{name}/values': [promqlForm('since=6h'), promqlForm('start=x')],
  'GET /loki/api/v1/series': [{ path: '?since=6h' }, { path: '?match[]={' }],
  'POST /loki/api/v1/series': [promqlForm('since=6h'), promqlForm('match[]={')],
  'GET /loki/api/v1/index/stats': [{ path: '?query={pod=~".%2B"}' }, { path: '?query=' }],
  'POST /loki/api/v1/index/stats': [promqlForm('query={pod=~".%2B"}'), promqlForm('query=')],
  'GET /loki/api/v1/index/volume': [{ path: '?query={pod=~".%2B"}' }, { path: '?query=' }],
  'POST /loki/api/v1/index/volume': [promqlForm('query={pod=~".%2B"}'), promqlForm('query=')],
  'GET /loki/api/v1/index/volume_range': [{ path: '?query={pod=~".%2B"}&step=1h' }, { path: '?query=' }],
  'POST /loki/api/v1/index/volume_range': [promqlForm('query={pod=~".%2B"}&step=1h'), promqlForm('query=')],
  'GET /loki/api/v1/detected_fields': [{ path: '?query={pod=~".%2B"}' }, { path: '?query=' }],
  'POST /loki/api/v1/detected_fields': [promqlForm('query={pod=~".%2B"}'), promqlForm('query=')],
  'GET /loki/api/v1/detected_field/{name}/values': [{ path: '?query={pod=~".%2B"}' }, { path: '?query=' }],
  'POST /loki/api/v1/detected_field/{name}/values': [promqlForm('query={pod=~".%2B"}'), promqlForm('query=')],
  'GET /loki/api/v1/detected_labels': [{ path: '?since=6h' }, { path: '?query={' }],
  'POST /loki/api/v1/detected_labels': [promqlForm('since=6h'), promqlForm('query={')],
  'GET /loki/api/v1/patterns': [{ path: '?query={pod=~".%2B"}' }, { path: '?query=' }],
  'POST /loki/api/v1/patterns': [promqlForm('query={pod=~".%2B"}'), promqlForm('query=')],
  'GET /api/prom/query': [{ path: '?query={pod=~".%2B"}&limit=2' }, { path: '?query={' }],
  'POST /api/prom/query': [promqlForm('query={pod=~".%2B"}&regexp=a'), promqlForm('query={pod="x"}&regexp=(')],
  'GET /loki/api/v1/tail': [{ path: '?query={pod=~".%2B"}' }, { path: '?query={' }],
  'GET /api/prom/tail': [{ path: '?query={pod=~".%2B"}' }, { path: '?query={' }],
  'GET /loki/api/v1/format_query': [{ path: '?query={pod=~".%2B"}' }, { path: '?query={' }],
  'POST /loki/api/v1/format_query': [promqlForm('query={pod=~".%2B"}'), promqlForm('query={')],
  'GET /loki/api/v1/status/buildinfo': [{ path: '' }],
  'GET /loki/api/v1/drilldown-limits': [{ path: '' }],
  'GET /prometheus/api/v1/rules': [{ path: '' }],
  'GET /api/v2/traces/{trace}': [
    { path: '' },
    { path: '', headers: { Accept: 'application/protobuf' } },
    { path: '?start=x' },
  ],
  'GET /api/traces/{trace}': [{ path: '' }, { path: '?end=1' }, { path: '?start=x' }],
  'GET /jaeger/api/services': [{ path: '' }],
  'GET /jaeger/api/services/{name}/operations': [{ path: '' }],
  'GET /jaeger/api/operations': [{ path: '?service=frontend' }, { path: '' }],
  'GET /jaeger/api/traces': [
    { path: '?service=frontend&start=1773097200000000&end=1773183600000000' },
    { path: '?traceID=1' },
    { path: '?service=a&tags={' },
  ],
  'GET /jaeger/api/traces/{trace}': [{ path: '' }, { path: '?end=1' }],
  'GET /jaeger/api/dependencies': [{ path: '?endTs=1773183600000' }, { path: '' }],
  'GET /jaeger/api/v3/services': [{ path: '' }],
  'GET /jaeger/api/v3/operations': [{ path: '?service=frontend' }, { path: '' }],
  'GET /jaeger/api/v3/traces': [
    { path: '?query.service_name=frontend&query.start_time_max=2026-03-11T00:00:00Z' },
    { path: '?query.start_time_max=x' },
  ],
  'GET /jaeger/api/v3/traces/{trace}': [{ path: '' }],
  'GET /api/search': [{ path: `?${traceSearch}` }, { path: `?limit=2&${seconds}` }, { path: '?q={' }],
  'POST /api/search': [promqlForm(traceSearch), promqlForm('limit=x')],
  'GET /api/v2/search/tags': [{ path: `?${seconds}` }, { path: '?scope=x' }],
  'GET /api/search/tags': [{ path: `?${seconds}` }, { path: '?scope=x' }],
  'GET /api/v2/search/tag/{tag}/values': [{ path: `?${seconds}` }],
  'GET /api/search/tag/{tag}/values': [{ path: `?${seconds}` }],
  'GET /api/metrics/query_range': [{ path: `?${traceRate}&step=6h` }, { path: '?q={}' }],
  'GET /api/metrics/query': [{ path: `?${traceRate}` }, { path: '?q={' }],
  'GET /api/echo': [{ path: '' }],
  'GET /api/status/buildinfo': [{ path: '' }],
  'GET /select/tenant_ids': [{ path: '' }, { path: '?start=x' }],
  'GET /federate': [{ path: '?match[]=up' }, { path: '' }, { path: '?match[]={' }],
  'POST /api/monitors': [
    { body: { title: 'made', labels: { a: 'b' }, model: { queries: [{ name: 'q', expression: '*' }] } } },
    { bytes: 'title: [' },
    { body: { title: 'made' } },
  ],
  'POST /api/monitors/list': [{ body: {} }, { body: { sort: 'x' } }],
  'GET /api/monitors/{id}': [{}],
  'PUT /api/monitors/{id}': [{ body: { title: 'm', severity: 'S1' } }, { bytes: '[' }],
  'POST /api/monitors/silences': [{ body: silence }, { body: {} }],
  'GET /api/monitors/silences': [{ path: '' }, { path: '?skip=-1' }],
  'GET /api/monitors/silences/{id}': [{}],
  'PUT /api/monitors/silences/{id}': [{ body: { comment: 'y' } }, { body: { matchers: 5 } }],
  'PUT /api/saved-queries': [{ body: { queries: [{ name: 'errors', query: 'level:error' }] } }, { body: {} }],
  'GET /api/saved-queries': [{}],
  'GET /api/keys': [{}],
  'GET /api/rbac/policies/list': [{}],
  'GET /api/rbac/policy/{id}': [{}],
  'POST /api/rbac/policy/create': [
    { body: { name: 'made', role: { read: '' }, dataScope: scope } },
    { body: { name: 'made' } },
    { body: {} },
  ],
  'PUT /api/rbac/policy/{id}': [
    { body: { name: 'first', dataScope: scope } },
    { body: { name: 'first', currentRevision: 77 } },
  ],
  'POST /api/rbac/policy/apply': [{ body: { emails: ['a@b.c'], policyUUIDs: [] } }, { body: { emails: [] } }],
  'DELETE /api/monitors/{id}': [{}, {}],
  'DELETE /api/monitors/silences/{id}': [{}, {}],
  'DELETE /api/rbac/policy/{id}': [{}, {}],
}

const TYPES: Readonly<Partial<Record<Operation['takes'], string>>> = {
  yaml: 'application/x-yaml',
  lines: 'application/x-ndjson',
  snappy: 'application/x-protobuf',
  exposition: 'text/plain',
  form: 'application/x-www-form-urlencoded',
}

/** Sends every operation its requests and returns all answers. Throws if an operation has no request. */
export async function answersOf(app: App, operations: readonly Operation[]): Promise<readonly Given[]> {
  const order = Object.keys(QUESTIONS)
  const unknown = operations.filter(({ name }) => !order.includes(name))
  if (unknown.length > 0) throw new Error(`no question for ${unknown.map(({ name }) => name).join(', ')}`)
  const found: Given[] = []
  for (const name of order) {
    const operation = operations.find((each) => each.name === name)
    if (operation === undefined) throw new Error(`there is no ${name}`)
    for (const { path = '', body, bytes, headers } of present(QUESTIONS[name])) {
      const type = body === undefined ? (TYPES[operation.takes] ?? 'application/json') : 'application/json'
      const encoding: Readonly<Record<string, string>> =
        operation.takes === 'snappy' ? { 'Content-Encoding': 'snappy' } : {}
      const content = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await app.fetch(
        new Request(`http://localhost${operation.path}${path}`, {
          method: operation.method,
          headers: {
            ...KEY_HEADER,
            ...(content === undefined ? {} : { 'Content-Type': type, ...encoding }),
            ...headers,
          },
          body: content ?? null,
        }),
      )
      const text = await response.text()
      const contentType = (response.headers.get('content-type') ?? '').replace(/;.*$/, '')
      const isJson = contentType === 'application/json'
      const read = isJson
        ? (JSON.parse(text) as unknown)
        : contentType === 'application/x-yaml'
          ? (parse(text) as unknown)
          : text
      found.push({
        operation,
        about: `${name} ${path}${JSON.stringify(body ?? '').slice(0, 80)} → ${response.status} ${text.slice(0, 200)}`,
        status: response.status,
        contentType,
        body: text === '' && contentType === '' ? undefined : read,
      })
    }
  }
  return found
}
