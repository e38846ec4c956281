import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { joinedChecksum } from '../../../src/store/segments/joined-checksum.ts'

test('checksums of pieces give that of the whole', () => {
  const random = seededRandom(3)
  const bytes = Uint8Array.from({ length: 70_000 }, () => random.below(256))
  for (const at of [0, 1, 7, 4096, 65_536, 69_999, 70_000]) {
    const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)]
    expect(joinedChecksum(crc32(before), crc32(behind), behind.length)).toBe(crc32(bytes))
  }
})
