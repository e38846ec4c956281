import { describe, expect, test } from 'vitest'
import { recordOptionsOf } from '../../../src/server/ingest/record-options.ts'
import { post, send, KEY } from '../harness/harness.ts'
import { found, ingestApp } from './app.ts'

const LOGS = '/api/logs/v2/search'

function options(headers: Record<string, string>, query: string) {
  return recordOptionsOf(new Headers(headers), new URLSearchParams(query))
}

describe('what a request says about its records', () => {
  test('nothing', () => {
    expect(options({}, '')).toBeUndefined()
    expect(options({ 'X-Sluice-Time-Field': ' ' }, 'tz=')).toBeUndefined()
  })

  test('headers and parameters, lists by commas', () => {
    expect(
      options({ 'X-Sluice-Time-Field': 'when, at', 'X-Sluice-Tz': 'Europe/Berlin' }, 'text_field=line&multiline=off'),
    ).toEqual({ timeFields: ['when', 'at'], zone: 'Europe/Berlin', textFields: ['line'], multiline: false })
  })

  test('a parameter wins over its header', () => {
    expect(options({ 'x-sluice-level-field': 'a' }, 'level_field=b&stream_fields=x,y')).toEqual({
      levelFields: ['b'],
      streamFields: ['x', 'y'],
    })
  })

  test.each([
    ['time_field=,', 'it names no field'],
    [`time_field=${Array.from({ length: 33 }, (_, i) => `f${i}`).join(',')}`, 'more than 32 fields'],
    ['tz=Mars/Olympus', 'not a zone'],
    ['tz=%2B25:00', 'not a zone'],
    ['multiline=perhaps', 'it is on or off'],
  ])('%s is refused', (query, reason) => {
    expect(() => options({}, query)).toThrow(reason)
  })
})

async function put(path: string, body: string, headers: Record<string, string> = {}) {
  const { app } = ingestApp()
  const sent = await send(app, path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson', ...headers },
    body,
  })
  return { sent, app }
}

describe('a route', () => {
  test.each([
    ['lines', '{"when":"2026-01-02T03:04:05Z","ts":"2020-01-01T00:00:00Z","line":"hello","message":"m"}'],
    ['a list', '[{"when":"2026-01-02T03:04:05Z","ts":"2020-01-01T00:00:00Z","line":"hello","message":"m"}]'],
  ])('reads %s with them; other names of the same fields stay beside', async (_, body) => {
    const { sent, app } = await put('/api/ingest/logs?time_field=when&text_field=line', body)
    expect(sent.body).toEqual({ accepted: 1, rejected: 0, errors: [] })
    expect(await found(app, LOGS, 'hello')).toEqual([
      {
        _time: '2026-01-02T03:04:05.000000000Z',
        content: 'hello',
        '_time.ts': '2020-01-01T00:00:00Z',
        'content.message': 'm',
      },
    ])
  })

  test('a record without the named field is read as the catalog says', async () => {
    const { app } = await put('/api/ingest/logs?time_field=when', '{"ts":"2026-01-02T03:04:05Z","msg":"x"}')
    expect(await found(app, LOGS, '*')).toEqual([{ _time: '2026-01-02T03:04:05.000000000Z', content: 'x' }])
  })

  test('counts times that it cannot read, and keeps their text', async () => {
    const { sent, app } = await put('/api/ingest/logs', '{"ts":"yesterday","msg":"x"}\n{"ts":"today","msg":"y"}\n')
    expect(sent.body).toEqual({
      accepted: 2,
      rejected: 0,
      errors: [],
      unreadableTimes: 2,
      unreadableTime: 'yesterday',
    })
    expect(await found(app, LOGS, 'x')).toMatchObject([{ '_time.text': 'yesterday' }])
  })

  test.each([
    ['as JSON lines', '/api/ingest/logs', '{"msg":"x","when":"2006-01-02T15:04:05Z"}\n{"msg":"y"}\n'],
    ['as items of a list', '/api/ingest/logs', '[{"msg":"x","when":"2006-01-02T15:04:05Z"},{"msg":"y"}]'],
    ['by an agent', '/insert/jsonline', '{"msg":"x","when":"2006-01-02T15:04:05Z"}\n{"msg":"y"}\n'],
  ])('tells of records without a time %s, and which field looks like one', async (_, path, body) => {
    const { sent, app } = await put(path, body)
    expect(sent.body).toEqual({
      accepted: 2,
      rejected: 0,
      errors: [],
      timelessRecords: 2,
      likelyTimeField: 'when',
    })
    expect(sent.headers.get('x-sluice-notice')).toBe(
      '2 records have no time and stand at the time of reading. `when` looks like a time: X-Sluice-Time-Field: when.',
    )
    expect(await app.telemetry.registry.metrics()).toContain('sluice_timeless_records_total{table="logs"} 2\n')
  })

  test('has no notice where all records have a time', async () => {
    const { sent } = await put('/api/ingest/logs', '{"ts":"2026-01-02T03:04:05Z","msg":"x"}')
    expect(sent.headers.get('x-sluice-notice')).toBeNull()
  })

  test('times that it cannot read are counted in the metrics, by table', async () => {
    const { app } = await put('/api/ingest/logs', '{"ts":"yesterday","msg":"x"}\n{"ts":"today","msg":"y"}\n')
    const text = await app.telemetry.registry.metrics()
    expect(text).toContain('sluice_unreadable_times_total{table="logs"} 2\n')
  })

  test.each([
    ['/api/ingest/logs?tz=Europe/Berlin', 'text/plain', '2026-07-02 15:04:05 hello', '2026-07-02T13:04:05.000000000Z'],
    [
      '/api/ingest/logs?tz=%2B02:00',
      'text/plain',
      'time="2026-07-02 15:04:05" msg="hello" a=b',
      '2026-07-02T13:04:05.000000000Z',
    ],
    [
      '/api/ingest/logs',
      'application/json',
      '[{"ts":1762529662.678123456,"msg":"hello"}]',
      '2025-11-07T15:34:22.678123456Z',
    ],
  ])('%s reads %s: %s', async (path, type, body, expected) => {
    const { app } = await put(path, body, { 'Content-Type': type })
    expect(await found(app, LOGS, 'hello | fields _time')).toEqual([{ _time: expected }])
  })

  test('refuses what it cannot understand', async () => {
    const { app } = ingestApp()
    const sent = await post(app, '/api/ingest/logs?tz=Moon', { a: 1 })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('X-Sluice-Tz')
  })
})
