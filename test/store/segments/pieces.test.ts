import { describe, expect, test } from 'vitest'
import { noReads, present, seededRandom } from '../../../src/base/index.ts'
import { createBitmap, encodeText, gather, setBit, valueAt, valueTag, type Column } from '../../../src/data/index.ts'
import { deltaAt, sequenceAt, type Segment, type StoredColumn } from '../../../src/store/index.ts'
import { BlockCache, RowGroupFile } from '../../../src/store/segments/index.ts'
import { codedPieces, decodeInto } from '../../../src/store/segments/codings/codings.ts'
import type { Elements } from '../../../src/store/segments/codings/elements.ts'
import { coding } from '../../../src/store/segments/layout.ts'
import { unpacked } from '../../../src/store/segments/codings/packing.ts'
import { fileOf, manyKinds, opened, sealedTable, sourceOf } from './read-all.ts'

const random = seededRandom(11)
const draw = (limit: number): number => random.below(limit)
const LENGTH = 101

/** Integers of every bit width from 0, and the largest ones. */
const widths = [0, 1, 3, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32]
const integers = widths.flatMap((width): Elements[] => {
  const numbers = Array.from({ length: LENGTH }, (_, i) => (i === 50 ? 2 ** width - 1 : draw(2 ** width)))
  const above = numbers.map((number) => Math.min(number + 100, 2 ** 32 - 1))
  const arrays: Elements[] = [Uint32Array.from(numbers), Uint32Array.from(above)]
  if (width <= 16) arrays.push(Uint16Array.from(numbers))
  if (width <= 8) arrays.push(Uint8Array.from(numbers))
  return arrays
})
const times = [1, 3, 255, 2 ** 17, 2 ** 24, 2 ** 31, 2 ** 33, 2 ** 40, 2 ** 44].map((step) => {
  let time = 2 ** 51
  return Float64Array.from({ length: LENGTH }, () => (time += draw(step)))
})
const others: Elements[] = [
  Float64Array.from({ length: LENGTH }, (_, i) => (i === 7 ? NaN : draw(100_000) / 100)),
  Float64Array.from({ length: LENGTH }, () => Math.sqrt(draw(1000))),
  Float64Array.from({ length: LENGTH }, (_, i) => [NaN, -0, Infinity, -Infinity, 5e-324][i % 5] ?? 0),
  Float64Array.from({ length: LENGTH }, (_, i) => (i === 100 ? 2 ** 53 - 1 : 0)),
  Int32Array.from({ length: LENGTH }, () => draw(2 ** 20) - 2 ** 19),
  new Uint16Array(LENGTH),
]

test.each([
  [8, 12],
  [1, 1],
  [10, 50],
  [100, 10],
])('arrays of every kind in pieces of %d or %d elements are the same again', (bits, packed) => {
  const seen = new Set<number>()
  for (const array of [...integers, ...times, ...others]) {
    const { elements, pieces: coded } = present(codedPieces(array, { bits, packed }))
    const pieces = [...coded]
    expect([bits, packed, packed * 2]).toContain(elements)
    expect(pieces).toHaveLength(Math.ceil(LENGTH / elements))
    const target = array.slice().fill(0)
    for (const [i, piece] of pieces.entries()) {
      seen.add(piece.coding)
      const plain = unpacked(Buffer.from(piece.bytes), piece.packing, piece.plainBytes)
      const part = target.subarray(i * elements, (i + 1) * elements)
      expect(decodeInto(plain, piece.coding, part)).toBe(true)
      // Input of another length is rejected.
      expect(decodeInto(Buffer.concat([plain, Buffer.alloc(1)]), piece.coding, part)).toBe(false)
    }
    expect(target).toEqual(array)
  }
  expect(seen).toContain(coding.stepBits)
  expect(seen.has(coding.bits)).toBe(bits > 1)
})

test('an array of one piece has none', () => {
  expect(codedPieces(new Uint8Array(8), { bits: 8, packed: 8 })).toBeUndefined()
})

