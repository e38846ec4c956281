import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run, runOn, testTerminal } from './terminal.ts'
import { main } from '../../src/cli/main.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-useless-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const logs = file(
  'app.jsonl',
  '{"ts":"2026-03-10T11:00:00Z","severity":"warn","host":"a","msg":"one"}\n{"ts":"2026-03-10T11:00:01Z","severity":"info","host":"b","msg":"two"}\n',
)
const config = join(folder, 'config.yaml')
const server = ['--server', 'http://localhost:1']

describe('an option that would do nothing is refused', () => {
  test.each([
    [['query', '*', logs, '--key', 'k'], '--key goes with --server.'],
    [['query', '*', logs, '--from-start'], '--from-start goes with --follow.'],
    [['query', '*', logs, '--require-pushdown', '5'], '--require-pushdown goes with --catalog or Parquet files.'],
    [['query', '*', logs, '--backend-id', 'b'], '--backend-id goes with --data or --server.'],
    [['query', '*', '--with-file-name', ...server], 'Either --server or --with-file-name can be given, not both.'],
    [['query', '*', '--input', 'json', ...server], 'Either --server or --input can be given, not both.'],
    [['query', '*', '--backend', 'rows', ...server], 'Either --server or --backend can be given, not both.'],
    [['query', '*', '--explain', ...server], 'Either --server or --explain can be given, not both.'],
    [['query', '*', '--require-pushdown', '5', ...server], 'Either --server or --require-pushdown can be given'],
    [['query', '*', '--level-field', 'l', '--data', folder], 'Either --data or --level-field can be given, not both.'],
    [['query', '*', '--input', 'csv', '--catalog', 'c.yaml'], 'Either --catalog or --input can be given, not both.'],
    [['fields', logs, '--key', 'k'], '--key goes with --server.'],
    [['prompt', logs, '--follow'], "unknown option '--follow'"],
    [['promql', 'up', '--step', '5m'], '--step goes with --from.'],
    [['promql', 'up', '--time', '1h', '--until', '2h'], 'Either --to or --time can be given, not both.'],
    [['explain', '*', logs, '--table', 'events'], '--table goes with --catalog or --data.'],
    [['lint', '*', '--level-field', 'l'], '--level-field goes with --load.'],
    [['serve', '--seed', '2'], '--seed goes with --demo.'],
    [['serve', '--log-size', '1GiB'], '--log-size goes with --data.'],
    [['serve', '--tz', 'UTC'], '--tz goes with --load.'],
    [['serve', '--require-pushdown', '2'], '--require-pushdown goes with --catalog.'],
    [['import', logs, '--data', folder, '--kind', 'events', '--input', 'csv'], '--input csv is for logs'],
    [['import', logs, '--data', folder, '--kind', 'samples', '--tz', 'UTC'], '--tz is for records'],
    [['convert', '{"filters":[]}', '--table', 'events'], '--table is for what becomes JSON'],
    [['query', '*', logs, '--follow', '--until', '1h'], '--until 1h is over: leave one of them out.'],
  ] as const)('%j', async (argv, message) => {
    const { code, error, out } = await run(...argv)
    expect(error).toContain(message)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  test('its help says what it goes with', async () => {
    const { out } = await run('query', '--help')
    expect(out.replaceAll(/\s+/g, ' ')).toContain('--key <key> with --server: API key')
  })

  test('in the configuration, which is for all commands, it is passed over', async () => {
    writeFileSync(config, 'key: k\nquery: {from-start: true}\n')
    const { code, error } = await runOn({ env: { SLUICE_CONFIG: config } }, 'query', '*', logs)
    expect({ code, error }).toEqual({ code: 0, error: '' })
    const asked = await runOn({ env: { SLUICE_CONFIG: config, SLUICE_INPUT: 'json' } }, 'query', '*', ...server)
    expect(asked.error).toContain('does not answer')
  })
})

describe('a field that no record has', () => {
  test.each([
    ['--time-field', 'tsx', 'Did you mean `ts`?'],
    ['--level-field', 'nosuch', 'Fields are '],
    ['--text-field', 'mgs,txt', 'Did you mean `msg`?'],
    ['--stream-fields', 'hots', 'Did you mean `host`?'],
  ])('is told of %s', async (option, name, hint) => {
    const { code, error } = await run('query', '* | fields content', logs, option, name)
    expect(error).toContain(`${option} ${name}: no record that was read has this field. ${hint}`)
    expect(code).toBe(0)
    expect((await run('query', '*', logs, option, name, '--quiet')).error).toBe('')
  })

  test.each([
    ['of several names one is there', '--time-field', 'when,ts'],
    ['a time is found whatever its letters', '--time-field', 'TS'],
    ['the name is that of another field too', '--text-field', 'host'],
    ['the level has its name', '--level-field', 'severity'],
    ['streams are told apart by it', '--stream-fields', 'host,severity'],
  ])('is not told where %s', async (_, option, name) => {
    expect((await run('query', '* | stats count()', logs, option, name)).error).toBe('')
  })

  test('is reported for a large file, which is read in parts', async () => {
    const line = (i: number): string => `{"ts":"2026-03-10T11:00:00Z","n":${i},"msg":"${'x'.repeat(200)}"}\n`
    const large = file('large.jsonl', Array.from({ length: 60_000 }, (_, i) => line(i)).join(''))
    expect((await run('query', '* | stats count()', large, '--time-field', 'ts')).error).toBe('')
    expect((await run('query', '* | stats count()', large, '--time-field', 'tz')).error).toContain('Did you mean `ts`?')
  })

  test('is reported for an import', async () => {
    const { error } = await run(
      'import',
      logs,
      '--data',
      join(folder, 'data'),
      '--input',
      'auto',
      '--time-field',
      'tsx',
    )
    expect(error).toContain('Did you mean `ts`?')
  })
})

test('a range that has no row says where the rows are', async () => {
  const rows = 'the rows lie between 2026-03-10T11:00:00Z and 2026-03-10T11:00:01Z.'
  for (const args of [
    ['*', logs, '--since', '5m'],
    ['_time:5m', logs],
    ['* | stats count()', logs, '--until', '1d'],
  ]) {
    expect((await run('query', ...args)).error).toContain(rows)
    expect((await run('query', ...args, '--quiet')).error).toBe('')
  }
})

test('a sum says which texts it leaves out, and what was read is reported once', async () => {
  const orders = file('orders.csv', 'order,amount\no1,12.5\no2,"12,50 EUR"\n')
  const { out, error } = await run('query', '* | stats sum(amount) s', orders)
  expect(out).toBe('{"s":12.5}\n')
  expect(error).toContain('`sum` leaves out 1 value of `amount` that is no number, such as `12,50 EUR`.')
  expect(error.match(/have no time/g)).toHaveLength(1)
})

test('files that explain does not read are reported', async () => {
  expect((await run('explain', 'a', logs)).error).toContain('The files are not read')
  expect((await run('explain', 'a', logs, '--analyze')).error).not.toContain('The files are not read')
})

test('--follow ends at --until', async () => {
  const { terminal, told } = testTerminal()
  const ended = await main(
    ['query', '* | fields content', logs, '--follow', '--from-start', '--until', '2026-03-10T12:00:00.2Z'],
    terminal,
  )
  expect([ended, told.out]).toEqual([0, '{"content":"one"}\n{"content":"two"}\n'])
})
