import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-record-options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

function rows(out: string): readonly unknown[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

const json = file(
  'app.jsonl',
  '{"when":"2006-01-02 15:04:05","line":"hello"}\n{"when":1562529662.678123456,"line":"there"}\n',
)
const text = file('app.log', '2006-07-02 15:04:05,123 INFO one\n2006-07-02 15:04:06,123 INFO two\n')

const hosts = file(
  'hosts.jsonl',
  '{"time":"2026-03-10T11:00:00Z","host":"a","msg":"one"}\n{"time":"2026-03-10T11:00:01Z","host":"b","msg":"two"}\n',
)

describe('fields of the standard table that no record of a file has', () => {
  const path = file('nested.jsonl', '{"time":"2026-03-10T11:00:00Z","res":{"status":500},"msg":"failed"}\n'.repeat(3))

  test.each([
    'status:>=500',
    '* | stats count() if (status:>=500) as bad',
    '* | stats by (status:100) count()',
    '* | sort by (status)',
  ])('are told: %s', async (query) => {
    const { error } = await run('query', query, path)
    expect(error).toContain('No row has the field `status`. Nearest among 3 rows: `res.status` (3 rows).')
  })

  test('a file in the place of the query is reported', async () => {
    const { code, error } = await run('query', path)
    expect([code, error]).toEqual([2, `The query is missing: ${path} is a file. Use: sluice query '*' ${path}\n`])
  })

  test.each(['failed _time:2026', '* | fields content, _time', 'res.status:>=500 | delete status'])(
    'nothing is said of others: %s',
    async (query) => {
      expect((await run('query', query, path)).error).toBe('')
    },
  )
})

describe('what is said about records', () => {
  test.each(['columnar', 'sqlite', 'rows'])('fields that distinguish streams, for %s', async (backend) => {
    const args = [hosts, '--stream-fields', 'host', '--backend', backend]
    const { out, error } = await run('query', '{host="a"} | fields content, _stream', ...args)
    expect([error, rows(out)]).toEqual(['', [{ content: 'one', _stream: '{host="a"}' }]])
    expect((await run('query', '{host="a"}', hosts, '--backend', backend)).code).toBe(1)
  })

  test('of JSON', async () => {
    const { out, error, code } = await run(
      'query',
      '* | sort by (_time)',
      json,
      '--time-field',
      'at,when',
      '--text-field',
      'line',
    )
    expect(rows(out)).toEqual([
      { _time: '2006-01-02T15:04:05.000000000Z', content: 'hello' },
      { _time: '2019-07-07T20:01:02.678123456Z', content: 'there' },
    ])
    expect({ error, code }).toEqual({ error: '', code: 0 })
  })

  test('the zone, of JSON and of text', async () => {
    const zone = ['--tz', 'Europe/Berlin']
    const asJson = await run(
      'query',
      'hello | fields _time',
      json,
      '--time-field',
      'when',
      '--text-field',
      'line',
      ...zone,
    )
    expect(rows(asJson.out)).toEqual([{ _time: '2006-01-02T14:04:05.000000000Z' }])
    const asText = await run('query', 'one | fields _time', text, ...zone)
    expect(rows(asText.out)).toEqual([{ _time: '2006-07-02T13:04:05.123000000Z' }])
  })

  test.each(['columnar', 'sqlite', 'rows'])('a query names fields as the records do, for %s', async (backend) => {
    const names = ['--time-field', 'when', '--text-field', 'line', '--backend', backend]
    const query = 'line:hello when:<2010-01-01 | stats by (when:1d) count() n | fields when, n'
    const { error, out } = await run('query', query, json, ...names)
    expect([error, rows(out)]).toEqual(['', [{ _time: '2006-01-02T00:00:00.000000000Z', n: 1 }]])
  })

  test('invalid values are refused', async () => {
    const { code, error } = await run('query', '*', json, '--tz', 'Mars/Olympus')
    expect(code).toBe(2)
    expect(error).toContain('--tz cannot be read: it is not a zone of the IANA database')
  })
})

describe('times that cannot be read', () => {
  const bad = file(
    'bad.jsonl',
    '{"ts":"yesterday","msg":"a"}\n{"ts":42,"msg":"b"}\n{"ts":"2006-01-02T15:04:05Z","msg":"c"}\n',
  )
  const told = '2 records have times that cannot be read, the first `yesterday`'

  test('are reported by query, unless it is to be quiet', async () => {
    const { error, out, code } = await run('query', '* | sort by (content) | fields _time, _time.text', bad)
    expect(error).toContain(told)
    expect(code).toBe(0)
    expect(rows(out)).toEqual([
      { _time: '2026-03-10T12:00:00.000000000Z', '_time.text': 'yesterday' },
      { _time: '2026-03-10T12:00:00.000000000Z', '_time.text': 42 },
      { _time: '2006-01-02T15:04:05.000000000Z', '_time.text': null },
    ])
    expect((await run('query', '*', bad, '--quiet')).error).toBe('')
  })

  test.each([
    ['a line', 'zone.log', '2025-11-30 10:11:12 CST no room\n  in shop\n2025-11-30 10:11:13 CST more\n'],
    [
      'a field',
      'zone.jsonl',
      '{"ts":"2025-11-30 10:11:12 CST","msg":"a"}\n{"ts":"Sun Nov 30 10:11:13 CST 2025","msg":"b"}\n',
    ],
  ])('name --tz where the zone in %s stands for several', async (_, name, text) => {
    const path = file(name, text)
    const { error, out } = await run('query', '* | fields _time.text', path)
    expect(error).toContain('2 records have times that cannot be read, the first `2025-11-30 10:11:12 CST`')
    expect(error).toContain('`CST` stands for several zones: --tz ZONE says which, as --tz America/Chicago.')
    expect(rows(out)).toContainEqual({ '_time.text': '2025-11-30 10:11:12 CST' })
    const read = await run('query', '* | stats min(_time) t', path, '--tz', 'America/Chicago')
    expect(read.error).toBe('')
    expect(rows(read.out)).toEqual([{ t: '2025-11-30T16:11:12.000000000Z' }])
  })

  test('are reported by import, which keeps what was said about the records', async () => {
    const data = join(folder, 'data')
    const { error, out } = await run('import', bad, '--data', data)
    expect(error).toContain(told)
    expect(out).toBe(`3 logs stored in ${data}.\n`)
    const named = await run('import', json, '--data', data, '--time-field', 'when', '--text-field', 'line')
    expect(named.error).toBe('')
  })
})

describe('records without a time', () => {
  const one = '1 record has no time and stands at the time of reading. '

  test.each([
    ['its name', '{"n":12,"day":"2006-01-02","when":"2006-01-02T15:04:05Z"}', 'when'],
    ['its date', '{"n":"x","d1":"2006-01-02 15:04:05","code":"12:30"}', 'd1'],
    ['its name, in seconds', '{"port":1136214245,"sentAt":1136214245}', 'sentAt'],
    ['its name, in milliseconds as text', '{"epoch":"1136214245000"}', 'epoch'],
    ['its name, in logfmt', 'level=info msg=hello stamp=2006-01-02T15:04:05Z', 'stamp'],
    ['its name, in an object', '{"request":{"startTime":"2006-01-02T15:04:05Z"}}', 'request.startTime'],
  ])('are told with the field that looks like one by %s', async (_, line, name) => {
    const path = file('timeless.log', `${line}\n`)
    const { error } = await run('query', '*', path)
    expect(error).toBe(`${one}\`${name}\` looks like a time: --time-field ${name}.\n`)
    expect((await run('query', '*', path, '--time-field', name)).error).toBe('')
    expect((await run('query', '*', path, '--quiet')).error).toBe('')
  })

  test.each([
    ['text', 'hello'],
    ['numbers that are no times', '{"when":42,"size":1136214245,"time_ms":0.5}'],
    ['an IP address and a version', '{"ip":"10.0.0.1","version":"1.2.3"}'],
  ])('are told without a field where none looks like one: %s', async (_, line) => {
    const { error } = await run('query', '*', file('timeless.log', `${line}\n`))
    expect(error).toBe(`${one}If a field holds the time, --time-field NAME names it.\n`)
  })

  test('are all counted, also those that a query leaves out', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `{"when":"2006-01-02T15:04:05Z","n":${i},"a":"w${i}"}\n`)
    const { error } = await run('query', 'a:w7', file('many.jsonl', lines.join('')))
    expect(error).toContain('300 records have no time and stand at the time of reading. `when` looks like a time')
  })

  test('lie in a range up to now, however it is written', async () => {
    const path = file('now.jsonl', '{"a":1}\n')
    const since = await run('query', '* | fields a', path, '--since', '4h', '--quiet')
    const filtered = await run('query', '_time:4h | fields a', path, '--quiet')
    expect(rows(since.out)).toEqual([{ a: 1 }])
    expect(filtered.out).toBe(since.out)
  })
})

