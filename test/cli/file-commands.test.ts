import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { run, runOn } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
const logs = join(folder, 'app.ndjson')
writeFileSync(
  logs,
  [
    { _time: '2026-03-10T11:00:00Z', level: 'info', content: 'one', 'user id': 'ann' },
    { _time: '2026-03-10T11:00:30Z', level: 'error', content: 'two', 'user id': 'bob' },
    { _time: '2026-03-10T11:09:00Z', level: 'error', content: 'three', 'user id': 'ann' },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n'),
)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rowsOf = (out: string): unknown[] => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

/** Path of a named pipe that has no writer. */
const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])

describe('commands over files', () => {
  test('fields, of the rows that a query finds', async () => {
    expect(rowsOf((await run('fields', logs, '--where', 'level:error')).out)).toEqual([
      { name: '_time', hits: 2 },
      { name: 'content', hits: 2 },
      { name: 'level', hits: 2 },
      { name: 'user id', hits: 2 },
    ])
  })

  test('values, of a field whose name is not a word', async () => {
    expect(rowsOf((await run('values', 'user id', logs)).out)).toEqual([
      { 'user id': 'ann', hits: 2 },
      { 'user id': 'bob', hits: 1 },
    ])
    expect(rowsOf((await run('values', 'user id', logs, '--limit', '1')).out)).toHaveLength(1)
  })

  test('facets', async () => {
    const facets = rowsOf((await run('facets', logs, '--limit', '1')).out)
    expect(facets).toContainEqual({ field_name: 'level', field_value: 'error', hits: 2 })
    expect(facets).not.toContainEqual({ field_name: 'level', field_value: 'info', hits: 1 })
  })

  test('hits count what --where finds, as the other commands', async () => {
    const expected = await run('hits', 'level:error', logs, '--step', '1h')
    expect(expected.code).toBe(0)
    expect(await run('hits', logs, '--where', 'level:error', '--step', '1h')).toEqual(expected)
    expect((await run('hits', 'level:error', '--where', 'level:error')).error).toContain('level:error')
    for (const command of [['hits'], ['fields'], ['facets'], ['values', 'level']])
      expect((await run(...command, logs, '--where', 'a or b', '--where', 'c')).error).toBe(
        "--where is given once, with all filters in it: --where '(a or b) (c)'\n",
      )
    const env = { XDG_CONFIG_HOME: '/nowhere', SLUICE_HITS_WHERE: 'level:info' }
    expect((await runOn({ env }, 'hits', logs, '--where', 'level:error', '--step', '1h')).out).toBe(expected.out)
    expect(await run('hits')).toEqual({
      code: 2,
      out: '',
      error: "The query is missing: sluice hits 'level:error' FILE\n",
    })
    expect((await run('hits', logs)).error).toContain("Use: sluice hits '*'")
  })

  test('facets leave out fields whose values hardly repeat', async () => {
    const path = join(folder, 'ids.ndjson')
    writeFileSync(
      path,
      Array.from({ length: 40 }, (_, i) =>
        JSON.stringify({
          _time: new Date(1_773_140_400_000 + i * 1000).toISOString(),
          request: `r${i}`,
          pair: `p${Math.floor(i / 2)}`,
          user: i < 10 ? 'ann' : `u${i}`,
          level: i % 4 === 0 ? 'warn' : 'info',
          ...(i < 9 ? { rare: `only ${i}` } : {}),
        }),
      ).join('\n'),
    )
    const named = async (...args: readonly string[]): Promise<readonly unknown[]> => {
      const rows = rowsOf((await run('facets', path, ...args)).out) as readonly { readonly field_name: string }[]
      return [...new Set(rows.map((row) => row.field_name))]
    }
    expect(await named()).toEqual(['level', 'rare', 'user'])
    expect(await named('--limit', '1')).toEqual(['level', 'rare', 'user'])
    expect(await named('--dialect', 'logsql')).toEqual(['level', 'rare', 'user'])
    expect(await named('--limit', '100')).toEqual(['_time', 'level', 'pair', 'rare', 'request', 'user'])
    expect(rowsOf((await run('facets', path, '--limit', '1', '--where', 'level:warn')).out)[0]).toEqual({
      field_name: 'rare',
      field_value: 'only 0',
      hits: 1,
    })
    const { out } = await run('query', '* | facets', path)
    expect(out).toContain('"field_name":"request"')
  })

  test('hits in steps that suit the rows, or are named', async () => {
    const steps = rowsOf((await run('hits', '*', logs)).out) as readonly {
      readonly _time: string
      readonly hits: number
    }[]
    expect(steps.filter(({ hits }) => hits > 0)).toEqual([
      { _time: '2026-03-10T11:00:00.000000000Z', hits: 1 },
      { _time: '2026-03-10T11:00:30.000000000Z', hits: 1 },
      { _time: '2026-03-10T11:09:00.000000000Z', hits: 1 },
    ])
    // From the first to the last hit are nine minutes, which makes 55 steps of ten seconds.
    expect(steps).toHaveLength(55)
    expect(rowsOf((await run('hits', '*', logs, '--step', '1h', '--by', 'level')).out)).toEqual([
      { _time: '2026-03-10T11:00:00.000000000Z', level: 'error', hits: 2 },
      { _time: '2026-03-10T11:00:00.000000000Z', level: 'info', hits: 1 },
    ])
  })

  test('hits of steps without rows are 0, for each value', async () => {
    const args = ['hits', '*', logs, '--step', '5m', '--by', 'level']
    const found = rowsOf((await run(...args)).out)
    expect(found).toEqual([
      { _time: '2026-03-10T11:00:00.000000000Z', level: 'error', hits: 1 },
      { _time: '2026-03-10T11:00:00.000000000Z', level: 'info', hits: 1 },
      { _time: '2026-03-10T11:05:00.000000000Z', level: 'error', hits: 1 },
      { _time: '2026-03-10T11:05:00.000000000Z', level: 'info', hits: 0 },
    ])
    // LogsQL has no pipe that fills empty steps, so the row with 0 hits is missing.
    expect(rowsOf((await run(...args, '--dialect', 'logsql')).out)).toHaveLength(3)
  })

  test('hits as a chart', async () => {
    expect(await run('hits', 'level:error', logs, '--step', '10m', '--format', 'chart')).toEqual({
      code: 0,
      out: `_time                 hits
2026-03-10T11:00:00Z     2  ${'█'.repeat(52)}
(1 row; bars from 0 to 2)
`,
      error: '',
    })
    const { code, error } = await run('query', '* | fields content', logs, '--format', 'chart')
    expect(code).toBe(2)
    expect(error).toContain('A chart needs a column of numbers')
  })

  test('hits of nothing is nothing', async () => {
    expect(await run('hits', 'absent', logs)).toMatchObject({ code: 0, out: '' })
  })

  test('a comment at the end of a query does not hide the stage behind it', async () => {
    expect(rowsOf((await run('fields', logs, '--where', 'level:info # only these')).out)).toContainEqual({
      name: 'level',
      hits: 1,
    })
  })

  test.each([
    [['hits', '*'], 2, '--step is needed for standard input'],
    [['hits', '*'], 2, "sluice hits '*' --step 1m"],
    [['hits', 'level:error | stats count()', pipe], 2, `sluice hits 'level:error | stats count()' ${pipe} --step 1m`],
    [['hits', logs], 2, `The query is missing: ${logs} is a file. Use: sluice hits '*' ${logs}`],
    [['export', logs, '--output', 'a.csv'], 2, `sluice export --output a.csv '*' ${logs}`],
    [['hits', '*', logs, '--step', 'often'], 2, '--step needs a duration'],
    [['values', 'level', logs, '--limit', '0'], 2, '--limit needs a number from 1'],
    [['export', '*', logs, '--output', join(folder, 'a.bin')], 2, '--format says how'],
    [['export', '*', logs, '--output', join(folder, 'no/a.csv')], 1, 'Cannot write'],
  ] as const)('%j is refused', async (argv, code, message) => {
    const ran = await run(...argv)
    expect(ran.error).toContain(message)
    expect(ran.code).toBe(code)
  })
})

describe('export', () => {
  test('writes in the format of the name, packed', async () => {
    const output = join(folder, 'out.csv.gz')
    const { code, out, error } = await run('export', '* | fields level', logs, '--output', output)
    expect({ code, out, error }).toEqual({ code: 0, out: '', error: `Written to ${output}.\n` })
    expect(gunzipSync(readFileSync(output)).toString()).toBe('level\r\nerror\r\nerror\r\ninfo\r\n')
  })

  test('a query with an error leaves the file as it was and nothing beside it', async () => {
    const output = join(folder, 'kept.json')
    writeFileSync(output, 'kept')
    expect(await run('export', '* | nonsense', logs, '--output', output)).toMatchObject({ code: 1 })
    expect(readFileSync(output, 'utf8')).toBe('kept')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('an interrupted one too', async () => {
    const { runOn } = await import('./terminal.ts')
    const output = join(folder, 'interrupted.ndjson')
    const ran = await runOn({ signal: AbortSignal.abort() }, 'export', '*', logs, '--output', output)
    expect(ran.code).toBe(130)
    expect(readdirSync(folder).filter((name) => name.startsWith('interrupted'))).toEqual([])
  })
})
