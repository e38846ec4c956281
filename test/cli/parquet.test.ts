import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-parquet-'))
const pattern = join(folder, '**/*.parquet')

beforeAll(async () => {
  mkdirSync(join(folder, 'day'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT make_timestamp_ns(1768471200123456789 + i) AS timestamp, ['info', 'Error'][1 + i % 2] AS level,
    9007199254740993 + i AS big, i / 10.0::DOUBLE AS ms, 'request ' || i || ' timed out' AS message FROM range(10) t(i)) TO '${join(folder, 'day/one.parquet')}'`)
  await connection.run(`COPY (SELECT '2026-02-0' || (1 + i) || 'T00:00:00+01:00' AS timestamp, 'debug' AS level, {'a': {'b': i}} AS ctx
    FROM range(3) t(i)) TO '${join(folder, 'two.pq')}' (FORMAT parquet, COMPRESSION zstd)`)
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, 'app.ndjson'), '{"content":"one"}\n')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rowsOf = (out: string): unknown[] => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

describe('Parquet files', () => {
  test('are found by a pattern, with their time, text and fields to the last digit', async () => {
    const { out, code } = await run('query', 'level:error "timed out" | sort by (_time desc) | limit 1', pattern)
    expect(code).toBe(0)
    expect(out).toBe(
      '{"_time":"2026-01-15T10:00:00.123456798Z","level":"Error","big":9007199254741002,"ms":0.9,"message":"request 9 timed out"}\n',
    )
  })

  test('give only what is asked for to the reader, as the plan of DuckDB shows', async () => {
    const { out, error } = await run(
      'query',
      'level:error | stats count() as n, sum(ms) as total',
      pattern,
      '--explain',
    )
    expect(rowsOf(out)).toEqual([{ n: 5, total: 2.5 }])
    expect(error).toMatch(/PARQUET/)
    expect(error).not.toMatch(/message/)
  })

  test('may have times as texts, and fields inside fields', async () => {
    const { out } = await run('query', '* | sort by (_time) | limit 1', join(folder, 'two.pq'))
    expect(rowsOf(out)).toEqual([{ _time: '2026-01-31T23:00:00.000000000Z', level: 'debug', a: { b: 0 } }])
  })

  test('are refused where too many rows would have to be fetched', async () => {
    const { code, error } = await run('query', '* | format "<level>" as x', pattern, '--require-pushdown', '3')
    expect(code).toBe(1)
    expect(error).toContain('row functions read and write fields')
  })

  test('are not read together with other files', async () => {
    const { code, error } = await run('query', '*', folder)
    expect(code).not.toBe(0)
    expect(error).toContain('name one kind at a time')
  })
})
