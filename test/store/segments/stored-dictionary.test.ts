import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { encodeText, fold, type Value } from '../../../src/data/index.ts'
import { GrowingDictionary, type StoredDictionary } from '../../../src/store/index.ts'
import { BlockCache, DictionariesFile, openDictionaries, type BlockSource } from '../../../src/store/segments/index.ts'
import { sourceOf } from './read-all.ts'

const texts = Array.from({ length: 9000 }, (_, i) =>
  i % 97 === 0 ? `Ünï-${i}` : i % 89 === 0 ? 'x'.repeat(i) : `id-${(i * 2654435761) % 4294967296}`,
)

const textOf = (code: number): string => present(texts[code - 1])

function dictionaryOf(values: readonly Value[]): GrowingDictionary {
  const made = new GrowingDictionary()
  for (const value of values) made.entries.intern(value)
  return made
}

/** Writes a dictionary in three steps, the last with few entries, and another field's dictionary in between. */
function written(values: readonly Value[]): { readonly file: DictionariesFile; readonly bytes: Buffer } {
  const file = new DictionariesFile()
  const pieces: Uint8Array[] = []
  const other = dictionaryOf(['a', 'b'])
  for (const end of [5000, 8990, values.length]) {
    const changes = file.changes([
      ['other', other],
      ['id', dictionaryOf(values.slice(0, end))],
    ])
    pieces.push(...changes.chunks)
    changes.commit()
    other.entries.intern(end)
  }
  return { file, bytes: Buffer.concat(pieces) }
}

const whole = dictionaryOf(texts)
const { file, bytes } = written(texts)

function counted(source: BlockSource): { readonly source: BlockSource; readonly reads: number[] } {
  const reads: number[] = []
  const read: BlockSource['read'] = (into, at) => {
    reads.push(into.length)
    return source.read(into, at)
  }
  return { source: { ...source, read }, reads }
}

function stored(source: BlockSource, cacheBytes = 1 << 20): StoredDictionary {
  return file.stored(source, 'id', new BlockCache(cacheBytes))
}

const sorted = (codes: readonly number[]): readonly number[] => codes.toSorted((a, b) => a - b)

function expectAlike(read: GrowingDictionary, codes: Iterable<number>): void {
  for (const code of codes) {
    const value = whole.valueAt(code)
    expect(read.valueAt(code)).toBe(value)
    if (typeof value !== 'string') continue
    const text = encodeText(value)
    expect(read.codeOfText(text, 0, text.length)).toBe(code)
    for (const sought of [value, value.toUpperCase(), `${value}!`])
      expect(sorted(read.findFolded(fold(sought)))).toEqual(sorted(whole.findFolded(fold(sought))))
  }
}

describe('a dictionary of which few entries are read', () => {
  test.each([0, 1 << 20])('has those that all of it has, with a cache of %i bytes', (cacheBytes) => {
    const read = GrowingDictionary.stored(stored(sourceOf(bytes), cacheBytes))
    expectAlike(read, [0, 1, 2, 98, 179, 512, 513, 4999, 5000, 5001, 8989, 8990, 8999, 9000])
    expect(read.size).toBe(whole.size)
    expect(read.isAllText).toBe(true)
    expect(read.nonTextCodes()).toEqual([])
    expect(read.stored).toBeDefined()
    expectAlike(
      read,
      Array.from({ length: 300 }, (_, i) => 1 + i * 30),
    )
  })

  test('is read in a few pages, until most are wanted', () => {
    const { source, reads } = counted(sourceOf(bytes))
    const cache = new BlockCache(1 << 20)
    const read = GrowingDictionary.stored(file.stored(source, 'id', cache))
    expect(read.findFolded('id-nowhere')).toEqual([])
    expect(read.valueAt(7000)).toBe(texts[6999])
    expect(reads.length).toBeLessThanOrEqual(8)
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(bytes.length / 5)
    expect(cache.counts.blocks).toBeGreaterThan(0)
  })

  test('a text that it has is found with one read for all pages of a record', () => {
    const { source, reads } = counted(sourceOf(bytes))
    const read = GrowingDictionary.stored(file.stored(source, 'id', new BlockCache(1 << 20)))
    expect(read.valueAt(1200)).toBe(textOf(1200))
    reads.length = 0
    expect(read.findFolded(fold(textOf(3000)))).toEqual([3000])
    // Reads the directories, pages of filters, the record with few entries, and the pages of one record. A false
    // positive of a filter adds the pages of a second record.
    expect(reads.length).toBeLessThanOrEqual(8)
    reads.length = 0
    expect(read.findFolded(fold(textOf(3001)))).toEqual([3001])
    expect(reads.length).toBeLessThanOrEqual(3)
  })

  test('is in memory as soon as something is added, or all of it is wanted', () => {
    const added = GrowingDictionary.stored(stored(sourceOf(bytes)))
    expect(added.entries.intern(textOf(4322))).toBe(4322)
    expect(added.entries.intern('another')).toBe(whole.size)
    expect(added.stored).toBeUndefined()
    const state = GrowingDictionary.stored(stored(sourceOf(bytes))).entries.state()
    expect(state.size).toBe(whole.size)
    expect(state.offsets[whole.size]).toBe(whole.entries.textBytes)
  })

  test('is read whole where it has more than texts or is short', () => {
    const mixed = written([...texts, 5])
    expect(mixed.file.stored(sourceOf(mixed.bytes), 'id', new BlockCache(0)).pages).toBeUndefined()
    expect(file.stored(sourceOf(bytes), 'other', new BlockCache(0)).pages).toBeUndefined()
  })
})

test('a file of which a manifest does not list all records is damaged', () => {
  const records = ['id', 'other'].flatMap((field) => file.records(field))
  for (const listed of [[], records.slice(1), records.slice(0, -1)])
    expect(() => openDictionaries(sourceOf(bytes), listed)).toThrow('lists other records')
})

test('a damaged page gives no other answer', () => {
  const codes = [1, 600, 5001, 8995]
  let refused = 0
  for (let at = 0; at < bytes.length; at += 311) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at)
    const read = GrowingDictionary.stored(stored(sourceOf(damaged)))
    try {
      for (const code of codes) {
        expect(read.valueAt(code)).toBe(textOf(code))
        expect(read.findFolded(fold(textOf(code)))).toEqual([code])
      }
      expect(read.findFolded('id-nowhere')).toEqual([])
    } catch (error) {
      expect(error).toMatchObject({ code: 'durable/damaged' })
      refused++
    }
  }
  expect(refused).toBeGreaterThan(10)
})
