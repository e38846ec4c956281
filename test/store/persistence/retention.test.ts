import { describe, expect, test } from 'vitest'
import { tableKey, type PartEntry, type TableEntry } from '../../../src/store/durable/index.ts'
import { overdue, type Retention } from '../../../src/store/persistence/retention.ts'

const SECOND_NS = 1_000_000_000

/** Returns a part with row groups of 100 bytes. `ages` are the ages in seconds of their last rows at time 1000 s. */
function part(name: string, ...ages: readonly number[]): PartEntry {
  const rowGroups = ages.map((ageSeconds) => {
    const lastDelta = (1000 - ageSeconds) * SECOND_NS
    const times = { epoch: 0, firstDelta: lastDelta, lastDelta }
    return { at: 0, bytes: 100, crc: 0, rowCount: 1, ...times, firstSequence: 0, endSequence: 1 }
  })
  return { name, bytes: 100 * ages.length, crc: 0, createdMs: 0, rowGroups }
}

function tableOf(table: string, entry: Partial<TableEntry>): readonly [string, TableEntry] {
  const empty = { covered: new Map(), parts: [], dictionaries: undefined, hasRemains: false, aside: [] }
  return [tableKey('default', table), { backend: 'default', table, ...empty, ...entry }]
}

const logs = tableOf('logs', {
  parts: [part('a', 400, 300), part('b', 200), part('c', 100)],
})
const forAll: Retention = { ageNs: new Map(), bytes: undefined }

function goneOf(tables: readonly (readonly [string, TableEntry])[], retention: Partial<Retention>): readonly string[] {
  const gone = overdue({ tables: new Map(tables) }, { ...forAll, ...retention }, 1000n * BigInt(SECOND_NS))
  return gone.map(({ name, number }) => `${name}${number}`)
}

describe('by age', () => {
  test('row groups leave whose last row is too old, of their table alone', () => {
    const spans = tableOf('spans', { parts: [part('e', 400)] })
    const ageNs = new Map([['logs', 250n * BigInt(SECOND_NS)]])
    expect(goneOf([logs, spans], { ageNs })).toEqual(['a0', 'a1'])
  })
})

describe('by bytes', () => {
  test('the oldest are dropped until the others have room', () => {
    expect(goneOf([logs], { bytes: 400 })).toEqual([])
    expect(goneOf([logs], { bytes: 399 })).toEqual(['a0'])
    expect(goneOf([logs], { bytes: 200 })).toEqual(['a0', 'a1'])
  })

  test('of all tables, by their times', () => {
    const spans = tableOf('spans', { parts: [part('e', 350)] })
    expect(goneOf([logs, spans], { bytes: 300 })).toEqual(['a0', 'e0'])
  })

  test('row groups that are gone take none', () => {
    const [key, entry] = logs
    const parts = [{ ...part('a', 400, 300), gone: [0] }, part('b', 200)]
    expect(goneOf([[key, { ...entry, parts }]], { bytes: 200 })).toEqual([])
    expect(goneOf([[key, { ...entry, parts }]], { bytes: 199 })).toEqual(['a1'])
  })

  test('dictionaries take theirs, but no more than half: they stay', () => {
    const [key, entry] = logs
    const withDictionaries = (bytes: number) =>
      [key, { ...entry, dictionaries: { name: 'd', bytes, records: [] } }] as const
    expect(goneOf([withDictionaries(100)], { bytes: 500 })).toEqual([])
    expect(goneOf([withDictionaries(101)], { bytes: 500 })).toEqual(['a0'])
    expect(goneOf([withDictionaries(1_000_000)], { bytes: 400 })).toEqual(['a0', 'a1'])
  })
})
