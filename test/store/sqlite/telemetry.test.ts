import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { Instant, field, type StoredRow, type Value } from '../../../src/data/index.ts'
import type { RecordCatalog, RecordTableDefinition } from '../../../src/plan/index.ts'
import { openSqlite, sqliteTelemetry, type SqliteTelemetry } from '../../../src/store/sqlite/index.ts'

const things: RecordTableDefinition = {
  name: 'things',
  schema: {
    fields: [
      field('at', 'time', 'dynamic'),
      field('kind', 'string'),
      field('Kind', 'string'),
      field('size', 'number'),
      field('text', 'string'),
    ],
    isOpen: true,
  },
  timeField: 'at',
  textField: 'text',
  aliases: new Map(),
  streamFields: [],
  domain: 'logs',
}

function catalogOf(table: RecordTableDefinition): RecordCatalog {
  return { tables: new Map([[table.name, table]]), defaultTable: table.name }
}

let sequence = 0
function stored(timeNs: bigint, fields: Record<string, Value>): StoredRow {
  return {
    timeNs,
    sequence: sequence++,
    row: new Map<string, Value>([['at', new Instant(timeNs)], ...Object.entries(fields)]),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-telemetry-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('telemetry in SQLite', () => {
  let telemetry: SqliteTelemetry
  beforeAll(async () => {
    telemetry = sqliteTelemetry(await openSqlite(':memory:'), catalogOf(things))
  })

  test('knows nothing but that nothing is there', () => {
    const known = telemetry.knowledge().tables.get('things')
    expect(known?.latenessNs).toBe(0n)
    expect(known?.fields.get('kind')).toMatchObject({ hasMissing: false, hasForeign: false, values: [] })
  })

  test('learns what its columns hold', () => {
    telemetry.append('things', [stored(10n, { kind: 'a', size: 1 }), stored(10n, { kind: 'B', size: 2.5, extra: 'x' })])
    const first = telemetry.knowledge()
    expect(first.tables.get('things')?.fields.get('kind')).toMatchObject({
      hasUnfolded: true,
      hasMissing: false,
      values: ['B', 'a'],
    })
    expect(first.tables.get('things')?.fields.get('size')).toMatchObject({ hasForeign: false, values: undefined })
    telemetry.append('things', [stored(11n, { kind: 'a', Kind: '', size: 'large' })])
    const second = telemetry.knowledge()
    expect(second.epoch).toBeGreaterThan(first.epoch)
    expect(second.tables.get('things')?.fields.get('Kind')).toMatchObject({ hasEmpty: true, hasMissing: true })
    expect(second.tables.get('things')?.fields.get('size')).toMatchObject({ hasForeign: true })
    telemetry.append('things', [stored(12n, { kind: 'a', Kind: '', size: 3 })])
    expect(telemetry.knowledge().epoch).toBe(second.epoch)
  })

  test('notices rows that come late', () => {
    expect(telemetry.knowledge().tables.get('things')?.latenessNs).toBe(0n)
    telemetry.append('things', [stored(5n, { kind: 'a' })])
    expect(telemetry.knowledge().tables.get('things')?.latenessNs).toBe(2n ** 20n)
  })

  test('a batch that fails leaves neither rows nor knowledge', () => {
    const before = telemetry.knowledge()
    expect(() =>
      telemetry.append('things', [stored(20n, { kind: 'new' }), { timeNs: 20n, sequence: 0, row: new Map() }]),
    ).toThrow('sequences')
    expect(telemetry.knowledge()).toEqual(before)
    telemetry.append('things', [stored(21n, { kind: 'newer' })])
    expect(telemetry.knowledge().tables.get('things')?.fields.get('kind')?.values).toEqual(['B', 'a', 'newer'])
    expect(telemetry.connection.prepare('SELECT count(*) FROM things').pluck().get()).toBe(6)
  })

  test('names columns by an allow-list, never by what a user wrote', () => {
    const layout = telemetry.layouts.get('things')
    expect(layout?.columns.map((column) => column.column)).toEqual(['kind', 'field_2', 'size', 'text'])
  })
})

describe('a database file', () => {
  test('is found again, with what is known of it', async () => {
    const path = join(folder, 'again.db')
    const first = await openSqlite(path)
    const written = sqliteTelemetry(first, catalogOf(things))
    const rows = Array.from({ length: 5000 }, (_, i) =>
      stored(BigInt(i), { kind: i === 7 ? 'K7' : `k${i}`, text: String(i % 3) }),
    )
    expect(written.load('things', rows, 1000)).toBe(5000)
    const known = written.knowledge()
    expect(known.tables.get('things')?.fields.get('kind')?.values).toBeUndefined()
    const variants = first.prepare('SELECT folded, value FROM sluice_variant ORDER BY value').raw().all()
    expect(variants).toEqual([['k7', 'K7']])
    expect(known.tables.get('things')?.fields.get('text')?.ranked).toEqual(['0', '1', '2'])
    first.close()
    const second = await openSqlite(path)
    const read = sqliteTelemetry(second, catalogOf(things))
    expect(read.knowledge()).toEqual(known)
    read.append('things', [stored(6000n, { kind: 'k', text: 'x' })])
    expect(read.knowledge().tables.get('things')?.latenessNs).toBe(0n)
    second.close()
  })

  test('with other declared fields is refused', async () => {
    const path = join(folder, 'other.db')
    const connection = await openSqlite(path)
    sqliteTelemetry(connection, catalogOf(things))
    const other = { ...things, schema: { ...things.schema, fields: things.schema.fields.slice(0, 3) } }
    expect(() => sqliteTelemetry(connection, catalogOf(other))).toThrow(SluiceError)
    connection.close()
  })

  test('that cannot be opened is a diagnostic', async () => {
    await expect(openSqlite(join(folder, 'no', 'such', 'folder.db'))).rejects.toMatchObject({
      code: 'sqlite/cannot-open',
    })
  })
})

describe('the planner', () => {
  test('gets new counts when the table has doubled, not with every batch', async () => {
    const connection = await openSqlite(':memory:')
    const telemetry = sqliteTelemetry(connection, catalogOf(things))
    const counted = (): unknown => {
      const exists = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`).get()
      if (exists === undefined) return undefined
      return connection.prepare(`SELECT stat FROM sqlite_stat1 WHERE idx = 'things_by_kind_time_ns'`).pluck().get()
    }
    const batch = (): StoredRow[] => Array.from({ length: 3000 }, (_, i) => stored(BigInt(i), { kind: `k${i % 5}` }))
    telemetry.append('things', batch())
    expect(counted()).toBeUndefined()
    for (let i = 0; i < 2; i++) telemetry.append('things', batch())
    const first = counted()
    expect(first).toMatch(/^\d+ \d+ \d+$/)
    telemetry.append('things', batch())
    expect(counted()).toBe(first)
    connection.close()
  })
})
