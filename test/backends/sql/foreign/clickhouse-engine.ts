import { foreignBackend } from '../../../../src/backends/sql/index.ts'
import { clickHouseEngine } from '../../../../src/backends/sql/engines/clickhouse.ts'
import type { Value, StoredRow } from '../../../../src/data/index.ts'
import { toText } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { startClickHouse } from '../../../clickhouse/index.ts'
import type { EngineUnderTest } from './engines.ts'
import { ATTRIBUTES, levelValues, mappingOf, SEQUENCE, type ColumnShape, type Layout } from './layouts.ts'

const levelType = `Enum8(${levelValues.map((value, i) => `'${value}' = ${i}`).join(', ')})`

function typeName(shape: ColumnShape, { unit, name }: Layout): string {
  switch (shape) {
    case 'text':
      return name === 'native' ? 'LowCardinality(String)' : 'String'
    case 'level':
      return levelType
    case 'integer':
      return 'Int64'
    case 'double':
      return 'Float64'
    case 'bool':
      return 'Bool'
    case 'map':
      return 'Map(LowCardinality(String), String)'
    case 'time':
      return unit === 'timestamp' ? 'DateTime64(9)' : 'Int64'
  }
}

function nullable(type: string): string {
  const inner = /^LowCardinality\((.*)\)$/u.exec(type)?.[1]
  return inner === undefined ? `Nullable(${type})` : `LowCardinality(Nullable(${inner}))`
}

/** Converts a value to JSON without loss: integers and floats become strings. */
function json(value: Value): string | boolean | null {
  if (value === null || typeof value === 'boolean') return value
  return Object.is(value, -0) ? '-0' : toText(value)
}

function rowJson({ row, timeNs, sequence }: StoredRow, layout: Layout): string {
  const columns = layout.columns.map(({ name }) => [name, json(row.get(name) ?? null)])
  const members = layout.attributes.flatMap((name) => (row.has(name) ? [[name, json(row.get(name) ?? null)]] : []))
  const time = layout.unit === 'timestamp' ? nsText(timeNs) : String(timeNs / layout.stepNs)
  const map = layout.attributes.length === 0 ? {} : { [ATTRIBUTES]: Object.fromEntries(members) as unknown }
  return JSON.stringify({ ts: time, [SEQUENCE]: sequence, ...Object.fromEntries(columns), ...map })
}

/** Formats nanoseconds as seconds with nine decimals. */
function nsText(ns: bigint): string {
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`
}

export const clickhouseUnderTest: EngineUnderTest = {
  name: 'clickhouse',
  load: async (layout, rows) => {
    const server = await startClickHouse()
    const database = `sluice_agreement_${layout.name}`
    const columns = [
      `ts ${typeName('time', layout)}`,
      `${SEQUENCE} Int64`,
      ...layout.columns.map(
        ({ name, shape, isNullable }) =>
          `${name} ${isNullable ? nullable(typeName(shape, layout)) : typeName(shape, layout)}`,
      ),
      ...(layout.attributes.length === 0 ? [] : [`${ATTRIBUTES} ${typeName('map', layout)}`]),
    ]
    await server.run(`DROP DATABASE IF EXISTS ${database}`)
    await server.run(`CREATE DATABASE ${database}`)
    await server.run(`CREATE TABLE ${database}.logs (${columns.join(', ')}) ENGINE = MergeTree ORDER BY ts`, {
      session_timezone: 'UTC',
    })
    await server.run(
      `INSERT INTO ${database}.logs FORMAT JSONEachRow\n${rows.map((row) => rowJson(row, layout)).join('\n')}`,
      { session_timezone: 'UTC' },
    )
    const { url, username, password } = server
    const engine = clickHouseEngine({ url, username, password, database })
    const mapping = mappingOf(layout, { kind: 'table', path: [database, 'logs'] }, typeName)
    const backend = foreignBackend(engine, [mapping], standardFunctions)
    return {
      backend,
      close: async () => {
        await backend.close()
        await server.run(`DROP DATABASE ${database}`)
        await server.stop()
      },
    }
  },
}
