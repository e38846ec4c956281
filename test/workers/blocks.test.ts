import { describe, expect, test } from 'vitest'
import { BLOCK_BYTES, BlockPool, SharedBlockWriter, Slab, WholeBody } from '../../src/workers/index.ts'

function written(pool: BlockPool, ...pieces: readonly (string | Uint8Array)[]): WholeBody {
  const writer = new SharedBlockWriter(() => pool.take())
  for (const piece of pieces) writer.write(piece)
  return new WholeBody(writer.end())
}

function read(body: WholeBody): string {
  const bytes: Buffer[] = []
  for (let piece = body.next(); piece !== undefined; piece = body.next()) bytes.push(Buffer.from(piece.slice()))
  return Buffer.concat(bytes).toString()
}

describe('blocks', () => {
  test.each([
    ['nothing', ['']],
    ['a word', ['word']],
    ['texts one behind the other', ['a', 'ä', '€', '😀']],
    ['more than a block', ['x'.repeat(BLOCK_BYTES + 1)]],
    [
      'characters that would lie across the end of a block',
      ['x'.repeat(BLOCK_BYTES - 2), '😀'.repeat(BLOCK_BYTES / 2)],
    ],
    ['bytes among texts', ['a', new TextEncoder().encode('ü'.repeat(BLOCK_BYTES)), 'z']],
  ] as const)('hold %s', (_, pieces) => {
    const pool = new BlockPool()
    const expected = pieces
      .map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece)))
      .join('')
    const body = written(pool, ...pieces)
    expect(body.lengthBytes).toBe(Buffer.byteLength(expected))
    expect(read(body)).toBe(expected)
    expect(pool.usedBytes).toBe(0)
  })

  test('half a surrogate pair is written as everywhere else', () => {
    expect(read(written(new BlockPool(), 'a\ud83d'))).toBe('a\ufffd')
  })

  test('are let go of one by one, once each, and used again', () => {
    const pool = new BlockPool()
    const body = written(pool, 'x'.repeat(3 * BLOCK_BYTES))
    const other = written(pool, 'other')
    body.next()
    expect(pool.usedBytes).toBe(4 * BLOCK_BYTES)
    body.next()
    expect(pool.usedBytes).toBe(3 * BLOCK_BYTES)
    body.cancel()
    expect(pool.usedBytes).toBe(BLOCK_BYTES)
    const next = written(pool, 'y'.repeat(3 * BLOCK_BYTES))
    body.cancel()
    expect(body.next()).toBe(undefined)
    expect(pool.usedBytes).toBe(4 * BLOCK_BYTES)
    expect([read(other), read(next)]).toEqual(['other', 'y'.repeat(3 * BLOCK_BYTES)])
    expect(pool.usedBytes).toBe(0)
  })

  test('are freed from the other side of the memory', () => {
    const pool = new BlockPool()
    const slabs: Slab[] = []
    pool.onSlab = ({ id, counts, memory }) => slabs.push(new Slab(id, counts, memory))
    const block = pool.take()
    expect(pool.usedBytes).toBe(BLOCK_BYTES)
    slabs[block.slab.id]?.free(block.index)
    expect(pool.usedBytes).toBe(0)
  })

  test('memory that is not used is given back, but for some', () => {
    const pool = new BlockPool()
    const dropped: number[] = []
    pool.onDrop = ({ id }) => dropped.push(id)
    const blocks = Array.from({ length: 16 * 8 }, () => pool.take())
    pool.trim()
    expect(dropped).toEqual([])
    for (const block of blocks.slice(0, 16 * 7)) block.free()
    pool.trim()
    expect(dropped).toEqual([4, 5, 6])
    blocks.at(-1)?.free()
    expect(pool.take().slab.id).toBe(0)
  })
})
