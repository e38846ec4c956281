import { afterAll, beforeAll, expect, test } from 'vitest'
import { discoveredLabels, logqlTableOf } from '../../../src/engine/logql/index.ts'
import { convertLogql } from '../../../src/lang/logql/index.ts'
import { logsTable } from '../../../src/store/index.ts'
import { ADMIN, LogServer } from '../harness/log-server.ts'

/** 2026-03-10T11:00:00Z in ns. No line lies on a step boundary. */
const START = 1_773_140_400_000_000_000n
const SECOND = 1_000_000_000n
const table = logqlTableOf(logsTable, discoveredLabels)

let logs: LogServer

beforeAll(async () => {
  logs = await LogServer.open()
  const lines = (from: number, texts: readonly string[]): readonly unknown[] =>
    texts.map((text, i) => [String(START + BigInt(from + i * 30) * SECOND), text, { zone: i % 2 === 0 ? 'a' : 'b' }])
  const streams = [
    {
      stream: { app: 'pay', namespace: 'x' },
      values: lines(7, ['status=200 took=5', 'status=500 took=25 user="a b"', 'status=404 took=1', 'no fields']),
    },
    {
      stream: { app: 'shop', namespace: 'y', pod: 'p1' },
      values: lines(11, [
        '{"status":200,"user":"bo"}',
        '{"status":503}',
        'GET /cart HTTP 500',
        '\u001b[31mred\u001b[0m',
      ]),
    },
  ]
  expect((await logs.post('/loki/api/v1/push', { streams })).status).toBe(204)
  const rows = ['one', 'two*', 'a.b\nc'].map((content, i) => ({
    _time: `2026-03-10T11:0${i}:13Z`,
    content,
    workload: i === 0 ? 'cart' : 'pay',
    level: i === 1 ? 'error' : 'info',
  }))
  expect((await logs.post('/api/ingest/logs', rows)).status).toBe(200)
})
afterAll(() => logs.server.close())

const END = START + 300n * SECOND

async function askedOfLoki(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const search = new URLSearchParams(parameters).toString()
  const { status, text } = await logs.sent(`/loki/api/v1/${path}?${search}`, { headers: { Authorization: ADMIN } })
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { readonly data: { readonly result: readonly unknown[] } }).data.result
}

type Found = Readonly<Record<string, unknown>>

async function rowsOf(query: string): Promise<readonly Found[]> {
  const range = { start: '2026-03-10T11:00:00Z', end: '2026-03-10T11:05:00Z' }
  const { status, text } = await logs.post('/api/logs/v2/search', { query, ...range })
  expect(status, `${query} ${text}`).toBe(200)
  return JSON.parse(text) as readonly Found[]
}

test.each([
  '{app="pay"}',
  '{app=~"pay|sho."}',
  '{app!="pay", namespace=~".+"}',
  '{app!~"p.*", namespace=~".+"}',
  '{app=~"pa"}',
  '{pod="p1"}',
  '{service_name="pay"}',
  '{service_name="unknown_service"}',
  '{service_name=~"pay|cart"}',
  '{service_name=~".+", service_name!="pay"}',
  '{service_name=~".+"} |= "status"',
  '{service_name=~".+"} |= "two*"',
  '{service_name=~".+"} |= "STATUS"',
  '{service_name=~".+"} |= "a.b"',
  '{service_name=~".+"} | level="ERROR"',
  '{service_name=~".+"} != "status"',
  '{service_name=~".+"} |= "one" or "red"',
  '{service_name=~".+"} != "one" or "red"',
  '{service_name=~".+"} |= ""',
  '{service_name=~".+"} |~ "a.b"',
  '{service_name=~".+"} |~ "b.c"',
  '{service_name=~".+"} |~ "(?i)STATUS"',
  '{service_name=~".+"} !~ "[0-9]"',
  '{service_name=~".+"} | level="error"',
  '{service_name=~".+"} | level!="error"',
  '{service_name=~".+"} | zone="a" or level="error"',
  '{service_name=~".+"} | detected_level="error"',
  '{app="pay"} | logfmt',
  '{app="pay"} | logfmt | status="500"',
  '{app="pay"} | logfmt | status="500.0"',
  '{app="pay"} | logfmt | status="5e2"',
  '{app="pay"} | logfmt | status=~"[45]00"',
  '{app="pay"} |= "took" | logfmt | took > 4',
  '{app="pay"} |= "took" | logfmt | took >= 5 | took <= 25',
  '{app="pay"} |= "took" | logfmt | took == 5',
  '{app="pay"} |= "took" | logfmt | took != 5',
  '{app="shop"} |= "{" | json | user="bo"',
  '{app="shop"} |= "GET" | pattern "<method> <path> HTTP <code>" | code="500"',
  '{app="shop"} | regexp "(?P<verb>GET|PUT) /" | verb="GET"',
  '{app="pay"} |= "took" | logfmt | line_format "{{.status}} in {{ .took }} by {{.user}}"',
  '{app="pay"} |= "took" | logfmt | line_format "{{.status}}" |= "5"',
  '{app="pay"} | line_format "[{{__line__}}]"',
  '{app="pay"} | logfmt | label_format code=status | code="500"',
  '{app="pay"} | logfmt | label_format both="{{.status}}-{{.took}}" | both="404-1"',
  '{app="pay"} | logfmt | drop status | status=""',
  '{app="pay"} | logfmt | keep took | took="5"',
  '{app="shop"} | decolorize |= "red"',
])('gives the same lines: %s', async (query) => {
  const parameters = { query, start: String(START), end: String(END), limit: '100' }
  const streams = (await askedOfLoki('query_range', parameters)) as readonly {
    readonly values: readonly (readonly [string, string])[]
  }[]
  const { text } = convertLogql(query, table)
  const rows = await rowsOf(text)
  const shown = rows.map((row) => {
    const ns = BigInt(Date.parse(String(row['_time']))) * 1_000_000n
    return `${ns} ${String(row['content'])}`
  })
  const wanted = streams.flatMap(({ values }) => values.map(([ns, line]) => `${ns} ${line}`))
  expect(shown.toSorted(), text).toEqual(wanted.toSorted())
})

