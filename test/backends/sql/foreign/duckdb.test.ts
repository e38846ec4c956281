import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillTemplate } from '../../../../src/backends/sql/dialect.ts'
import { duckdb } from '../../../../src/backends/sql/dialects/duckdb.ts'
import { textNs } from '../../../../src/backends/sql/host/foreign-values.ts'
import { present } from '../../../../src/base/index.ts'
import { fold, isWordCodePoint } from '../../../../src/data/index.ts'

let connection: DuckDBConnection
let close: () => void

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  connection = await instance.connect()
  close = () => {
    connection.closeSync()
    instance.closeSync()
  }
})

afterAll(() => close())

async function rowsOf(sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRows()
}

const spelled = (name: string, ...args: readonly string[]): string =>
  fillTemplate(present(duckdb.functions[name]), args)

const ALL = 'SELECT i AS code, chr(i::INTEGER) AS c FROM range(1, 1114112) t(i) WHERE i < 55296 OR i > 57343'

const times = [
  '2026-02-01T00:00:00+01:00',
  '2026-02-01 00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2024-02-29t23:59:60.123456789123z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.9Z',
  '1969-12-31 23:59:59.5-23:59',
  '1677-01-01T00:00:00Z',
  '2026-02-01T24:00:00Z',
  '2026-02-01T00:00:00.Z',
  '2026-02-01T00:00:00.1Z ',
  '2026-02-01T00:00:00',
  '2026-02-01 23:59:60.123456789123',
  '2026-02-01t00:00:00',
  '2026-02-01 24:00:00',
  '2026-02-30 00:00',
  '2026-02-01T00:00',
  '2026-02-01 00:00Z',
  '2026-02-01 00:00.5',
  '2026-02-01 00:00:1',
  '2026-02-01',
  '1677-01-01 00:00',
  '0004-02-29T00:00:00Z',
  'x',
  '',
]

describe('DuckDB means the same', () => {
  test('by word characters, all of them', async () => {
    const words = present(duckdb.foreign?.wordClass)
    const found = await rowsOf(
      `SELECT code FROM (${ALL}) WHERE ${spelled('matches', 'c', `'^[${words}]$'`)} ORDER BY 1`,
    )
    const wanted: number[] = []
    for (let code = 1; code < 0x110000; code++) {
      if ((code < 0xd800 || code > 0xdfff) && isWordCodePoint(code)) wanted.push(code)
    }
    expect(found.map(([code]) => Number(code))).toEqual(wanted)
  })

  test('by decimals of 15 digits, which become the nearest floats', async () => {
    for (let scale = 0; scale <= 15; scale++) {
      const type = `DECIMAL(15,${scale})`
      expect(duckdb.foreign?.native(type)).toEqual({ kind: 'float', read: 'as-double' })
      const digits = `lpad(CAST(hash(i) % 1000000000000000 AS VARCHAR), 15, '0')`
      const text = `${digits}[1:${15 - scale}] || '.' || ${digits}[${16 - scale}:]`
      const drawn = `SELECT CAST('-' || ${text} AS ${type}) AS d FROM range(2000) t(i)`
      for (const [written, read] of await rowsOf(
        `SELECT CAST(d AS VARCHAR), ${spelled('as-double', 'd')} FROM (${drawn})`,
      ))
        expect(read, `${String(written)} of ${type}`).toBe(Number(written))
    }
    expect(duckdb.foreign?.native('DECIMAL(16,2)')).toEqual({ kind: 'other' })
  })

  test('by small letters, but those that are never looked for', async () => {
    const except = present(duckdb.foreign?.foldExcept)
    const found = await rowsOf(`SELECT code, unicode(${spelled('fold', 'c')}) FROM (${ALL})`)
    const others = found.filter(([code, low]) => {
      const wanted = fold(String.fromCodePoint(Number(code)))
      return wanted.codePointAt(0) !== Number(low) && !except.test(wanted)
    })
    expect(others).toEqual([])
    expect(found.length).toBeGreaterThan(1_000_000)
  })

  test.each(times)('by the time %j', async (text) => {
    const [[ns] = []] = await rowsOf(`SELECT ${spelled('ns-of-text', 'x')} FROM (VALUES ('${text}')) t(x)`)
    expect(ns).toBe(textNs(text) ?? null)
  })
})
