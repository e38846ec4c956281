import { describe, expect, test } from 'vitest'
import { Bytes, seededRandom } from '../../../src/base/index.ts'
import { BlockWriter } from '../../../src/store/segments/block-writer.ts'
import { ROW_GROUP_MAGIC, PART_VERSION } from '../../../src/store/segments/layout.ts'
import { SHORT_TEXT_BLOCK_BYTES, TEXT_BLOCK_BYTES } from '../../../src/store/segments/texts.ts'

const ROWS = 20_000
const random = seededRandom(3)
const hex = (digits: number): string => Array.from({ length: digits }, () => random.below(16).toString(16)).join('')

/** Returns the number of string bytes in each block. */
function blocksOf(texts: readonly string[]): readonly number[] {
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + text.length
  const writer = new BlockWriter(() => undefined, ROW_GROUP_MAGIC, PART_VERSION)
  const { firstRows } = writer.texts(Bytes.from(Buffer.from(texts.join(''))), offsets)
  expect(writer.blocks).toHaveLength(firstRows.length)
  return firstRows.map((row, i) => (offsets[firstRows[i + 1] ?? texts.length] ?? 0) - (offsets[row] ?? 0))
}

describe('texts of a segment file', () => {
  test('that have nothing in common lie in short blocks, from the second on', () => {
    const [first = 0, ...others] = blocksOf(Array.from({ length: ROWS }, () => hex(32)))
    expect(first).toBeGreaterThan(TEXT_BLOCK_BYTES - 64)
    expect(others.length).toBeGreaterThan(10)
    for (const bytes of others) expect(bytes).toBeLessThanOrEqual(SHORT_TEXT_BLOCK_BYTES)
  })

  test('that repeat each other lie in long ones', () => {
    const words = Array.from({ length: 3000 }, () => hex(9))
    const line = (): string => Array.from({ length: 6 }, () => words[random.below(words.length)]).join(' ')
    const blocks = blocksOf(Array.from({ length: ROWS }, line))
    for (const bytes of blocks.slice(0, -1)) expect(bytes).toBeGreaterThan(TEXT_BLOCK_BYTES - 128)
  })

  test('that fit into one block are in one', () => {
    expect(blocksOf(Array.from({ length: 100 }, () => hex(32)))).toEqual([3200])
    expect(blocksOf([])).toEqual([])
  })
})
