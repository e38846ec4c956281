import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, LogServer, READER, faultOf, type Sent } from '../harness/log-server.ts'

/** 2026-03-10T11:00:00Z */
const START = 1_773_140_400

const rows = Array.from({ length: 6 }, (_, i) => ({
  _time: `2026-03-10T11:0${i}:00Z`,
  level: i % 2 === 0 ? 'info' : 'error',
  _msg: `message ${i}`,
  namespace: i < 4 ? 'theirs' : 'hidden',
  pod: `p${i % 3}`,
  n: i,
}))

let logs: LogServer

type Parameters = readonly (readonly [string, string])[] | Readonly<Record<string, string>>

function textOf(parameters: Parameters): string {
  const pairs: readonly (readonly [string, string])[] = Array.isArray(parameters)
    ? (parameters as readonly (readonly [string, string])[])
    : Object.entries(parameters as Readonly<Record<string, string>>)
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
}

function get(path: string, parameters: Parameters = {}, key = ADMIN): Promise<Sent> {
  // Grafana sends the key with basic authentication.
  const headers = { Authorization: `Basic ${btoa(`grafana:${key}`)}` }
  return logs.sent(`/select/logsql/${path}?${textOf(parameters)}`, { headers })
}

function form(path: string, parameters: Parameters, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  return logs.sent(`/select/logsql/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: textOf(parameters),
  })
}

async function jsonOf(sent: Promise<Sent>): Promise<unknown> {
  const { status, type, text } = await sent
  expect(status, text).toBe(200)
  expect(type).toBe('application/json')
  return JSON.parse(text) as unknown
}

async function linesOf(sent: Promise<Sent>): Promise<readonly unknown[]> {
  const { status, type, text } = await sent
  expect(status, text).toBe(200)
  expect(type).toBe('application/stream+json')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
}

async function valuesOf(sent: Promise<Sent>): Promise<readonly string[]> {
  const { values } = (await jsonOf(sent)) as { readonly values: readonly { value: string; hits: number }[] }
  return values.map(({ value, hits }) => `${value}: ${hits}`)
}

beforeAll(async () => {
  logs = await LogServer.open()
  await logs.post('/api/ingest/logs', rows)
  await logs.restrictReader()
})
afterAll(() => logs.server.close())

describe('query', () => {
  test('the health check of the data source', async () => {
    expect((await get('query', { query: '*', limit: '1', start: '-5m' })).status).toBe(200)
  })

  test('the newest rows with their streams, as strings, of the range that the data source sends', async () => {
    const range = { start: String(START), end: String(START + 120) }
    const { text, type } = await get('query', { query: '*', limit: '1000', ...range })
    expect(type).toBe('application/stream+json')
    expect(text).toBe(
      [
        String.raw`{"_time":"2026-03-10T11:01:00Z","level":"error","namespace":"theirs","pod":"p1","_msg":"message 1","_stream":"{namespace=\"theirs\",pod=\"p1\"}","_stream_id":"5d090786055a3e25","n":"1"}`,
        String.raw`{"_time":"2026-03-10T11:00:00Z","level":"info","namespace":"theirs","pod":"p0","_msg":"message 0","_stream":"{namespace=\"theirs\",pod=\"p0\"}","_stream_id":"d53e26a1c9aad18a","n":"0"}`,
        '',
      ].join('\n'),
    )
  })

  test('the form that the command line of VictoriaLogs sends, with its tenant', async () => {
    const headers = { AccountID: '0', ProjectID: '0', Accept: '*/*' }
    const sent = form(
      'query',
      { query: '* | sort by (n) | fields _time, _msg, _stream', limit: '2', offset: '1' },
      headers,
    )
    expect(await linesOf(sent)).toEqual([
      { _time: '2026-03-10T11:01:00Z', _msg: 'message 1', _stream: '{namespace="theirs",pod="p1"}' },
      { _time: '2026-03-10T11:02:00Z', _msg: 'message 2', _stream: '{namespace="theirs",pod="p2"}' },
    ])
  })

  test('all rows without a limit, and groups under the names of the reference', async () => {
    expect(await linesOf(get('query', { query: '*', offset: '2' }))).toHaveLength(6)
    expect(
      await linesOf(get('query', { query: '* | filter message | stats by (_msg) count() n', limit: '1' })),
    ).toEqual([{ _msg: 'message 0', n: '1' }])
  })

  test('pipes see and change the streams of rows', async () => {
    const row = async (pipes: string): Promise<unknown> =>
      (await linesOf(get('query', { query: `* | ${pipes}`, limit: '1' })))[0]
    expect(await row('delete _stream, n')).not.toHaveProperty('_stream')
    expect(await row('rename _stream as s')).toMatchObject({ s: '{namespace="hidden",pod="p2"}' })
    expect(await row('set_stream_fields level')).toMatchObject({ _stream: '{level="error"}' })
    expect(await row('format "x" as pod')).toMatchObject({ pod: 'x', _stream: '{namespace="hidden",pod="p2"}' })
    expect(await row('format "x" as _msg')).toMatchObject({ _msg: 'x' })
  })

  test('rows of every stage that keeps whole rows show their streams', async () => {
    const shown = async (query: string): Promise<unknown> =>
      (await linesOf(get('query', { query }))).map((row) => (row as { readonly _stream?: string })._stream)
    const [own, next] = ['{namespace="theirs",pod="p1"}', '{namespace="theirs",pod="p2"}']
    expect(await shown('n:1 | join by (pod) (n:1 | fields pod, level)')).toEqual([own])
    expect(await shown('n:1 | union (n:2)')).toEqual([own, next])
    expect(await shown('n:1 | stream_context before 1')).toEqual([own])
    expect(await shown('n:1 | running_stats count() as c')).toEqual([own])
    expect(await shown('n:1 | sample 1')).toEqual([own])
    expect(await shown('n:1 or n:2 | first 1 by (n) partition by (pod) | sort by (n)')).toEqual([own, next])
    expect(await shown('n:1 | unpack_json')).toEqual([own])
    expect(await shown('n:1 | fields n')).toEqual([undefined])
    expect(await shown('* | block_stats | limit 1')).toEqual([undefined])
  })

  test.each([
    ['2026-03-10T11:04:00Z', 2],
    ['2026-03-10T12:04:00+01:00', 2],
    ['2026-03-10T11:04', 2],
    ['2026-03', 6],
    ['2026', 6],
    ['2027', 0],
    ['0', 6],
    [String(START + 240), 2],
    [`${START + 239}.5`, 2],
    [`${START + 240}000`, 2],
    [`${START + 240}000000000`, 2],
    ['now', 0],
    ['now-1s', 0],
    ['100y', 6],
    ['-100y', 6],
  ])('start=%s finds %s rows', async (start, count) => {
    expect(await linesOf(get('query', { query: '*', start, end: '2028' }))).toHaveLength(count)
  })

  test('the end is not included, and relative times of the query count from it', async () => {
    const end = String(START + 240)
    expect(await linesOf(get('query', { query: '*', end }))).toHaveLength(4)
    expect(await linesOf(get('query', { query: '_time:2m', end }))).toHaveLength(2)
    expect(await linesOf(get('query', { query: '*', start: String(START + 240), end: String(START) }))).toEqual([])
  })
})

describe('extra filters', () => {
  const count = async (more: Parameters, query = '*'): Promise<unknown> => {
    const pairs = Array.isArray(more) ? (more as readonly (readonly [string, string])[]) : Object.entries(more)
    const lines = await linesOf(
      get('query', [['query', `${query} | stats count() n`], ...(pairs as [string, string][])]),
    )
    return (lines[0] as { readonly n: string }).n
  }

  test('are filters, or objects of fields and values', async () => {
    expect(await count({ extra_filters: 'level:error n:>1' })).toBe('2')
    expect(await count({ extra_filters: '{"level":"error"}' })).toBe('3')
    expect(await count({ extra_filters: '{"level":"error","n":["1","2","3"]}' })).toBe('2')
    expect(await count({ extra_filters: '{"n":[]}' })).toBe('6')
    expect(await count({ extra_filters: '' })).toBe('6')
  })

  test('of streams are stream filters, or objects of labels', async () => {
    expect(await count({ extra_stream_filters: '{pod="p1"}' })).toBe('2')
    expect(await count({ extra_stream_filters: '{"pod":["p1","p2"],"namespace":"theirs"}' })).toBe('2')
    expect(await count({ extra_stream_filters: '{"pod":["p.","x"]}' })).toBe('0')
  })

  test('may repeat, and hold in every query inside the query', async () => {
    const both: Parameters = [
      ['extra_filters', 'level:error'],
      ['extra_filters', 'n:>1'],
      ['extra_stream_filters', '{namespace="theirs"}'],
    ]
    expect(await count(both)).toBe('1')
    expect(await count({ extra_filters: 'level:error' }, 'pod:in(n:0 | fields pod)')).toBe('0')
  })

  test('cannot widen the query', async () => {
    expect(await count({ extra_filters: 'level:error or *' }, 'n:1')).toBe('1')
    expect(await faultOf(get('query', { query: '*', extra_filters: '*) or (*' }))).toMatch(/^400 .*line 1, column 2/)
  })
})

describe('counts over time', () => {
  test('by level, as the log volume of the data source asks', async () => {
    const range = { start: String(START), end: String(START + 600) }
    expect((await get('hits', { query: '*', ...range, step: '120s', field: 'level' })).text).toBe(
      '{"hits":[{"fields":{"level":"error"},"timestamps":["2026-03-10T11:00:00Z","2026-03-10T11:02:00Z","2026-03-10T11:04:00Z"],"values":[1,1,1],"total":3},{"fields":{"level":"info"},"timestamps":["2026-03-10T11:00:00Z","2026-03-10T11:02:00Z","2026-03-10T11:04:00Z"],"values":[1,1,1],"total":3}]}',
    )
  })

  test('with an offset, by several fields, the others as one', async () => {
    expect(await jsonOf(get('hits', { query: '*', step: '1h', offset: '30m' }))).toEqual({
      hits: [{ fields: {}, timestamps: ['2026-03-10T10:30:00Z'], values: [6], total: 6 }],
    })
    const fields: Parameters = [
      ['query', '*'],
      ['field', 'namespace'],
      ['field', 'missing'],
      ['fields_limit', '1'],
    ]
    const day = '2026-03-10T00:00:00Z'
    expect(await jsonOf(form('hits', fields))).toEqual({
      hits: [
        { fields: { namespace: 'theirs', missing: '' }, timestamps: [day], values: [4], total: 4 },
        { fields: {}, timestamps: [day], values: [2], total: 2 },
      ],
    })
    expect(await jsonOf(get('hits', { query: 'nothing' }))).toEqual({ hits: [] })
  })

  test('of what the pipes leave, or without them', async () => {
    expect(await jsonOf(get('hits', { query: '* | limit 2' }))).toMatchObject({ hits: [{ total: 2 }] })
    expect(await jsonOf(get('hits', { query: '* | limit 2', ignore_pipes: '1' }))).toMatchObject({
      hits: [{ total: 6 }],
    })
    expect(await faultOf(get('hits', { query: '* | fields n' }))).toMatch(/^400 Rows of this query have no `_time`/)
  })
})

describe('statistics', () => {
  test('at one time, with labels and values', async () => {
    const query = '* | stats by (level) count() n, max(n) m'
    expect((await get('stats_query', { query, time: String(START + 600) })).text).toBe(
      `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"n","level":"error"},"value":[${START + 600},"3"]},{"metric":{"__name__":"m","level":"error"},"value":[${START + 600},"5"]},{"metric":{"__name__":"n","level":"info"},"value":[${START + 600},"3"]},{"metric":{"__name__":"m","level":"info"},"value":[${START + 600},"4"]}]}}`,
    )
    const late = { query: '_time:5m | stats count() n', time: '2026-03-10T11:05:30.25Z' }
    expect(await jsonOf(form('stats_query', late))).toMatchObject({
      data: { result: [{ metric: { __name__: 'n' }, value: [START + 330.25, '5'] }] },
    })
  })

  const range = async (pipes: string, more: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const { data } = (await jsonOf(get('stats_query_range', { query: `* | ${pipes}`, step: '3m', ...more }))) as {
      readonly data: { readonly resultType: string; readonly result: readonly unknown[] }
    }
    expect(data.resultType).toBe('matrix')
    return data.result
  }

  test('over time, as series in order of their labels', async () => {
    expect(await range('stats by (level) count() n')).toEqual([
      {
        metric: { __name__: 'n', level: 'error' },
        values: [
          [START, '1'],
          [START + 180, '2'],
        ],
      },
      {
        metric: { __name__: 'n', level: 'info' },
        values: [
          [START, '2'],
          [START + 180, '1'],
        ],
      },
    ])
    expect(await range('stats sum(n) s', { offset: '1m' })).toEqual([
      {
        metric: { __name__: 's' },
        values: [
          [START - 60, '1'],
          [START + 120, '9'],
          [START + 300, '5'],
        ],
      },
    ])
    expect(await range('stats by (_time:1h) count() n')).toEqual([
      {
        metric: { __name__: 'n' },
        values: [
          [START, '3'],
          [START + 180, '3'],
        ],
      },
    ])
    expect(await range('filter nothing | stats count() n')).toEqual([])
  })

  test('pipes behind them choose and calculate within each step', async () => {
    expect(await range('stats by (pod) sum(n) s | sort by (s desc) limit 1')).toEqual([
      {
        metric: { __name__: 's', pod: 'p2' },
        values: [
          [START, '2'],
          [START + 180, '5'],
        ],
      },
    ])
    expect(
      await range('stats by (level) count() n | total_stats sum(n) t | math n / t as part | fields level, part'),
    ).toEqual([
      {
        metric: { __name__: 'part', level: 'error' },
        values: [
          [START, '0.3333333333333333'],
          [START + 180, '0.6666666666666666'],
        ],
      },
      {
        metric: { __name__: 'part', level: 'info' },
        values: [
          [START, '0.6666666666666666'],
          [START + 180, '0.3333333333333333'],
        ],
      },
    ])
  })

  test('errors have the form of Prometheus with the status 422', async () => {
    const { status, type, text } = await get('stats_query', { query: '*' })
    expect([status, type]).toEqual([422, 'application/json'])
    expect(JSON.parse(text)).toMatchObject({
      status: 'error',
      errorType: '422',
      error: expect.stringMatching(/does not end in `stats`.*\(line 1, column 1 of `query`\)/) as string,
    })
    const of = async (query: string, step = '1m'): Promise<string> => faultOf(get('stats_query_range', { query, step }))
    expect(await of('* | count() | limit 1')).toMatch(/^422 .*line 1, column 15/)
    expect(await of('* | count() | delete _time')).toMatch(/^422 .*does not end/)
    expect(await of('* | count() n | delete n')).toMatch(/^422 .*does not end/)
    expect(await of('* | count()', '0')).toMatch(/^422 .*must be above zero/)
    expect(await of('* | stats by (')).toMatch(/^422 .*line 1, column 14/)
  })
})

describe('lists', () => {
  test('names of fields under the names of the reference', async () => {
    expect(await valuesOf(get('field_names', { query: 'level:error' }))).toEqual(
      ['_time', '_stream', '_stream_id', '_msg', 'level', 'n', 'namespace', 'pod'].map((name) => `${name}: 3`),
    )
    expect(await valuesOf(get('field_names', { query: '*', filter: 'MS' }))).toEqual(['_msg: 6'])
    expect(await valuesOf(get('field_names', { query: '* | stats by (pod) count() x' }))).toEqual(['pod: 3', 'x: 3'])
  })

  test('values of a field', async () => {
    expect((await get('field_values', { query: '*', field: 'namespace', limit: '1' })).text).toBe(
      '{"values":[{"value":"theirs","hits":4}]}',
    )
    expect(await valuesOf(get('field_values', { query: '*', field: '_msg', filter: '3' }))).toEqual(['message 3: 1'])
    const cut = { query: '* | limit 1', field: 'n' }
    expect(await valuesOf(form('field_values', cut))).toEqual(['5: 1'])
    expect(await valuesOf(form('field_values', { ...cut, ignore_pipes: 'true' }))).toHaveLength(6)
  })

  test('streams, their ids, labels and values', async () => {
    const query = 'namespace:theirs'
    expect(await valuesOf(get('streams', { query, limit: '1' }))).toEqual(['{namespace="theirs",pod="p0"}: 2'])
    expect(await valuesOf(get('stream_ids', { query }))).toHaveLength(3)
    expect(await valuesOf(get('stream_field_names', { query }))).toEqual(['namespace: 4', 'pod: 4'])
    expect(await valuesOf(get('stream_field_values', { query, field: 'pod' }))).toEqual(['p0: 2', 'p1: 1', 'p2: 1'])
    expect(await valuesOf(get('stream_field_values', { query, field: 'level' }))).toEqual([])
    expect(await valuesOf(get('streams', { query, filter: 'P1' }))).toEqual(['{namespace="theirs",pod="p1"}: 1'])
    expect(await valuesOf(get('streams', { query: '* | set_stream_fields level' }))).toEqual([
      '{level="error"}: 3',
      '{level="info"}: 3',
    ])
  })

  test('facets of stored rows', async () => {
    const { facets } = (await jsonOf(get('facets', { query: '* | count()', limit: '1' }))) as {
      readonly facets: readonly { readonly field_name: string }[]
    }
    expect(facets.find(({ field_name: name }) => name === 'namespace')).toEqual({
      field_name: 'namespace',
      values: [{ field_value: 'theirs', hits: 4 }],
    })
    const few = get('facets', { query: 'n:0', keep_const_fields: '1', max_value_len: '2', max_values_per_field: '5' })
    expect(await jsonOf(few)).toEqual({
      facets: [
        { field_name: 'n', values: [{ field_value: '0', hits: 1 }] },
        { field_name: 'pod', values: [{ field_value: 'p0', hits: 1 }] },
      ],
    })
    expect(await jsonOf(get('facets', { query: 'nothing' }))).toEqual({ facets: [] })
  })
})

describe('tail', () => {
  const tail = (parameters: Parameters, key = ADMIN): Promise<Response> =>
    logs.server.fetch(
      new Request(`http://localhost/select/logsql/tail?${textOf(parameters)}`, { headers: { Authorization: key } }),
    )

  test('sends stored rows of the offset, then rows as they arrive', async () => {
    const response = await tail({ query: 'message | fields _msg, _stream', start_offset: '100y' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const read = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString()
    const first = await read()
    expect(first.split('\n')[0]).toBe(String.raw`{"_msg":"message 0","_stream":"{namespace=\"theirs\",pod=\"p0\"}"}`)
    expect(first.split('\n')).toHaveLength(7)
    await logs.sent('/api/ingest/logs', {
      method: 'POST',
      headers: { Authorization: ADMIN, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ _msg: 'message 6', _time: '2001-01-01T00:00:00Z', namespace: 'other' }]),
    })
    expect(await read()).toBe(String.raw`{"_msg":"message 6","_stream":"{namespace=\"other\"}"}${'\n'}`)
    await reader.cancel()
  })

  test('refuses what cannot be followed, at its place', async () => {
    const faults = async (parameters: Parameters): Promise<string> => {
      const response = await tail(parameters)
      return `${response.status} ${await response.text()}`
    }
    expect(await faults({ query: '* | count()' })).toMatch(/^400 This query cannot follow logs/)
    expect(await faults({ query: '* | limt' })).toMatch(/^400 .*line 1, column 5 of `query`/)
    expect(await faults({ query: '*', start_offset: 'x' })).toMatch(/^400 .*`start_offset`/)
    expect(await faults({})).toMatch(/^400 The parameter `query` is missing/)
  })
})

