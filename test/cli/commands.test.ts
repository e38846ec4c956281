import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { run } from './terminal.ts'

const fixture = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')
const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const byWorkload = 'level:error | stats by (workload) count() as n | sort by (n desc)'

describe('query', () => {
  test('a table', async () => {
    const { code, out } = await run('query', byWorkload, fixture, '--format', 'table')
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      'workload       n',
      '------------  --',
      'frontend      17',
      'checkout-api   8',
      'payments       6',
      '(3 rows)',
      '',
    ])
    expect(code).toBe(0)
  })

  test.each(['columnar', 'rows', 'sqlite'])('the same rows from %s', async (backend) => {
    const { out } = await run('query', byWorkload, fixture, '--backend', backend)
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { workload: 'frontend', n: 17 },
      { workload: 'checkout-api', n: 8 },
      { workload: 'payments', n: 6 },
    ])
  })

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('%s files', async (name, pack) => {
    const path = file(`logs.${name}`, pack(readFileSync(fixture)))
    const { out } = await run('query', '* | stats count() as n', path)
    expect(out).toBe('{"n":604}\n')
  })

  test('a gzip file cut short is an error, not an answer', async () => {
    const packed = gzipSync(readFileSync(fixture))
    const { code, error } = await run('query', '*', file('cut.gz', packed.subarray(0, packed.length / 2)))
    expect(code).toBe(1)
    expect(error).toContain('not a complete gzip file')
  })

  test('logfmt, and plain text with its time and level', async () => {
    const logfmt = file(
      'a.log',
      'ts=2026-03-10T11:00:00Z level=info msg="user logged in" user=ann\nlevel=warn msg=slow user=bob\n',
    )
    expect((await run('query', 'level:warn | fields content, user', logfmt)).out).toBe(
      '{"content":"slow","user":"bob"}\n',
    )
    const text = file('b.log', '2026-03-10 11:00:00,123 ERROR disk full\nno time here\n')
    const { out } = await run('query', 'disk | fields _time, level, content', text)
    expect(out).toBe(
      '{"_time":"2026-03-10T11:00:00.123000000Z","level":"error","content":"2026-03-10 11:00:00,123 ERROR disk full\\nno time here"}\n',
    )
  })

  test('bad lines are counted and shown, the others answer', async () => {
    const path = file('bad.ndjson', '{"a":1}\n{"a":\n[1]\n{"a":2}\n')
    const { code, out, error } = await run('query', '* | stats count() as n', path, '--input', 'json')
    expect(out).toBe('{"n":2}\n')
    expect(error).toContain('2 of 4 lines could not be read')
    expect(error).toContain('line 2: not JSON')
    expect(code).toBe(0)
  })

  test('int64 values and nanoseconds are printed exactly', async () => {
    const rows = ['9007199254740993', '-9223372036854775808', '9223372036854775807'].map(
      (n, i) => `{"_time":"2026-01-01T00:00:00.00000000${i}Z","n":${n}}`,
    )
    const path = file('big.ndjson', rows.join('\n'))
    const { out } = await run('query', '* | sort by (n desc) | fields _time, n', path)
    expect(out.trim().split('\n')).toEqual([
      '{"_time":"2026-01-01T00:00:00.000000002Z","n":9223372036854775807}',
      '{"_time":"2026-01-01T00:00:00.000000000Z","n":9007199254740993}',
      '{"_time":"2026-01-01T00:00:00.000000001Z","n":-9223372036854775808}',
    ])
  })

  test('--from and --to cut the range, the end not included', async () => {
    const counted = async (...range: string[]): Promise<string> =>
      (await run('query', '* | stats count() as n', fixture, ...range)).out
    expect(await counted('--to', '2026-03-10T11:00:00Z')).toBe(await counted('--from', '2026-03-10', '--to', '1h'))
    const [before, after, all] = [await counted('--to', '1h'), await counted('--from', '1h'), await counted()].map(
      (text) => (JSON.parse(text) as { n: number }).n,
    )
    expect(present(before) + present(after)).toBe(all)
  })

  test('CSV and JSON', async () => {
    const path = file('c.ndjson', '{"a":"x,\\"y\\"","b":1}\n{"a":"z"}\n')
    expect((await run('query', '* | fields a, b | sort by (a)', path, '--format', 'csv')).out).toBe(
      'a,b\r\n"x,""y""",1\r\nz,\r\n',
    )
    expect(JSON.parse((await run('query', '* | fields a | sort by (a)', path, '--format', 'json')).out)).toEqual([
      { a: 'x,"y"' },
      { a: 'z' },
    ])
    expect(JSON.parse((await run('query', 'a:nothing', path, '--format', 'json')).out)).toEqual([])
  })

  test('errors have the caret under the spot, and the files are not waited for', async () => {
    const { code, error } = await run('query', '* | srot by (x)', join(folder, 'missing.ndjson'))
    expect(code).toBe(1)
    expect(error.split('\n')).toEqual(expect.arrayContaining(['1 | * | srot by (x)', '  |     ^^^^']))
  })

  test.each([
    ['query', '* | generate_sequence 100000000 | stats count_uniq(content) as n', fixture],
    ['explain', '--analyze', '* | generate_sequence 100000000 | stats count_uniq(content) as n', fixture],
    ['promql', 'count_over_time(vector(1)[20d:1s])', file('one.prom', 'm 1 1000\n')],
  ])('%s --timeout ends what takes longer', async (...argv) => {
    const { code, error } = await run(...argv, '--timeout', '1ms')
    expect(error).toContain('The query ran longer than its time limit of 1 ms.')
    expect(code).toBe(1)
  })

  test.each([
    [['query', '*', fixture, '--timeout', '0'], '--timeout needs a time from 1ms to 24h'],
    [['query', '*', '/nowhere/at/all.log'], 'There is no file'],
    [['query', '*', `${folder}/*.nothing`], 'No file matches'],
    [['query', '*', fixture, '--format', 'xml'], 'Allowed choices are table, chart, json'],
    [['query', '*', fixture, '--from', 'someday'], '--from needs a time'],
    [['query', '*', fixture, '--backend', 'tape'], 'Allowed choices are columnar'],
    [['query'], "missing required argument 'query'"],
    [['nonsense'], "unknown command 'nonsense'"],
  ])('wrong use %j ends with 2', async (argv, message) => {
    const { code, error } = await run(...argv)
    expect(error).toContain(message)
    expect(code).toBe(2)
  })
})

