import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { run } from './terminal.ts'

const KEY = 'a-key-of-the-command-line-test'
const folder = mkdtempSync(join(tmpdir(), 'sluice-logql-'))
const rows = [
  { _time: '2026-03-10T11:00:01Z', content: 'level=info msg=started took=5ms', workload: 'pay', level: 'info' },
  { _time: '2026-03-10T11:00:02Z', content: 'level=error msg=failed took=25ms', workload: 'pay', level: 'error' },
  { _time: '2026-03-10T11:00:03Z', content: '{"status":500}', workload: 'shop', level: 'warn', namespace: 'a' },
]
const logs = join(folder, 'logs.ndjson')
writeFileSync(logs, rows.map((row) => JSON.stringify(row)).join('\n'))

let server: SluiceServer
let at: readonly string[]

beforeAll(async () => {
  server = await createServer({ keys: [KEY] })
  const { port } = await server.listen({ port: 0 })
  at = ['--server', `http://localhost:${port}`, '--key', KEY]
  const headers = { Authorization: KEY, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(rows) }
  expect((await server.fetch(new Request('http://localhost/api/ingest/logs', init))).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

function logql(query: string, ...args: readonly string[]) {
  return run('query', '--dialect', 'logql', query, ...args)
}

function jsonLines(out: string): readonly unknown[] {
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
}

describe('query --dialect logql', () => {
  test('gives lines with their labels, the newest first', async () => {
    const { code, out, error } = await logql('{service_name="pay"} | logfmt | took > 10ms', logs)
    expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(jsonLines(out)).toEqual([
      {
        _time: '2026-03-10T11:00:02.000000000Z',
        content: 'level=error msg=failed took=25ms',
        service_name: 'pay',
        workload: 'pay',
        detected_level: 'error',
        level: 'error',
        level_extracted: 'error',
        msg: 'failed',
        took: '25ms',
      },
    ])
  })

  test('a label with the name of a column is shown beside it', async () => {
    const { out } = await logql('{workload="shop"} | label_format content="x", _time="y"', logs)
    expect(jsonLines(out)).toMatchObject([{ content: '{"status":500}', content_label: 'x', _time_label: 'y' }])
  })

  test('gives a series at the newest line, or at each step', async () => {
    const count = 'sum by (detected_level) (count_over_time({workload="pay"}[5m]))'
    const instant = await logql(count, logs)
    expect(jsonLines(instant.out)).toEqual([
      { _time: '2026-03-10T11:00:03.000000000Z', detected_level: 'error', value: 1 },
      { _time: '2026-03-10T11:00:03.000000000Z', detected_level: 'info', value: 1 },
    ])
    const range = ['--from', '2026-03-10T11:00:01Z', '--to', '2026-03-10T11:00:02Z', '--step', '1s']
    const table = await logql('sum(count_over_time({workload="pay"}[5m]))', logs, ...range, '--format', 'table')
    expect(table.out.split('\n').map((line) => line.trimEnd())).toEqual([
      '_time                           value',
      '------------------------------  -----',
      '2026-03-10T11:00:01.000000000Z      1',
      '2026-03-10T11:00:02.000000000Z      2',
      '(2 rows)',
      '',
    ])
    expect(jsonLines((await logql('vector(1)+vector(1)', logs)).out)).toMatchObject([{ value: 2 }])
  })

  const queries = [
    '{service_name=~".+"}',
    '{service_name="pay"} | logfmt | line_format "{{.msg}}"',
    'sum by (workload) (count_over_time({workload=~".+"}[5m]))',
    'bytes_over_time({workload="pay"}[5m])',
    '1 + 1',
  ]
  test.each(queries)('a server gives the same: %s', async (query) => {
    const times = query.startsWith('{') ? [] : ['--to', '2026-03-10T11:00:10Z']
    for (const format of ['ndjson', 'table']) {
      const wanted = await logql(query, logs, ...times, '--format', format)
      const { code, out, error } = await logql(query, ...at, ...times, '--format', format)
      expect({ code, error }).toEqual({ code: 0, error: '' })
      expect(sorted(out)).toEqual(sorted(wanted.out))
    }
  })

  test('a server gives the same over a range', async () => {
    const range = ['--from', '2026-03-10T11:00:00Z', '--to', '2026-03-10T11:00:10Z', '--step', '5s']
    const query = 'sum by (workload) (rate({workload=~".+"}[1m]))'
    const wanted = await logql(query, logs, ...range)
    expect((await logql(query, ...at, ...range)).out).toBe(wanted.out)
    const entries = ['--from', '2026-03-10T11:00:02Z', '--to', '2026-03-10T11:00:03Z']
    expect(jsonLines((await logql('{workload=~".+"}', ...at, ...entries)).out)).toHaveLength(1)
    expect(jsonLines((await logql('{workload=~".+"}', logs, ...entries)).out)).toHaveLength(1)
  })

  test.each([
    [['{a='], 1, /^error\[logql\/unexpected\].*\n --> query:1:4/],
    [['{a="b"}', '--from', '1h', '--step', '5s'], 2, /--step is for metric queries/],
    [['vector(1)', '--step', '5s'], 2, /--step goes with --from/],
    [['vector(1)', '--from', '1h', '--step', '0'], 2, /--step needs a duration/],
    [['vector(1)', '--explain'], 2, /sluice explain --dialect logql/],
    [['vector(1)', '--stats'], 2, /--stats is for queries that give lines/],
    [['vector(1)', '--follow'], 2, /--follow needs a query that passes rows on/],
    [['{a="b"}', '--table', 'events', '--server', 'http://localhost:1'], 2, /over logs, not over the table events/],
    [['{a="b"} | json | x > 1', '--require-pushdown', '1'], 2, /--require-pushdown goes with/],
  ] as const)('%j is refused', async (args, code, message) => {
    const files = args.includes('--server' as never) ? [] : [logs]
    const [query, ...more] = args
    const ran = await logql(query, ...files, ...more)
    expect(ran.error).toMatch(message)
    expect({ code: ran.code, out: ran.out }).toEqual({ code, out: '' })
  })

  test('an option of LogQL is refused in another dialect', async () => {
    const { code, error } = await run('query', '*', logs, '--from', '1h', '--step', '5s')
    expect({ code, error }).toMatchObject({
      code: 2,
      error: expect.stringContaining('--step goes with --dialect logql'),
    })
  })
})

/** Sorts output lines. Neither rows with equal times nor series have a defined order. */
function sorted(out: string): readonly string[] {
  return out.split('\n').toSorted()
}

describe('other commands', () => {
  test('explain shows the plan of lines and of series', async () => {
    const lines = await run('explain', '--dialect', 'logql', '{workload="pay"} |= "x"')
    expect(lines.out).toContain('scan logs always where (workload = "pay" as text and content contains "x")')
    const series = await run('explain', '--dialect', 'logql', 'sum by (workload) (rate({workload="pay"}[5m]))')
    expect(series.out).toContain('count of logs in 300000ms by (workload)')
    expect(series.out).toMatch(/^ +scan logs .*where workload = "pay"/m)
    expect((await run('explain', '--dialect', 'logql', 'vector(1)', '--json')).out).toContain('"kind": "call"')
    expect(await run('explain', '--dialect', 'logql', 'vector(1)', '--steps')).toMatchObject({ code: 2, out: '' })
    expect((await run('explain', '--dialect', 'logql', '{workload="pay"}', '--analyze', logs)).out).toContain('2 rows')
  })

  test('fmt writes the canonical text', async () => {
    expect((await run('fmt', '--dialect', 'logql', 'sum by(a)(rate({b="c"}|="x"[5m]))')).out).toBe(
      'sum by (a)(rate({b="c"} |= "x"[5m]))\n',
    )
    expect(await run('fmt', '--dialect', 'logql', '--canonical', '{b="c"}')).toMatchObject({ code: 2, out: '' })
    expect(await run('fmt', '--dialect', 'logql', '{b=')).toMatchObject({ code: 1, out: '' })
  })

  test('lint shows faults at their place', async () => {
    const { code, out } = await run('lint', '--dialect', 'logql', '{b="c"} | line_format "{{.x"')
    expect(code).toBe(1)
    expect(out).toMatch(/^error\[logql\//)
    expect(await run('lint', '--dialect', 'logql', '{b="c"}')).toEqual({ code: 0, out: '', error: '' })
    expect((await run('lint', '--dialect', 'logql', '{b="c"}', '--from', '1h')).error).toContain(
      '--dialect logql or --from',
    )
  })
})