describe('what a caller may see', () => {
  const field = (name: string): readonly [string, string] => ['field', name]

  test.each<{ path: string; query?: string; more?: readonly [string, string] }>([
    { path: 'query' },
    { path: 'query', query: '* | stats by (namespace, pod) count() n, values(_msg) v' },
    { path: 'hits', more: field('namespace') },
    { path: 'stats_query', query: '* | stats by (namespace, _stream) count() n' },
    { path: 'stats_query_range', query: '* | stats by (namespace, _stream) count() n' },
    { path: 'field_values', more: field('namespace') },
    { path: 'field_names' },
    { path: 'streams' },
    { path: 'stream_ids' },
    { path: 'stream_field_names' },
    { path: 'stream_field_values', more: field('namespace') },
    { path: 'facets', more: ['keep_const_fields', '1'] },
  ])('$path has visible rows alone', async ({ path, query = '*', more = ['limit', '100'] }) => {
    const end = String(START + 600)
    const pairs: readonly (readonly [string, string])[] = [['query', query], more, ['time', end], ['end', end]]
    const seen = await get(path, pairs, READER)
    const wanted = await get(path, [...pairs, ['extra_filters', 'namespace:theirs']])
    expect(seen.status, seen.text).toBe(200)
    expect(seen.text).not.toMatch(/hidden|message [456]/)
    expect(seen.text).toBe(wanted.text)
    expect(seen.text.length).toBeGreaterThan(20)
  })

  test('is what a tail sends', async () => {
    const response = await logs.server.fetch(
      new Request('http://localhost/select/logsql/tail?query=*&start_offset=100y&for=1ms', {
        headers: { Authorization: READER },
      }),
    )
    expect(await response.text()).not.toMatch(/hidden/)
  })

  test('needs a key', async () => {
    const { status, type } = await logs.sent('/select/logsql/query?query=*', {})
    expect([status, type]).toEqual([401, 'text/plain; charset=utf-8'])
    expect((await get('query', { query: '*' }, 'unknown')).status).toBe(401)
  })
})

