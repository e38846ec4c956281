// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLICKHOUSE, hasClickHouse, startClickHouse, type ClickHouse } from '../../../clickhouse/index.ts'
import type { CompiledStatement } from '../../../../src/backends/index.ts'
import { otelQuestions } from '../../../clickhouse/otel/questions.ts'
import { otelRows } from '../../../clickhouse/otel/rows.ts'
import { otelTables } from '../../../clickhouse/otel/schema.ts'
import { openTables, otelCatalog, plainRow, type MappedTables } from '../../../clickhouse/tables.ts'
import { readRows } from '../../../../src/engine/index.ts'

const DATABASE = 'sluice_otel'

describe.skipIf(!hasClickHouse)(`tables of the OpenTelemetry exporter on ${CLICKHOUSE}`, () => {
  let server: ClickHouse
  let tables: MappedTables

  beforeAll(async () => {
    server = await startClickHouse()
    await server.run(`DROP DATABASE IF EXISTS ${DATABASE}`)
    await server.run(`CREATE DATABASE ${DATABASE}`)
    for (const [name, ddl] of Object.entries(otelTables)) {
      await server.run(ddl.replaceAll('{db}', DATABASE))
      const rows = (otelRows[name] ?? []).map((row) => JSON.stringify(row)).join('\n')
      await server.run(`INSERT INTO ${DATABASE}.${name} FORMAT JSONEachRow\n${rows}`)
    }
    tables = await openTables(server, otelCatalog, DATABASE)
  })
  afterAll(async () => {
    await tables.close()
    await server.run(`DROP DATABASE ${DATABASE}`)
    await server.stop()
  })

  /** Returns the result of a hand-written statement as strings, without missing values. */
  const byHand = async (sql: string, table: string): Promise<Record<string, string>[]> => {
    const text = await server.run(`${sql.replaceAll(/\bT\b/gu, `${DATABASE}.${table}`)} FORMAT JSONEachRow`, {
      output_format_json_quote_64bit_integers: '1',
      output_format_json_quote_denormals: '1',
    })
    const rows = text.split('\n').filter((line) => line !== '')
    return rows.map((line) =>
      Object.fromEntries(
        Object.entries(JSON.parse(line) as Record<string, string | number | boolean>)
          .map(([name, value]) => [name, String(value)] as const)
          .filter(([, value]) => value !== ''),
      ),
    )
  }

  test('ranges of times bound the columns that the logs are sorted and divided by', async () => {
    const [first] = otelRows['otel_logs'] ?? []
    const dayNs = 86_400_000_000_000n
    const startNs =
      BigInt(Date.parse(`${String(first?.['Timestamp']).slice(0, 10)}T00:00:00Z`)) * 1_000_000n + dayNs / 2n + 1n
    const sqlOf = (endNs: bigint): CompiledStatement =>
      tables.backend.compile(
        tables.engine.query('* | stats count() as n', { table: 'otel_logs', range: { startNs, endNs } }).plan,
      )
    const { sql, parameters } = sqlOf(startNs + dayNs)
    const values = Object.fromEntries(parameters.map(({ name, value }) => [`param_${name}`, String(value)]))
    const plan = await server.run(
      `EXPLAIN indexes = 1 ${sql.replace('FROM otel_logs', `FROM ${DATABASE}.otel_logs`)}`,
      values,
    )
    expect(plan).toMatch(/Partition[\s\S]*?Condition: [^\n]*toDate\(TimestampTime\)/u)
    expect(plan).toMatch(/PrimaryKey[\s\S]*?TimestampTime[\s\S]*?Condition: [^\n]*TimestampTime/u)
    // A time that needs more than 32 bits of seconds cannot be compared with `TimestampTime`.
    expect(sqlOf(2n ** 33n * 1_000_000_000n).sql).not.toContain('TimestampTime')
    const count = async (range: { readonly startNs: bigint; readonly endNs: bigint }): Promise<number> => {
      for await (const row of readRows(
        tables.engine.query('* | stats count() as n', { table: 'otel_logs', range }).batches(),
      ))
        return Number(row.get('n'))
      return 0
    }
    for (const row of otelRows['otel_logs'] ?? []) {
      const [seconds = '', fraction = ''] = String(row['Timestamp']).split('.')
      const ns = BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
      expect(await count({ startNs: ns, endNs: ns + 1n })).toBeGreaterThan(0)
    }
  })

  for (const [table, questions] of Object.entries(otelQuestions)) {
    test(`${questions.length} questions about ${table}`, async () => {
      expect(questions.length).toBe(20)
      for (const [ask, sql] of questions) {
        const given: Record<string, string>[] = []
        for await (const row of readRows(tables.engine.query(ask, { table }).batches())) given.push(plainRow(row))
        const expected = await byHand(sql, table)
        expect(expected.length, `${ask} asks of rows that are not there`).toBeGreaterThan(0)
        if (sql.includes('ORDER BY')) expect(given, ask).toEqual(expected)
        else {
          const sorted = (rows: readonly Record<string, string>[]): string[] =>
            rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()
          expect(sorted(given), ask).toEqual(sorted(expected))
        }
      }
    })
  }
})
