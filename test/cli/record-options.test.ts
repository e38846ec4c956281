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

describe('what is said about records', () => {
  test.each(['columnar', 'sqlite', 'rows'])('fields that tell streams apart, for %s', async (backend) => {
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

  test('what cannot be understood is refused', async () => {
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

  test('are told by query, unless it is to be quiet', async () => {
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

  test('are told by import, which keeps what was said about the records', async () => {
    const data = join(folder, 'data')
    const { error, out } = await run('import', bad, '--data', data)
    expect(error).toContain(told)
    expect(out).toBe(`3 logs stored in ${data}.\n`)
    const named = await run('import', json, '--data', data, '--time-field', 'when', '--text-field', 'line')
    expect(named.error).toBe('')
  })
})
