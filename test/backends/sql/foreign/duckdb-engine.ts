import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { foreignBackend } from '../../../../src/backends/sql/index.ts'
import { duckdbEngine } from '../../../../src/backends/sql/engines/duckdb.ts'
import { toText, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import type { EngineUnderTest } from './engines.ts'
import { ATTRIBUTES, levelValues, mappingOf, SEQUENCE, type ColumnShape, type Layout } from './layouts.ts'

const levelType = `ENUM(${levelValues.map((value) => `'${value}'`).join(', ')})`

function typeName(shape: ColumnShape, { unit }: Layout): string {
  switch (shape) {
    case 'text':
      return 'VARCHAR'
    case 'level':
      return levelType
    case 'integer':
      return 'BIGINT'
    case 'double':
      return 'DOUBLE'
    case 'bool':
      return 'BOOLEAN'
    case 'map':
      return 'MAP(VARCHAR, VARCHAR)'
    case 'time':
      return unit === 'timestamp' ? 'TIMESTAMP_NS' : 'BIGINT'
  }
}

function literal(value: Value, shape: ColumnShape): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (shape === 'double') return `CAST('${toText(value).replace('Inf', 'inf')}' AS DOUBLE)`
  return toText(value)
}

function rowLiteral({ row, timeNs, sequence }: StoredRow, layout: Layout): string {
  const time = layout.unit === 'timestamp' ? `make_timestamp_ns(${timeNs})` : String(timeNs / layout.stepNs)
  const values = layout.columns.map(({ name, shape }) => literal(row.get(name) ?? null, shape))
  const members = layout.attributes.flatMap((name) => {
    const value = row.get(name)
    return value === undefined ? [] : [`${literal(name, 'text')}: ${literal(value, 'text')}`]
  })
  const map = layout.attributes.length === 0 ? [] : [`MAP {${members.join(', ')}}::MAP(VARCHAR, VARCHAR)`]
  return `(${[time, String(sequence), ...values, ...map].join(', ')})`
}

async function fill(path: string, layout: Layout, rows: readonly StoredRow[]): Promise<void> {
  const instance = await DuckDBInstance.create(path, { threads: '1' })
  const connection = await instance.connect()
  const columns = [
    `ts ${typeName('time', layout)} NOT NULL`,
    `${SEQUENCE} BIGINT NOT NULL`,
    ...layout.columns.map(
      ({ name, shape, isNullable }) => `${name} ${typeName(shape, layout)}${isNullable ? '' : ' NOT NULL'}`,
    ),
    ...(layout.attributes.length === 0 ? [] : [`${ATTRIBUTES} ${typeName('map', layout)}`]),
  ]
  await connection.run(`CREATE TABLE logs (${columns.join(', ')})`)
  if (rows.length > 0)
    await connection.run(`INSERT INTO logs VALUES ${rows.map((row) => rowLiteral(row, layout)).join(',\n')}`)
  connection.closeSync()
  instance.closeSync()
}

export const duckdbUnderTest: EngineUnderTest = {
  name: 'duckdb',
  load: async (layout, rows) => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-duckdb-'))
    const path = join(folder, 'logs.duckdb')
    await fill(path, layout, rows)
    const engine = await duckdbEngine({ path, threads: 1 })
    const mapping = mappingOf(layout, { kind: 'table', path: ['logs'] }, typeName)
    const backend = foreignBackend(engine, [mapping], standardFunctions)
    return {
      backend,
      close: async () => {
        await backend.close()
        await rm(folder, { recursive: true })
      },
    }
  },
}