/** Adds columns of the kinds that fields have when their values are too distinct for dictionary codes. */
function withOthers(segment: Segment): Segment {
  const { rowCount: length } = segment
  const level = present(segment.columns.get('level'))
  const add = (column: Column): StoredColumn => {
    const bare = { counts: undefined, order: undefined, hasOrder: false, zones: undefined }
    return { ...level, ...bare, column }
  }
  const validity = createBitmap(length)
  for (let i = 0; i < length; i += 3) setBit(validity, i)
  const high = Int32Array.from({ length }, () => draw(2 ** 31) - 2 ** 30)
  const low = Uint32Array.from({ length }, () => draw(2 ** 32))
  const tags = Uint8Array.from({ length }, (_, i) => [valueTag.text, valueTag.number, valueTag.bool, 0][i % 4] ?? 0)
  const numbers = Float64Array.from({ length }, (_, i) => (i % 4 === 1 ? i / 7 : i & 1))
  const texts = Array.from({ length }, (_, i) => (i % 4 === 0 ? `text ${i}` : ''))
  const offsets = new Uint32Array(length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = present(offsets[i]) + text.length
  const mixed = { kind: 'mixed', length, tags, numbers, bytes: encodeText(texts.join('')), offsets } as const
  const deltas = Float64Array.from({ length }, (_, i) => i * 1001)
  return {
    ...segment,
    columns: new Map([
      ...segment.columns,
      ['integers', add({ kind: 'int64', length, high, low, validity })],
      ['mixed kinds', add(mixed)],
      ['others', add({ kind: 'time', length, baseNs: 5n, deltas, validity })],
    ]),
  }
}

describe('few rows of a segment in a file', () => {
  const table = sealedTable(manyKinds(3000))
  const segment = withOthers(present(table.view.snapshot()[0]))
  const { file, summary } = fileOf(table, segment, { bits: 64, packed: 128 })

  test.each([0, 4096, 1 << 30])('are what they are in memory, with a cache of %d bytes', (bytes) => {
    const read = opened(table, sourceOf(file), summary, new BlockCache(bytes))
    for (let i = 0; i < 40; i++) {
      const rows = Uint32Array.from({ length: 1 + draw(5) }, () => draw(3000))
      for (const [name, { column }] of segment.columns) {
        const found = gather(present(read.columns.get(name)).column, rows)
        expect(found.length).toBe(rows.length)
        const values = Array.from(rows, (_, at) => valueAt(found, at))
        expect([name, values]).toEqual([name, Array.from(rows, (row) => valueAt(column, row))])
      }
      for (const row of rows) {
        expect(deltaAt(read, row)).toBe(deltaAt(segment, row))
        expect(sequenceAt(read, row)).toBe(sequenceAt(segment, row))
      }
    }
  })

  test('are read without the rest of their columns, and again without reading', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    const { columns } = read
    // Load the contents, which include the list of pieces, and the rows that have the rare field, so that only pieces
    // are counted below.
    gather(present(columns.get('level')).column, Uint32Array.from([0]))
    const names = ['_time', 'duration_ms', 'level', 'odd', 'integers']
    const row = Uint32Array.from([1500])
    const before = { ...cache.counts }
    for (const name of names) gather(present(columns.get(name)).column, row)
    const bytes = cache.counts.bytes - before.bytes
    // One piece per array. Integers have three arrays: two for the values, and a bitmap of the rows that have one.
    expect(cache.counts.blocks - before.blocks).toBe(names.length + 2)
    const { contents, blocks } = new RowGroupFile(sourceOf(file), noReads()).open()
    const whole = contents.columns
      .filter(({ name }) => names.includes(name))
      .flatMap<unknown>(({ column }) => Object.values(column))
      .reduce<number>((sum, array) => {
        if (typeof array !== 'object' || array === null || !('block' in array) || typeof array.block !== 'number')
          return sum
        return sum + (blocks.starts[array.block + 1] ?? 0) - (blocks.starts[array.block] ?? 0)
      }, 0)
    expect(bytes).toBeLessThan(whole / 10)
    const after = cache.counts.blocks
    for (const name of names) gather(present(columns.get(name)).column, row)
    expect(cache.counts.blocks).toBe(after)
  })

  test('are read together with those of other fields and files, and then there', () => {
    const caches = [new BlockCache(1 << 30), new BlockCache(1 << 30)]
    const reads = caches.map((cache) => opened(table, sourceOf(file), summary, cache))
    const blocks = (): number => caches.reduce((sum, { counts }) => sum + counts.blocks, 0)
    const names = ['_time', 'duration_ms', 'level', 'integers', 'mixed kinds', 'others']
    const rows = Uint32Array.from([3, 1500, 1501, 2900])
    const all = reads.flatMap(({ columns }) => names.map((name) => ({ field: present(columns.get(name)), rows })))
    // Load the contents, the lists of pieces, the dictionaries, and arrays without pieces, so that they are not counted
    // below.
    for (const { field } of all) gather(field.column, Uint32Array.from([0]))
    const before = blocks()
    present(all[0]).field.readTogether?.(all)
    // The rows lie in two further pieces of each array. Integers have two arrays, and mixed values have one for tags
    // and one for numbers.
    expect(blocks() - before).toBe(reads.length * (names.length + 2) * 2)
    const after = blocks()
    for (const read of reads) {
      for (const name of names) {
        const found = gather(present(read.columns.get(name)).column, rows)
        const values = Array.from(rows, (_, at) => valueAt(found, at))
        const expected = present(segment.columns.get(name)).column
        expect([name, values]).toEqual([name, Array.from(rows, (row) => valueAt(expected, row))])
      }
    }
    const last = blocks()
    // Strings among mixed values are stored in separate blocks.
    expect(last - after).toBeLessThanOrEqual(reads.length * rows.length)
    present(all[0]).field.readTogether?.(all)
    expect(blocks()).toBe(last)
  })

  test('are taken from all of a column where they are in many of its pieces', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    const { column } = present(read.columns.get('level'))
    gather(column, Uint32Array.from([0]))
    const before = cache.counts.blocks
    gather(
      column,
      Uint32Array.from({ length: 30 }, (_, i) => i * 100),
    )
    expect(cache.counts.blocks - before).toBe(1)
  })
})

