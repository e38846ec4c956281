import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { wordsOf } from '../../../src/data/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { allOf, fileOf, manyKinds, opened, sealedTable, sourceOf } from './read-all.ts'

const words = [...new Set(wordsOf('request user1 user took 299 xxx wide absent zz wide ä2499 ä'))]

describe.each([1, 7, 3000])('the file of %d rows', (count) => {
  const table = sealedTable(manyKinds(count))
  const segment = present(table.snapshot()[0])
  const { file, summary } = fileOf(table, segment)
  const expected = allOf(segment, words)

  test.each([0, 64 * 1024, 64 * 1024 * 1024])('gives all that is in memory, with a cache of %d bytes', (bytes) => {
    const cache = new BlockCache(bytes)
    const read = opened(table, sourceOf(file), summary, cache)
    expect(allOf(read, words)).toEqual(expected)
    expect(allOf(read, words)).toEqual(expected)
    expect(file.length).toBe(summary.bytes)
  })

  test('lets go of everything', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    allOf(read, words)
    expect(cache.heldBytes).toBeGreaterThan(0)
    read.drop()
    expect(cache.heldBytes).toBe(0)
    expect(allOf(read, words)).toEqual(expected)
  })

  test('is read only as far as is asked for', () => {
    const cache = new BlockCache(1 << 30)
    const read = opened(table, sourceOf(file), summary, cache)
    expect([read.rowCount, read.firstDelta, cache.counts.blocks]).toEqual([count, segment.firstDelta, 0])
    read.words?.has(Buffer.from('absent'), false)
    // Contents, and a page of the filter.
    expect(cache.counts.blocks).toBe(2)
  })
})
