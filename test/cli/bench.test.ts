import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { queriesIn } from '../../src/cli/bench/query-list.ts'
import { timesOf } from '../../src/cli/bench/run-times.ts'
import { run, runOn } from './terminal.ts'

const fixture = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function queryFile(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.join('\n'))
  return path
}

/** With a stopped clock each run takes 0 ms, so the output is reproducible. */
const still = { nowMs: () => 0 }

const mixed = queryFile(
  'mixed.txt',
  '# errors by workload',
  'level:error | stats by (workload) count() as n',
  '',
  '# broken',
  'level:error | stats cnt()',
  '  *timeout* | limit 10',
)

describe('bench', () => {
  test('a row for each query; a broken one has its code, and the others run', async () => {
    const { code, out, error } = await runOn(still, 'bench', '--queries', mixed, fixture, '--runs', '2')
    const times = { median_ms: 0, p10_ms: 0, p90_ms: 0 }
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { query: 'errors by workload', rows: 3, ...times, diagnostics: '' },
      { query: 'broken', rows: null, median_ms: null, p10_ms: null, p90_ms: null, diagnostics: 'log/unknown-function' },
      {
        query: '*timeout* | limit 10',
        rows: 10,
        ...times,
        diagnostics: 'lint/leading-wildcard, lint/unselective-start',
      },
    ])
    expect(error).toContain(`--> ${mixed}:5:21\n`)
    expect(error).toContain(`--> ${mixed}:6:3\n`)
    expect(code).toBe(1)
  })

  test('errors alone with --quiet', async () => {
    const { error } = await run('bench', '--queries', mixed, fixture, '--runs', '1', '--quiet')
    expect(error).toContain('error[log/unknown-function]')
    expect(error).not.toContain('warning[')
  })

  test('a table on a terminal, and 0 where every query ran', async () => {
    const queries = queryFile('good.txt', 'level:error | stats count()')
    const argv = ['bench', '--queries', queries, fixture]
    const { code, out } = await runOn({ ...still, isOutputTty: true, env: { NO_COLOR: '1' } }, ...argv)
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      'query                        rows  median_ms  p10_ms  p90_ms  diagnostics',
      '---------------------------  ----  ---------  ------  ------  -----------',
      'level:error | stats count()     1          0       0       0',
      '(1 row)',
      '',
    ])
    expect(code).toBe(0)
  })

  test('a field that no row has is said, as its times say little', async () => {
    const queries = queryFile('misspelt.txt', 'levle:error')
    const { code, error } = await run('bench', '--queries', queries, fixture, '--runs', '1')
    expect(error).toContain('No row has the field `levle`.')
    expect(code).toBe(0)
  })

  test.each(['columnar', 'rows', 'sqlite'])('%s runs the queries', async (backend) => {
    const queries = queryFile('backend.txt', 'level:error | stats by (workload) count() as n')
    const argv = ['bench', '--queries', queries, fixture, '--runs', '1', '--backend', backend, '--format', 'csv']
    const { out } = await runOn(still, ...argv)
    expect(out).toBe(
      'query,rows,median_ms,p10_ms,p90_ms,diagnostics\r\nlevel:error | stats by (workload) count() as n,3,0,0,0,\r\n',
    )
  })

  test('an interrupt ends it', async () => {
    const { code } = await runOn({ signal: AbortSignal.abort() }, 'bench', '--queries', mixed, fixture)
    expect(code).toBe(130)
  })

  test.each([
    [['bench', fixture], 'The queries are missing: name a file that has one on each line by --queries queries.txt.'],
    [['bench', '--queries', mixed], 'The data is missing: name files, as in sluice bench --queries'],
    [['bench', '--queries', '-', '-'], 'Standard input holds either the queries or the data'],
    [['bench', '--queries', join(folder, 'none.txt'), fixture], 'none.txt cannot be read: ENOENT'],
    [['bench', '--queries', queryFile('empty.txt', '# only', ''), fixture], 'empty.txt has no queries: write one on'],
    [['bench', '--queries', mixed, join(folder, 'none.log')], 'There is no file'],
    [['bench', '--queries', mixed, fixture, '--table', 'orders'], 'There is no table orders; there are logs,'],
    [['bench', '--queries', mixed, fixture, '--runs', '0'], '--runs needs a number from 1 to 10000, not `0`.'],
  ] as const)('%j is refused', async (argv, message) => {
    const { code, out, error } = await run(...argv)
    expect(error).toContain(message)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })
})

describe('a file of queries', () => {
  test('the comment on the line above is the name, and every query knows where it begins', () => {
    const text = '\uFEFF# first\r\n  error # why\r\n\r\n# left alone\r\n\r\nwarn\r\n##  third \r\n-info'
    const queries = queriesIn(text)
    expect(queries.map(({ name, text: query }) => [name, query])).toEqual([
      ['first', 'error # why'],
      ['warn', 'warn'],
      ['third', '-info'],
    ])
    for (const { text: query, start } of queries) expect(text.slice(start, start + query.length)).toBe(query)
  })
})

describe('times of runs', () => {
  /** Measures a task whose runs take these times in milliseconds. */
  async function measured(...ms: readonly number[]) {
    let nowMs = 0
    // The warm-up is slow and must not count.
    let warmUps = 3
    const left = [...ms]
    const times = await timesOf(
      async () => {
        nowMs += warmUps-- > 0 ? 1000 : (left.shift() ?? 0)
      },
      ms.length,
      () => nowMs,
    )
    return { ...times, left }
  }

  test.each([
    [[7], { p10: 7, median: 7, p90: 7 }],
    [[9, 1], { p10: 1, median: 1, p90: 9 }],
    [[3, 1, 2], { p10: 1, median: 2, p90: 3 }],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], { p10: 1, median: 5, p90: 9 }],
  ])('%j', async (ms, expected) => {
    expect(await measured(...ms)).toEqual({ ...expected, left: [] })
  })
})