describe('a list of pieces that is not of its file', () => {
  const table = sealedTable(manyKinds(200))
  const segment = present(table.view.snapshot()[0])
  const { file } = fileOf(table, segment)
  const read = new RowGroupFile(sourceOf(file), noReads())
  const open = read.open()
  const { deltas } = open.contents
  const pieces = present(deltas.pieces)

  test.each([
    ['elements', { ...deltas, pieces: { ...pieces, elements: 0 } }],
    ['elements', { ...deltas, pieces: { ...pieces, elements: 0.5 } }],
    ['elements', { ...deltas, pieces: { ...pieces, elements: NaN } }],
    ['elements', { ...deltas, pieces: { ...pieces, elements: 1e9 } }],
    ['place', { ...deltas, pieces: { ...pieces, first: -1 } }],
    ['place', { ...deltas, pieces: { ...pieces, first: 0.5 } }],
    ['place', { ...deltas, pieces: { ...pieces, first: 1e9 } }],
    ['length', { ...deltas, length: 1e9 }],
    ['length', { ...deltas, length: 1e12, pieces: { ...pieces, elements: 1e11 } }],
    ['block', { ...deltas, block: 1e9 }],
    ['type', { ...deltas, type: 'u8' as const }],
  ])('is refused: %s', (_, stored) => {
    const damaged = expect.objectContaining({ code: 'durable/damaged' })
    expect(() => read.array(open, stored)).toThrow(damaged)
    expect(() => read.piece(open, stored, 0)).toThrow(damaged)
  })

  test('is refused where the file has none', () => {
    const without = { ...open, pieces: undefined, contents: { ...open.contents, pieces: undefined } }
    expect(() => read.array(without, deltas)).toThrow(expect.objectContaining({ code: 'durable/damaged' }))
  })
})
