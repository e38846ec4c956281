import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { decodeRun, encodeRun, runBytes } from '../../../src/store/segments/words/row-runs.ts'

function encoded(rows: readonly number[], rowCount: number): Buffer {
  // The bytes before and after the run must not change.
  const bytes = Buffer.alloc(1 + runBytes(rows.length, rowCount) + 1, 0)
  bytes[0] = 0xff
  bytes[bytes.length - 1] = 0xff
  encodeRun(Uint16Array.from(rows), rowCount, bytes, 1)
  expect([bytes[0], bytes.at(-1)]).toEqual([0xff, 0xff])
  return bytes
}

describe('the rows of a word as a run of bytes', () => {
  test('are two bytes each, or lowest bits and where the highest are', () => {
    expect(encoded([258], 65_536).subarray(1, -1)).toEqual(Buffer.from([2, 1]))
    // Seven of 64 rows. First the three low bits of each row, then one bit per row at the position of its high part
    // plus its index: 0 + 0, 0 + 1, 1 + 2, 2 + 3, 4 + 4, 7 + 5 and 7 + 6.
    const low = [1, 2, 3, 4, 5, 6, 7].reduce((sum, bits, i) => sum + bits * 2 ** (3 * i), 0)
    const high = [0, 1, 3, 5, 8, 12, 13].reduce((sum, bit) => sum + 2 ** bit, 0)
    const expected = Buffer.alloc(5)
    expected.writeUIntLE(low, 0, 3)
    expected.writeUInt16LE(high, 3)
    expect(encoded([1, 2, 11, 20, 37, 62, 63], 64).subarray(1, -1)).toEqual(expected)
  })

  test.each([1, 2, 17, 64, 1000, 4097, 65_536])('of %d rows are as they were written', (rowCount) => {
    const random = seededRandom(rowCount)
    for (const share of [0, 0.001, 0.01, 0.1, 0.5, 1])
      for (let round = 0; round < 4; round++) {
        const first = Math.floor(random.next() * rowCount)
        // Draw scattered rows, or adjacent ones.
        const some = Array.from({ length: rowCount }, (_, row) => row).filter((row) =>
          round < 2 ? random.next() < share || row === first : Math.abs(row - first) <= share * rowCount,
        )
        const bytes = encoded(some, rowCount)
        const read = decodeRun(bytes, 1, some.length, rowCount)
        expect(read).toEqual(Uint16Array.from(some))
        expect(bytes.length - 2).toBeLessThanOrEqual(some.length * 2)
      }
  })

  test('are not taken from bytes that have other rows', () => {
    const rows = Array.from({ length: 100 }, (_, i) => i * 600)
    const bytes = encoded(rows, 60_000)
    expect(decodeRun(bytes, 1, 100, 60_000)).toEqual(Uint16Array.from(rows))
    const more = Buffer.from(bytes).fill(0xff, bytes.length - 4)
    const fewer = Buffer.from(bytes).fill(0, bytes.length - 8)
    expect([decodeRun(more, 1, 100, 60_000), decodeRun(fewer, 1, 100, 60_000)]).toEqual([undefined, undefined])
    expect(decodeRun(Buffer.from([0xff, 0xff]), 0, 1, 60_000)).toBeUndefined()
  })
})