test.each([
  ['sum(count_over_time({service_name=~".+"}[5m]))', []],
  ['sum by (namespace) (count_over_time({service_name=~".+"}[5m]))', ['namespace']],
  ['sum by (zone, namespace) (count_over_time({app=~".+"} |= "status" [5m]))', ['zone', 'namespace']],
  ['sum by (zone) (rate({app=~".+"}[5m]))', ['zone']],
  ['sum by (namespace) (bytes_over_time({app=~".+"}[5m]))', ['namespace']],
  ['sum by (status) (count_over_time({app="pay"} | logfmt [5m]))', ['status']],
  ['sum(sum_over_time({app="pay"} |= "took" | logfmt | unwrap took [5m]))', []],
  ['max by (zone) (max_over_time({app="pay"} |= "took" | logfmt | unwrap took [5m]))', ['zone']],
  ['min by (zone) (min_over_time({app="pay"} |= "took" | logfmt | unwrap took [5m]))', ['zone']],
  ['avg_over_time({app="pay"} |= "took" | logfmt | unwrap took [5m]) by (zone)', ['zone']],
] as const)('gives the same numbers: %s', async (query, labels) => {
  const series = (await askedOfLoki('query', { query, time: String(END) })) as readonly {
    readonly metric: Readonly<Record<string, string>>
    readonly value: readonly [number, string]
  }[]
  const { text } = convertLogql(query, table)
  const groups = (await rowsOf(text)).map((row) => [labels.map((name) => row[name] ?? ''), Number(row['value'])])
  const wanted = series.map(({ metric, value }) => [labels.map((name) => metric[name] ?? ''), Number(value[1])])
  expect(sorted(groups), text).toEqual(sorted(wanted))
})

function sorted(groups: readonly unknown[]): readonly string[] {
  return groups.map((group) => JSON.stringify(group)).toSorted()
}

test.each([
  ['{a="b"} |> "x<_>"', 8, '`|>`'],
  ['{a="b"} |= ip("10.0.0.0/8")', 8, '`ip(…)` on a line'],
  ['{a="b"} | x > 5s', 10, 'a condition on durations'],
  ['{a="b"} | x > 5KB', 10, 'a condition on sizes'],
  ['{a="b"} | x = ip("10.0.0.0/8")', 10, 'a condition on addresses'],
  ['{a="b"} | json x="y"', 10, '`json` with chosen labels'],
  ['{a="b"} | unpack', 10, '`unpack`'],
  ['{a="b"} | line_format "{{ .a | lower }}"', 10, '`{{ .a | lower }}`'],
  ['{a="b"} | line_format "<x>"', 10, '`<` in a template'],
  ['{a="b"} | drop x="y"', 10, '`x` with a condition'],
  ['{a="b"} | logfmt | msg="x"', 19, 'the label `msg`'],
  ['{a="b"} | label_format service_name="x"', 10, 'the label `service_name`'],
  ['count_over_time({a="b"}[5m])', 0, 'a series for each set of labels'],
  ['sum without (a) (rate({a="b"}[5m]))', 0, '`without`'],
  ['max by (a) (rate({a="b"}[5m]))', 0, 'this `max`'],
  ['sum(rate({a="b"}[5m])) / 2', 0, 'arithmetic'],
  ['vector(1)', 0, 'arithmetic'],
  ['sum(bytes_rate({a="b"}[5m]))', 0, 'this `sum`'],
  ['sum(count_over_time({a="b"}[5m] offset 1m))', 4, '`offset`'],
  ['sum(sum_over_time({a="b"} | unwrap duration(x) [5m]))', 26, 'an `unwrap` that converts'],
  ['stddev_over_time({a="b"} | unwrap x [5m]) by (a)', 0, '`stddev_over_time`'],
])('%s has no counterpart', (query, from, found) => {
  const fault = ((): unknown => {
    try {
      return convertLogql(query, table)
    } catch (error) {
      return error
    }
  })()
  expect(fault).toMatchObject({
    diagnostics: [
      {
        code: 'convert/no-counterpart',
        origin: { span: { start: from } },
        message: expect.stringContaining(found),
        notes: [expect.any(String)],
      },
    ],
  })
})
