import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { BlockCache, SharedBlocks, fileKey } from '../../../src/store/segments/index.ts'
import { allOf, manyKinds, partOf, rowGroupsOf, sealedTable, sourceOf } from './read-all.ts'
import { checkedRounds, contentOf, readFrom } from './shared-blocks-worker.ts'

const MIB = 2 ** 20
const a = fileKey('/data/segments/default/logs-1.part')
const b = fileKey('/data/segments/default/logs-2.part')

test('a block that one thread has read is there for the others, and counted', () => {
  const first = new SharedBlocks(4 * MIB)
  const second = new SharedBlocks(first.memory)
  expect(readFrom(second, a, 1)).toBeUndefined()
  first.write(a, 1, contentOf(a, 1, 20_000))
  expect(readFrom(second, a, 1)).toEqual(contentOf(a, 1, 20_000))
  expect([second.has(a, 1), second.has(a, 2), second.has(b, 1)]).toEqual([true, false, false])
  expect([first.hits, second.hits, second.usedBytes]).toEqual([1, 1, 20_480])
})

test('blocks that were not read leave first, and memory is never more than was reserved', () => {
  const blocks = new SharedBlocks(4 * MIB)
  for (let block = 0; block < 200; block++) {
    blocks.write(a, block, contentOf(a, block, 100_000))
    expect(readFrom(blocks, a, 0)).toBeDefined()
  }
  expect(blocks.usedBytes).toBeLessThanOrEqual(4 * MIB)
  expect(blocks.usedBytes).toBeGreaterThan(3 * MIB)
  expect([blocks.has(a, 150), blocks.has(a, 199)]).toEqual([false, true])
})

test('the blocks of a file leave with it', () => {
  const blocks = new SharedBlocks(4 * MIB)
  for (const file of [a, b])
    for (let block = 0; block < 5; block++) blocks.write(file, block, contentOf(file, block, 8192))
  blocks.remove(a)
  for (let block = 0; block < 5; block++) expect([blocks.has(a, block), blocks.has(b, block)]).toEqual([false, true])
  expect(blocks.usedBytes).toBe(5 * 8192)
})

test('a thread that ended while it wrote stops others from writing until it is found out', () => {
  const blocks = new SharedBlocks(4 * MIB)
  blocks.write(a, 1, contentOf(a, 1, 8192))
  const deadThread = 4711
  new Int32Array(blocks.memory)[0] = deadThread + 1
  blocks.write(a, 2, contentOf(a, 2, 8192))
  expect([blocks.has(a, 1), blocks.has(a, 2)]).toEqual([true, false])
  blocks.lost(deadThread - 1)
  blocks.write(a, 2, contentOf(a, 2, 8192))
  expect(blocks.has(a, 2)).toBe(false)
  blocks.lost(deadThread)
  expect([blocks.has(a, 1), blocks.usedBytes]).toEqual([false, 0])
  blocks.write(a, 2, contentOf(a, 2, 8192))
  expect(readFrom(blocks, a, 2)).toEqual(contentOf(a, 2, 8192))
})

test('blocks of changing sizes are read as written', () => {
  expect(checkedRounds(new SharedBlocks(2 * MIB), 1, 5000)).toBeGreaterThan(1000)
})

test('blocks are read as written by several threads at once', { timeout: 120_000 }, async () => {
  const blocks = new SharedBlocks(2 * MIB)
  const found = await Promise.all(
    [1, 2, 3].map(
      (seed) =>
        new Promise<number>((resolve, reject) => {
          const workerData = { memory: blocks.memory, seed, rounds: 5000 }
          const worker = new Worker(new URL('shared-blocks-worker.ts', import.meta.url), { workerData })
          worker.on('message', resolve)
          worker.on('error', reject)
        }),
    ),
  )
  for (const count of found) expect(count).toBeGreaterThan(500)
})

test.each([16 * MIB, 256 * 1024])(
  'of a part that one thread has read another reads little, with %i bytes shared',
  (bytes) => {
    const table = sealedTable(manyKinds(6000))
    const { file, summary } = partOf(table, present(table.view.snapshot()[0]), { bits: 4096, packed: 4096 })
    const source = { ...sourceOf(file), key: a }
    const words = ['request', 'user7', 'ä49']
    const answerOf = (cache: BlockCache): unknown =>
      rowGroupsOf(table, source, summary, cache).map((segment) => allOf(segment, words))
    const expected = answerOf(new BlockCache(MIB))
    const shared = new SharedBlocks(bytes)
    const first = new BlockCache(MIB, shared)
    const second = new BlockCache(MIB, new SharedBlocks(shared.memory))
    expect(answerOf(first)).toEqual(expected)
    expect(answerOf(second)).toEqual(expected)
    expect(shared.hits).toBeGreaterThan(0)
    expect(second.counts.bytes).toBeLessThan(first.counts.bytes)
    // Cached blocks of one file are not used for another.
    const other = rowGroupsOf(table, { ...source, key: b }, summary, new BlockCache(MIB, shared))
    const hits = shared.hits
    expect(other.map((segment) => allOf(segment, words))).toEqual(expected)
    expect(shared.hits).toBe(hits)
  },
)