describe('bad requests', () => {
  test.each([
    ['query', {}, /^400 The parameter `query` is missing/],
    ['query', { query: ' ' }, /^400 The parameter `query` is missing/],
    ['query', { query: 'level:' }, /^400 .*\(line 1, column 7 of `query`\)$/],
    ['query', { query: 'a\n| limt 5' }, /^400 There is no pipe named `limt`.*\(line 2, column 3 of `query`\)/],
    ['query', { query: '*', limit: '-1' }, /^400 .*`limit` must be a whole number/],
    ['query', { query: '*', limit: '1e3' }, /^400 .*`limit`/],
    ['query', { query: '*', limit: '99999999999999999999' }, /^400 .*`limit`/],
    ['query', { query: '*', start: 'yesterday' }, /^400 .*`start`/],
    ['query', { query: '*', end: '2026-13' }, /^400 .*`end`/],
    ['query', { query: '*', timeout: 'x' }, /^400 .*`timeout`/],
    ['query', { query: '*', timeout: '1ns' }, /^503 The query ran longer than its time limit/],
    ['query', { query: '*', extra_filters: '{"a":1}' }, /^400 .*the number 1 at the text "a"/],
    ['query', { query: '*', extra_filters: '{"a":[{}]}' }, /^400 .*`extra_filters`/],
    ['query', { query: '*', extra_filters: '{"a' }, /^400 .*no JSON/],
    ['query', { query: '*', extra_filters: 'a | limit 1' }, /^400 .*of `extra_filters`/],
    ['query', { query: '*', extra_stream_filters: '{a' }, /^400 .*of `extra_stream_filters`/],
    ['hits', { query: '*', step: '-1m' }, /^400 .*above zero/],
    ['hits', { query: '*', offset: '1 day' }, /^400 .*`offset`/],
    ['field_values', { query: '*' }, /^400 The parameter `field` is missing/],
    ['facets', { query: '*', keep_const_fields: 'maybe' }, /^400 .*`keep_const_fields`/],
    ['nowhere', {}, /^400 There is no such path here/],
    ['query/x', {}, /^400 There is no such path here/],
  ] as const)('%s with %j', async (path, parameters, wanted) => {
    const { type } = await get(path, parameters)
    expect(type).toBe('text/plain; charset=utf-8')
    expect(await faultOf(get(path, parameters))).toMatch(wanted)
  })

  test('repeated parameters: the first counts, of the form before the address', async () => {
    const twice: Parameters = [
      ['query', 'n:1'],
      ['query', '*'],
      ['limit', '5'],
      ['limit', 'x'],
    ]
    expect(await linesOf(get('query', twice))).toHaveLength(1)
    expect(await linesOf(form('query?query=*&limit=1', { query: 'n:2 or n:3' }))).toHaveLength(1)
  })

  test('many and large parameters are refused or answered, and quickly forgotten', async () => {
    const many = (name: string, count: number): Parameters =>
      Array.from({ length: count }, (): readonly [string, string] => [name, 'n'])
    const of = (more: Parameters): Parameters => [['query', '*'], ...(more as readonly (readonly [string, string])[])]
    expect(await faultOf(form('query', of(many('extra_filters', 101))))).toMatch(/^400 .*at most 100 times/)
    expect((await form('query', of(many('extra_filters', 100)))).status).toBe(200)
    expect(
      (await form('hits', of(Array.from({ length: 101 }, (_, i): [string, string] => ['field', `f${i}`])))).status,
    ).toBe(400)
    expect((await form('query', { query: 'a '.repeat(300_000) })).status).toBe(400)
    expect((await form('query', { query: '*', extra_filters: '('.repeat(300_000) })).status).toBe(400)
    expect((await form('query', { query: '*', extra_filters: `{"a":${'['.repeat(300_000)}` })).status).toBe(400)
    expect((await form('query', { query: '*', extra_filters: 'x'.repeat(2 ** 20) })).status).toBe(413)
    const huge = { limit: '999999999999999', max_values_per_field: '999999999999999', max_value_len: '999999999999999' }
    expect((await form('facets', { query: '*', ...huge })).status).toBe(200)
    expect((await get('hits', { query: '*', step: '1ns' })).status).toBe(200)
    expect((await get('hits', { query: '*', step: '9'.repeat(39) })).status).toBe(200)
    expect(
      (await get('query', { query: '*', start: '-99999999y', offset: '999999999999999', limit: '1' })).status,
    ).toBe(200)
  })

  test('bad encodings become characters, and bodies of other types are refused', async () => {
    const headers = { Authorization: ADMIN }
    const raw = (search: string): Promise<Sent> => logs.sent(`/select/logsql/query?query=${search}`, { headers })
    for (const search of ['%ff', '%', '%E0%A4%A', '%00', '"%ED%A0%80"', '*%0d%0a', '\u{1F600}'])
      expect([200, 400], search).toContain((await raw(search)).status)
    expect((await form('query', { query: '*' }, { 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await form('query', { query: '*' }, { 'Content-Encoding': 'gzip' })).status).toBe(415)
    expect((await logs.sent('/select/logsql/query', { method: 'PUT', headers })).status).toBe(405)
  })
})

test('health and tenants', async () => {
  expect(await logs.sent('/health', {})).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'OK' })
  expect(await logs.sent('/ping', {})).toMatchObject({ status: 204, text: '' })
  const { text } = await logs.sent('/select/tenant_ids?start=-1h', { headers: { Authorization: ADMIN } })
  expect(text).toBe('[{"account_id":0,"project_id":0}]')
})
