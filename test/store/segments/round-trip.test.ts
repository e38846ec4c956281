import { describe, expect, test } from 'vitest'
import { noReads, present } from '../../../src/base/index.ts'
import { encodeText, wordsOf } from '../../../src/data/index.ts'
import { rowAtTime, type FoundWord, type MemoryTable, type WordIndex } from '../../../src/store/index.ts'
import type { RowGroupEntry } from '../../../src/store/durable/index.ts'
import { pieceSizes } from '../../../src/store/segments/codings/codings.ts'
import { BlockCache, RowGroupFile } from '../../../src/store/segments/index.ts'
import { allOf, fileOf, manyKinds, onDisk, opened, rowCounter, sealedTable, sourceOf } from './read-all.ts'

/** Reference implementation: returns the first row whose time is at least `delta`. */
function lowerBound(deltas: Float64Array, delta: number): number {
  const row = deltas.findIndex((each) => each >= delta)
  return row === -1 ? deltas.length : row
}

test('words of the same rows have one bitmap', () => {
  const table = sealedTable(manyKinds(3000))
  const segment = present(table.view.snapshot()[0])
  const { contents } = new RowGroupFile(sourceOf(fileOf(table, segment).file), noReads()).open()
  const frequent = ['request', 'of', 'took', 'ms'].flatMap((word) =>
    present(segment.words).find(encodeText(word), false),
  )
  expect(frequent.map((word) => word.isFrequent)).toEqual([true, true, true, true])
  // One bitmap for these words, and one for the letters that long words begin with.
  expect(contents.words?.bitmapCount).toBe(2)
})

test('the highest and the lowest numbers are listed apart from the others', () => {
  const table = sealedTable(manyKinds(3000))
  const segment = present(table.view.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const cache = new BlockCache(1 << 30)
  const tops = present(opened(table, sourceOf(file), summary, cache).columns.get('duration_ms')?.tops)
  const { highest } = tops
  expect(highest.numbers[0]).toBe(Math.round(2999 * 1.7 * 1000) / 1000)
  // Three blocks: the contents, and rows and numbers of the list. The second list is read when it is requested.
  expect([highest, cache.counts.blocks]).toEqual([segment.columns.get('duration_ms')?.tops?.highest, 3])
  expect([tops.lowest, cache.counts.blocks]).toEqual([segment.columns.get('duration_ms')?.tops?.lowest, 5])
})

test('the first rows by a number are found without the numbers of all rows', async () => {
  const table = sealedTable(manyKinds(3000))
  const cache = new BlockCache(1 << 30)
  const disk = onDisk(table, cache)
  const stored = disk.segments.all[0]?.columns.get('odd')
  const { counts } = cache
  expect(await rowCounter(disk)('* | sort by (odd desc) | limit 3 | fields odd')).toBe(3)
  const { blocks } = counts
  expect(present(stored).column).toHaveProperty('values')
  // Three rows lie in at most three pieces. Reading all numbers takes one more block.
  expect([blocks < 12, counts.blocks]).toEqual([true, blocks + 1])
})

/** Returns the segment, and the offsets at which its file is read. */
function watched(table: MemoryTable, file: Buffer, summary: RowGroupEntry) {
  const requests: number[] = []
  const source = sourceOf(file)
  const noted = {
    ...source,
    crc: summary.crc,
    read: (into: Uint8Array, at: number) => {
      requests.push(at)
      return source.read(into, at)
    },
  }
  return { requests, read: opened(table, noted, summary, new BlockCache(1 << 30)) }
}

describe('rows of words', () => {
  const ROWS = 6000
  const texts = {
    'that lie anywhere': (row: number) =>
      `w${(row * 7919) % 131} x${(row * 104_729) % 17} y${row % 5} n${(Math.imul(row, 0x9e3779b1) >>> 0).toString(16)}`,
    'that lie close together': (row: number) =>
      `w${Math.floor(row / 40)} x${Math.floor(row / 300)} y${Math.floor(row / 1000)} n${row}`,
  }

  test.each(Object.entries(texts))('%s', (_, textOf) => {
    const rows = Array.from({ length: ROWS }, (_, row) => [BigInt(row), [['content', textOf(row)] as const]] as const)
    const table = sealedTable(rows)
    const segment = present(table.view.snapshot()[0])
    const { file, summary } = fileOf(table, segment)
    const all = [...new Set(rows.flatMap((_, row) => wordsOf(textOf(row))))]
    const { words } = opened(table, sourceOf(file), summary)
    for (const word of all) {
      const [expected] = present(segment.words).find(encodeText(word), false)
      const [found] = present(words).find(encodeText(word), false)
      expect([found?.count, found?.isFrequent]).toEqual([expected?.count, expected?.isFrequent])
      const rowsIn = (index: WordIndex | undefined, each: FoundWord | undefined): unknown =>
        each?.isFrequent === true ? index?.bitmapOf(each) : each && index?.rowsOf(each)
      expect(rowsIn(words, found)).toEqual(rowsIn(segment.words, expected))
    }
  })
})

describe('the file of many words', () => {
  const table = sealedTable(manyKinds(20_000))
  const { file, summary } = fileOf(table, present(table.view.snapshot()[0]), pieceSizes)

  test('finds a word with one request each for its contents and a group of words', () => {
    const { requests, read } = watched(table, file, summary)
    const words = present(read.words)
    const word = encodeText('request')
    expect(words.find(word, false)).toHaveLength(1)
    expect(requests).toHaveLength(2)
    // The group that was read answers further lookups.
    expect([words.has(word, false), words.find(encodeText('requesu'), false)]).toEqual([true, []])
    expect(words.templates?.isLeftOut(word) ?? false).toBe(false)
    expect(requests).toHaveLength(2)
  })
})

const words = [...new Set(wordsOf('request user1 user took 299 xxx wide absent zz wide ä2499 ä'))]

describe.each([1, 7, 3000])('the file of %d rows', (count) => {
  const table = sealedTable(manyKinds(count))
  const segment = present(table.view.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const expected = allOf(segment, words)

  test.each([0, 64 * 1024, 64 * 1024 * 1024])('gives all that is in memory, with a cache of %d bytes', (bytes) => {
    const cache = new BlockCache(bytes)
    const read = opened(table, sourceOf(file), summary, cache)
    expect(allOf(read, words)).toEqual(expected)
    expect(allOf(read, words)).toEqual(expected)
    expect(file.length).toBe(summary.bytes)
  })

  test('tells rows at whole times without reading times', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    const marks = present(read.timeMarks)
    for (let mark = 0; mark < marks.rows.length; mark++) {
      const delta = marks.firstDelta + mark * marks.unitNs
      expect([mark, rowAtTime(read, { epoch: read.epoch, delta })]).toEqual([mark, lowerBound(segment.deltas, delta)])
    }
    // Two blocks: the contents and the marks.
    expect(cache.counts.blocks).toBe(2)
  })

  test('is read with one request for its contents, bounds and counts where its checksum is known', () => {
    const { requests, read } = watched(table, file, summary)
    const level = present(read.columns.get('level'))
    expect(level.counts).toEqual(segment.columns.get('level')?.counts)
    expect(read.timeMarks).toBeDefined()
    expect(requests).toHaveLength(1)
  })

  test('is read only as far as is asked for', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    expect([read.rowCount, read.firstDelta, cache.counts.blocks]).toEqual([count, segment.firstDelta, 0])
    read.words?.has(Buffer.from('absent'), false)
    // Three blocks: the contents, the first words of all groups, and one group.
    expect(cache.counts.blocks).toBe(3)
  })
})
