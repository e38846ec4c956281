import { describe, expect, test } from 'vitest'
import { tableKey, type SegmentEntry, type TableEntry } from '../../../src/store/durable/index.ts'
import { overdue, type Retention } from '../../../src/store/kept/retention.ts'

const SECOND_NS = 1_000_000_000

/** A segment of 100 bytes whose last row is as many seconds old as it says, at 1000 seconds. */
function segment(name: string, ageSeconds: number): SegmentEntry {
  const lastDelta = (1000 - ageSeconds) * SECOND_NS
  return {
    name,
    bytes: 100,
    crc: 0,
    rowCount: 1,
    epoch: 0,
    firstDelta: lastDelta,
    lastDelta,
    firstSequence: 0,
    endSequence: 1,
    createdMs: 0,
  }
}

function tableOf(table: string, entry: Partial<TableEntry>): readonly [string, TableEntry] {
  const empty = { covered: new Map(), segments: [], dictionaries: undefined, groups: [], hasRemains: false, aside: [] }
  return [tableKey('default', table), { backend: 'default', table, ...empty, ...entry }]
}

const logs = tableOf('logs', {
  segments: [segment('a', 400), segment('b', 300), segment('c', 200), segment('d', 100)],
})
const forAll: Retention = { ageNs: new Map(), bytes: undefined }

function goneOf(tables: readonly (readonly [string, TableEntry])[], retention: Partial<Retention>): readonly string[] {
  const gone = overdue({ tables: new Map(tables) }, { ...forAll, ...retention }, 1000n * BigInt(SECOND_NS))
  return Array.from(gone, ({ name }) => name)
}

describe('by age', () => {
  test('segments leave whose last row is too old, of their table alone', () => {
    const spans = tableOf('spans', { segments: [segment('e', 400)] })
    const ageNs = new Map([['logs', 250n * BigInt(SECOND_NS)]])
    expect(goneOf([logs, spans], { ageNs })).toEqual(['a', 'b'])
  })
})

describe('by bytes', () => {
  test('the oldest leave until the others have room', () => {
    expect(goneOf([logs], { bytes: 400 })).toEqual([])
    expect(goneOf([logs], { bytes: 399 })).toEqual(['a'])
    expect(goneOf([logs], { bytes: 200 })).toEqual(['a', 'b'])
  })

  test('of all tables, by their times', () => {
    const spans = tableOf('spans', { segments: [segment('e', 350)] })
    expect(goneOf([logs, spans], { bytes: 300 })).toEqual(['a', 'e'])
  })

  test('a filter takes its bytes until the last of its segments leaves', () => {
    const [key, entry] = logs
    const filter = { name: 'f', bytes: 150, crc: 0, segments: ['a', 'b', 'merged'] }
    const filtered = [key, { ...entry, groups: [filter] }] as const
    expect(goneOf([filtered], { bytes: 550 })).toEqual([])
    expect(goneOf([filtered], { bytes: 450 })).toEqual(['a'])
    // With the second, the filter leaves as well.
    expect(goneOf([filtered], { bytes: 449 })).toEqual(['a', 'b'])
    expect(goneOf([filtered], { bytes: 200 })).toEqual(['a', 'b'])
  })

  test('one that leaves by the age of its segments takes none', () => {
    const [key, entry] = logs
    const filter = { name: 'f', bytes: 1000, crc: 0, segments: ['a', 'b'] }
    const ageNs = new Map([['logs', 250n * BigInt(SECOND_NS)]])
    expect(goneOf([[key, { ...entry, groups: [filter] }]], { ageNs, bytes: 200 })).toEqual(['a', 'b'])
  })

  test('dictionaries take theirs, but no more than half: they stay', () => {
    const [key, entry] = logs
    const withDictionaries = (bytes: number) =>
      [key, { ...entry, dictionaries: { name: 'd', bytes, records: [] } }] as const
    expect(goneOf([withDictionaries(100)], { bytes: 500 })).toEqual([])
    expect(goneOf([withDictionaries(101)], { bytes: 500 })).toEqual(['a'])
    expect(goneOf([withDictionaries(1_000_000)], { bytes: 400 })).toEqual(['a', 'b'])
  })
})
