import { expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { packing } from '../../../src/store/segments/layout.ts'
import {
  PackingFault,
  packed,
  unpacked,
  unpackedTogether,
  type PackedPart,
} from '../../../src/store/segments/codings/packing.ts'

const random = seededRandom(5)

/** Returns bytes that compress to half their size, or not at all. */
function bytesOf(length: number, isRandom: boolean): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(isRandom ? 256 : 16)))
}

const plains = [0, 1, 300, 70_000, 5, 4000, 300_000, 400_000, 600_000, 20].flatMap((length) => [
  bytesOf(length, false),
  bytesOf(length, length === 5 || length === 4000),
])
const parts = plains.map((plain): PackedPart => {
  const { packing: kind, bytes } = packed(plain)
  return { stored: Buffer.from(bytes), packing: kind, length: plain.length }
})

test('parts that are unpacked together are what they are alone, whatever they are packed by', () => {
  expect(new Set(parts.map((part) => part.packing)).size).toBe(2)
  expect([...unpackedTogether(parts)].map((bytes) => bytes.toString('hex'))).toEqual(
    plains.map((plain) => plain.toString('hex')),
  )
  expect([...unpackedTogether([])]).toEqual([])
})

test('one that is damaged is refused, those before it are given, and others are unpacked together after that', () => {
  const kinds = parts.filter((part) => part.packing !== packing.none)
  for (const change of ['length', 'bytes'] as const) {
    const damaged = kinds.map((part, i) => {
      if (i !== 3) return part
      if (change === 'length') return { ...part, length: part.length + 1 }
      return { ...part, stored: part.stored.map((byte) => byte ^ 0xff) as Buffer }
    })
    const unpacking = unpackedTogether(damaged)
    for (const { stored, packing: kind, length } of kinds.slice(0, 3))
      expect(present(unpacking.next().value).equals(unpacked(stored, kind, length))).toBe(true)
    expect(() => unpacking.next()).toThrow(PackingFault)
    expect([...unpackedTogether(kinds)].map(({ length }) => length)).toEqual(kinds.map(({ length }) => length))
  }
})