describe('neighbours of a row in several files', () => {
  const row = (second: number, level: string, msg: string): string =>
    `${JSON.stringify({ time: `2026-03-10T11:00:0${second}Z`, level, host: 'a', msg })}\n`
  const api = file('api.jsonl', row(0, 'info', 'api 1') + row(2, 'error', 'api 2') + row(4, 'info', 'api 3'))
  const worker = file('worker.jsonl', row(1, 'info', 'worker 1') + row(3, 'info', 'worker 2'))
  const query = 'level:error | stream_context before 1 after 1'
  const texts = async (...args: readonly string[]): Promise<readonly unknown[]> => {
    const { out } = await run('query', ...args)
    return (rows(out) as readonly { content: string }[]).map(({ content }) => content)
  }

  test.each(['columnar', 'sqlite', 'rows'])('are those of its file, for %s', async (backend) => {
    const found = rows((await run('query', `${query} | fields content, _file`, api, worker, '--backend', backend)).out)
    expect(found).toEqual(['api 1', 'api 2', 'api 3'].map((content) => ({ content, _file: api })))
  })

  test('are those of a file that a folder has', async () => {
    expect(await texts(query, `${folder}/{api,worker}.jsonl`)).toEqual(['api 1', 'api 2', 'api 3'])
  })

  test('are those of its stream where fields distinguish streams', async () => {
    expect(await texts(query, api, worker, '--stream-fields', 'host')).toEqual(['worker 1', 'api 2', 'worker 2'])
  })

  test('name no file where there is one', async () => {
    expect((await run('query', query, api)).out).not.toContain('_file')
    expect((await run('query', 'level:error', api, worker)).out).not.toContain('_file')
  })
})
