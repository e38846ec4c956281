import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-tables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const api = file('api.jsonl', [
  '{"time":"2026-03-10T11:00:00Z","level":"error","order_id":"o1","pod":"p1","msg":"charge failed"}',
  '{"time":"2026-03-10T11:00:01Z","level":"info","order_id":"o2","pod":"p1","msg":"charged"}',
])
const orders = file('orders.csv', [
  'created_at,order_id,amount,status',
  '2026-03-10T10:59:00Z,o1,12.5,failed',
  '2026-03-10T10:59:30Z,o2,7,ok',
])
const events = file('events.jsonl', ['{"time":"2026-03-10T11:00:00Z","pod":"p1","reason":"BackOff"}'])
const joined =
  'level:error | join by (order_id) (options(domain=orders) * | fields order_id, amount) | fields content, amount'

describe('a file beside the files that are asked', () => {
  test.each(['columnar', 'rows', 'sqlite'])('is a table of its name, for %s', async (backend) => {
    const { out, error } = await run('query', joined, api, '--table', `orders=${orders}`, '--backend', backend)
    expect([out, error]).toEqual(['{"content":"charge failed","amount":"12.5"}\n', ''])
  })

  test('several, of which one is a standard table, and in other commands', async () => {
    const query = `${joined.replace('| fields content, amount', '')} | join by (pod) (options(domain=events) * | fields pod, reason) | fields amount, reason`
    const tables = ['--table', `orders=${orders}`, '--table', `events=${events}`]
    expect((await run('query', query, api, ...tables)).out).toBe('{"amount":"12.5","reason":"BackOff"}\n')
    const values = await run('values', 'status', api, '--where', 'options(domain=orders) *', ...tables.slice(0, 2))
    expect(values.out).toContain('{"status":"failed","hits":1}')
  })

  test('its names are known', async () => {
    const { error } = await run('query', joined.replace('amount)', 'amuont)'), api, '--table', `orders=${orders}`)
    expect(error).toContain('No row has the field `amuont`. Nearest among 2 rows: `amount`')
  })

  test('an unknown table says how a file becomes one', async () => {
    const { code, error } = await run('query', joined, api)
    expect(error).toContain('There is no table named `orders`.')
    expect(error).toContain('A file becomes a table by `--table NAME=FILE`.')
    expect(code).toBe(1)
    expect((await run('query', 'a |', api)).error).not.toContain('--table')
  })

  test('the table of the files is still named', async () => {
    const args = ['query', '* | stats count() n', api, '--table', 'events']
    expect((await run(...args)).out).toBe('{"n":2}\n')
  })

  test.each([
    ['*', [`orders=${orders}`], 'The query does not read the table orders of --table'],
    [joined, ['orders=nosuch.csv'], '--table orders=nosuch.csv: there is no such file.'],
    [joined, ['my orders=a.csv'], '--table needs a name of letters'],
    [joined, [`orders=${orders}`, `orders=${orders}`], 'is given twice'],
    [joined, ['orders=-'], 'standard input is what the query itself reads'],
  ] as const)('%s with %j is refused', async (query, tables, message) => {
    const { code, error } = await run('query', query, api, ...tables.flatMap((table) => ['--table', table]))
    expect(error).toContain(message)
    expect(code).toBe(2)
  })

  test('is refused together with an input that has tables of its own', async () => {
    const named = ['--table', `orders=${orders}`]
    for (const other of [
      ['--server', 'http://localhost:1'],
      ['--data', folder],
      ['--catalog', 'c.yaml'],
    ])
      expect((await run('query', joined, ...named, ...other)).error).toContain(
        `goes with files: with ${other[0]} tables`,
      )
  })
})
