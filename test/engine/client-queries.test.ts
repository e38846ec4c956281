import { describe, expect, test } from 'vitest'
import { collect, SluiceError, applyFix, present, type Diagnostic } from '../../src/base/index.ts'
import { toText } from '../../src/data/index.ts'
import { createEngine, type Engine, readRows } from '../../src/engine/index.ts'
import { columnarOver, minuteNs, rowsOver, sqliteOver, startNs, storedRow } from './data.ts'

/** Records for queries as API clients write them; every backend answers over the same 24 records. */
const rows = Array.from({ length: 24 }, (_, i) =>
  storedRow(i, startNs + BigInt(i) * minuteNs, {
    level: present(['error', 'warn', 'info', 'critical'][i % 4]),
    workload: i % 2 === 0 ? 'checkout' : 'cart',
    content: i % 5 > 0 ? 'server.secretkey is missing' : 'panic: out of range',
    cluster: i % 2 === 0 ? 'north' : 'south',
    instance: `i${i % 5}`,
    type: i % 2 === 0 ? 'Warning' : 'container_crash',
    reason: i % 3 === 0 ? 'Evicted' : 'OOMKilled',
    bytes_sent: i * 10,
    duration_seconds: i / 10,
    duration_ms: i * 100,
    aa: `x${i % 2}`,
    bb: 'y',
    ip: `10.0.0.${i}`,
    port: 8000 + i,
    'k8s.namespace.name': i < 12 ? 'production' : 'staging',
    'http.status_code': i % 2 === 0 ? 200 : 500 + (i % 3),
    is_inbound: true,
    resource_type: 'http',
    source: i % 4 === 0 ? 'agent' : 'ebpf',
    hits: i,
    failures: i % 4,
    latency: i,
    client: i % 3 === 0 ? '-' : 'web',
    server: i % 6 === 5 ? '-' : 'shop',
    server_namespace: 'sales',
    kind: i % 2 === 0 ? 'Internal' : 'Pod',
    span_name: 'POST /pay',
    span_type: 'grpc',
    status: i % 2 === 0 ? 'Running' : 'failed',
    status_phase: 'Running',
    env: 'prod',
    monitor_name: i === 7 ? 'the-checkout-monitor' : 'other',
    status_code: 200 + i * 10,
    service_name: 'api',
    namespace: 'prod',
  }),
)

const nowNs = startNs + 24n * minuteNs

/** Short form of an answer: the values of each row, or the number of rows. */
type Short = number | readonly string[]

