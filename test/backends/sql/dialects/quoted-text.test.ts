// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PGlite } from '@electric-sql/pglite'
import { DuckDBInstance } from '@duckdb/node-api'
import { clickhouse } from '../../../../src/backends/sql/dialects/clickhouse.ts'
import { duckdb } from '../../../../src/backends/sql/dialects/duckdb.ts'
import { postgres } from '../../../../src/backends/sql/dialects/postgres.ts'
import type { Dialect } from '../../../../src/backends/sql/dialect.ts'
import { fillTemplate } from '../../../../src/backends/sql/dialect.ts'
import { present } from '../../../../src/base/index.ts'
import { CLICKHOUSE, hasClickHouse, startClickHouse, type ClickHouse } from '../../../clickhouse/index.ts'

const low = Array.from({ length: 0x2ff }, (_, i) => String.fromCodePoint(i + 1)).join('')
const texts = [
  low,
  '\u2028\u2029😀\uffff/\\/"\\',
  '\\u000B\u000b\u000b\\\u001f\\\\\u001f/\\/',
  '\\u2028\u2028\\',
  'plain "x" / \\',
  '',
]

function quotedBy(dialect: Dialect, mark: string): string {
  return fillTemplate(present(dialect.functions['quoted-text']), [mark])
}

describe('texts as JSON are written as ours', () => {
  test('DuckDB', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    for (const text of texts) {
      const rows = await connection.runAndReadAll(`SELECT ${quotedBy(duckdb, '$text')}`, { text })
      expect(rows.getRows()).toEqual([[JSON.stringify(text)]])
    }
    connection.closeSync()
  })

  test('PostgreSQL', async () => {
    const database = new PGlite()
    for (const text of texts) {
      const { rows } = await database.query(`SELECT ${quotedBy(postgres, '$1::text')} AS said`, [text])
      expect(rows).toEqual([{ said: JSON.stringify(text) }])
    }
    await database.close()
  })

  describe.skipIf(!hasClickHouse)(CLICKHOUSE, () => {
    let server: ClickHouse
    beforeAll(async () => void (server = await startClickHouse()))
    afterAll(() => server.stop())

    test('in its words', async () => {
      for (const text of texts) {
        const given = `unhex('${Buffer.from(text).toString('hex')}')`
        const hex = await server.run(`WITH ${given} AS said SELECT hex(${quotedBy(clickhouse, 'said')})`)
        expect(Buffer.from(hex.trim(), 'hex').toString('utf8')).toBe(JSON.stringify(text))
      }
    })
  })
})
