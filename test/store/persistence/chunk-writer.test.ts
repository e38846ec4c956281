import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { ChunkWriter } from '../../../src/store/persistence/chunk-writer.ts'

const MIB = 2 ** 20

test.each([true, false])('pieces are all that was added, whatever becomes of it afterwards (kept: %s)', (areKept) => {
  const random = seededRandom(3)
  const taken: Uint8Array[] = []
  const pieces = new ChunkWriter((piece) => taken.push(areKept ? piece : piece.slice()), areKept)
  const added: Uint8Array[] = []
  const part = new Uint8Array(3 * MIB)
  for (const bytes of [0, 1, MIB - 1, 1, MIB, MIB + 1, 17, 3 * MIB, 5, 300_000, 300_000, 300_000, 300_000]) {
    part.fill(random.below(256), 0, bytes)
    added.push(part.slice(0, bytes))
    pieces.add(part.subarray(0, bytes))
    part.fill(0)
  }
  pieces.flush()
  pieces.flush()
  expect(Buffer.concat(taken).equals(Buffer.concat(added))).toBe(true)
  expect(taken.every(({ length }) => length > 0)).toBe(true)
  expect(taken.length).toBeLessThan(added.length)
  if (areKept) expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(taken.length)
})