describe('explain, fmt, lint', () => {
  test('explain shows the owner of each node, with --analyze what it did', async () => {
    const { out } = await run('explain', '--analyze', 'level:error | stats count() as n', fixture)
    expect(out).toMatch(/aggregate count\(\) as n {2}\[columnar\] {2}\(1 rows/)
    expect(out).toContain('scan logs')
  })

  test('explain --steps --analyze shows the plan after each rule, then what each node did', async () => {
    const query = 'level:error | sort by (status) | limit 3'
    const steps = await run('explain', '--steps', query)
    const { code, out } = await run('explain', '--steps', '--analyze', query, fixture)
    expect(code).toBe(0)
    expect(out.startsWith(`${steps.out}\n`)).toBe(true)
    expect(out.slice(steps.out.length)).toMatch(/\(3 rows, .*rowsRead/s)
    expect(await run('explain', '--steps', '--json', query)).toEqual({
      code: 2,
      out: '',
      error: '--steps is text: it cannot be given with --json.\n',
    })
  })

  test('explain --steps names the rules', async () => {
    const { out } = await run('explain', '--steps', 'level:error | sort by (status) | limit 3')
    expect(out).toMatch(/^bound$/m)
    expect(out).toMatch(/^sort-limit-to-topk, pass 1/m)
  })

  test('lint warns with a fix and --strict makes it count', async () => {
    const { code, out } = await run('lint', 'content:*timeout* | limit 5')
    expect(out).toContain('warning[lint/leading-wildcard]')
    expect(out).toContain('fix: Search for the whole word')
    expect(code).toBe(0)
    expect((await run('lint', '--strict', 'content:*timeout* | limit 5')).code).toBe(1)
    expect((await run('lint', 'level:')).code).toBe(1)
  })

  test('lint knows the fields and values of files that are loaded', async () => {
    const { code, out } = await run('lint', '--load', fixture, 'levle:error level:eror workload:checkout | limit 5')
    expect(out).toContain('unknown-field')
    expect(out).toContain('`level`')
    expect(out).toContain('unseen-value')
    expect(code).toBe(0)
    expect((await run('lint', '--strict', '--load', `logs=${fixture}`, 'level:error | limit 5')).out).toBe('')
    expect((await run('lint', 'levle:error | limit 5')).out).toBe('')
  })

  test('fmt changes layout only, keeps comments, and changes nothing twice', async () => {
    const once = await run('fmt', 'level:ERROR   AND foo # why\n|sort by(x DESC)|limit 10')
    expect(once.code).toBe(0)
    expect(once.out).toContain('# why')
    expect((await run('fmt', once.out.trim())).out).toBe(once.out)
  })

  test('fmt --canonical prints the one text of equal queries', async () => {
    const canonical = async (text: string): Promise<string> => (await run('fmt', '--canonical', text)).out
    expect(await canonical('level:ERROR   AND foo|order by(x DESC)|head 10')).toBe(
      await canonical('level:ERROR AND foo | sort by (x desc) | limit 10'),
    )
  })
})
