import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BatchPacker } from '../../../src/store/durable/batch-packer.ts'

const lines = (count: number, from: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => `{"level":"info","n":${from + i * 7919}}\n`).join(''))

const unpacked = (pieces: readonly Uint8Array[] | undefined): Buffer =>
  zstdDecompressSync(Buffer.concat(pieces ?? [Buffer.from('as it is')]))

test('each payload is a frame of its own, wherever the one before ended in the memory that both are packed in', async () => {
  const packer = new BatchPacker()
  // Random bytes are incompressible, so frames end before, at and after the end of the output buffer of one megabyte.
  const sizes = [700_000, 400_000, 1_048_576, 65_536, 3_000_000, 65_537]
  for (const payload of [...sizes.map((size) => randomBytes(size)), lines(40_000, 1), lines(4000, 2)]) {
    const pieces = await packer.pack(payload)
    expect(unpacked(pieces).equals(payload)).toBe(true)
  }
  packer.end()
})

test('payloads that are packed at the same time do not mix', async () => {
  const packer = new BatchPacker()
  for (let round = 0; round < 3; round++) {
    const payloads = Array.from({ length: 7 }, (_, i) => lines(5000 + i * 900, round * 100 + i))
    const packed = await Promise.all(payloads.map((payload) => packer.pack(payload)))
    for (const [i, payload] of payloads.entries()) expect(unpacked(packed[i]).equals(payload)).toBe(true)
  }
  packer.end()
})

test('short payloads are packed at once, and very short ones not at all', async () => {
  const packer = new BatchPacker()
  const short = lines(200, 3)
  expect(unpacked(await packer.pack(short)).equals(short)).toBe(true)
  expect(await packer.pack(lines(3, 4))).toBeUndefined()
})