const answered: readonly (readonly [query: string, answer: Short])[] = [
  ['level:error | limit 10', 6],
  ['* | stats count(*)', ['24']],
  ['* | stats count() as count', ['24']],
  ['level:error | stats count() count_all_result', ['6']],
  ['"server.secretkey is missing" | stats by (cluster) count() count_all_result', ['north 9', 'south 10']],
  ['* | filter level:error | sort by (_time desc) | limit 50', 6],
  [
    'level:error | fields _time, workload, instance | limit 2',
    ['2026-01-01T00:20:00Z checkout i0', '2026-01-01T00:16:00Z checkout i1'],
  ],
  ['level:error | stats count() total, count_uniq(workload) services', ['6 1']],
  ['_time:1h | stats by (workload) count() as cnt', ['cart 12', 'checkout 12']],
  ['_time:[2026-01-01, 2026-01-18] | stats by (level) count() as cnt', ['critical 6', 'error 6', 'info 6', 'warn 6']],
  ['* | stats by (workload) count() | sort by (workload asc, count desc)', ['cart 12', 'checkout 12']],
  ['* | sort by (timestamp desc) | offset 20 | limit 10 | fields instance', ['i3', 'i2', 'i1', 'i0']],
  [
    '* | stats quantile(0.5, bytes_sent) p50, quantile(0.95, bytes_sent) p95, quantile(0.99, bytes_sent) p99',
    ['120 220 230'],
  ],
  ['* | stats min(duration_seconds), max(duration_seconds)', ['0 2.3']],
  ['* | rename aa as service, bb as region | limit 1 | fields service, region', ['x1 y']],
  ['* | format "request from <ip>:<port> is sent" | limit 1 | fields content', ['request from 10.0.0.23:8023 is sent']],
  ['* | uniq (workload)', ['cart', 'checkout']],
  ['* | field_names | filter name:in(aa, ip)', ['aa 24', 'ip 24']],
  ['type:container_crash reason:OOMKilled | limit 10', 8],
  ['k8s.namespace.name:production type:Warning | stats by (reason) count()', ['Evicted 2', 'OOMKilled 4']],
  ['* | filter workload:checkout duration_seconds>0.5 | sort by (duration_seconds desc) | limit 50', 9],
  ['* | filter http.status_code:5* | stats by (workload) count() | limit 20', ['cart 12']],
  [
    '* | stats by (workload) count() as total, count() if (level:error) as bad ' +
      '| math bad / total * 100 as pct keep_existing | filter pct > 5 | sort by (pct desc) | limit 20',
    ['checkout 12 6 50'],
  ],
  [
    'resource_type:http is_inbound:true | filter source:ebpf ' +
      '| stats by (workload) sum(hits) as requests, sum(failures) as errors, quantile(0.95, latency) as p95 ' +
      '| math errors / requests * 100 as rate keep_existing | sort by (requests desc) | limit 20 | fields workload, requests, errors, p95',
    ['cart 144 24 23', 'checkout 72 12 22'],
  ],
  [
    '* | (-client:"-" -client:"" -server:"-" -server:"" -kind:Internal) AND (span_name:"POST /pay" span_type:grpc server:"shop") ' +
      '| uniq (source, cluster ,client, server_namespace ,server, status) | sort (client, server) | limit 500',
    ['ebpf south web sales shop failed'],
  ],
  ['kind:Pod AND status_phase:Running', 12],
  // `severity` is another name of `level`.
  ['env:prod AND severity:critical', 6],
  ['monitor_name:*checkout*', 1],
  ['status_code:>=200 status_code:<300', 10],
  ['service_name = "api" AND level = "error"', 6],
  ['duration_ms > 1000', 13],
  ["namespace = 'prod'", 24],
  ['status != "Running"', 12],
]

/** Habits from other languages that are rejected with a suggestion. */
const refused: readonly (readonly [query: string, code: string, meant: string, answer: Short])[] = [
  ['level IN ("error", "fatal")', 'log/in-without-colon', 'level:in ("error", "fatal")', 6],
  ['content ~* "^PANIC:"', 'log/unexpected', 'content ~ "(?i)^PANIC:"', 5],
]

const backends: readonly (readonly [name: string, engine: () => Promise<Engine>])[] = [
  ['rows', async () => createEngine({ backends: [rowsOver(rows)], lint: 'off' })],
  ['columnar', async () => createEngine({ backends: [columnarOver(rows)], lint: 'off' })],
  // SQL runs part of a plan; the row model runs the rest over the returned rows.
  ['sqlite', async () => createEngine({ backends: [await sqliteOver(rows)], upper: rowsOver([]), lint: 'off' })],
]

async function shortAnswer(engine: Engine, query: string, expected: Short): Promise<Short> {
  const found = await collect(readRows(engine.query(query, { nowNs }).batches()))
  if (typeof expected === 'number') return found.length
  return found.map((row) => [...row.values()].map(toText).join(' '))
}

describe.each(backends)('queries of clients on %s', (_, made) => {
  test.each(answered)('%s', async (query, expected) => {
    expect(await shortAnswer(await made(), query, expected)).toEqual(expected)
  })

  test.each(refused)('%s', async (query, code, meant, expected) => {
    const engine = await made()
    let diagnostics: readonly Diagnostic[] = []
    try {
      engine.query(query)
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      diagnostics = error.diagnostics
    }
    expect(diagnostics.map((each) => each.code)).toEqual([code])
    expect(applyFix(query, present(diagnostics[0]?.fixes[0]))).toBe(meant)
    expect(await shortAnswer(engine, meant, expected)).toEqual(expected)
  })

  test('`IS NOT NULL` is three words, and a warning says how it is written', async () => {
    const engine = await made()
    const query = 'trace_id IS NOT NULL'
    expect(await shortAnswer(engine, query, 0)).toBe(0)
    const [warning] = engine.check(query)
    expect([warning?.code, warning?.severity]).toEqual(['log/null-test', 'warning'])
    expect(applyFix(query, present(warning?.fixes[0]))).toBe('trace_id:*')
    expect(applyFix('a level is null b', present(engine.check('a level is null b')[0]?.fixes[0]))).toBe('a level:"" b')
  })
})
