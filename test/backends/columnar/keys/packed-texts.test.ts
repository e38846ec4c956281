import { expect, test } from 'vitest'
import { LANES, PackedTexts } from '../../../../src/backends/columnar/keys/packed-texts.ts'
import { Bytes, present } from '../../../../src/base/index.ts'
import { encodeText } from '../../../../src/data/index.ts'

const id = '4bf92f3577b34da6a3ce929d0e0e4736'
const uuid = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'
const texts = [
  '',
  'a',
  'checkout-api',
  'abcdef',
  'ünïcode',
  '\ud83d\ude00 and \ud83d alone',
  id,
  id.toUpperCase(),
  `${id.slice(0, 31)}g`,
  id.slice(0, 31),
  id.slice(0, 16),
  id.slice(0, 8),
  id.repeat(4),
  `${id.repeat(4)}00`,
  uuid,
  uuid.toUpperCase(),
  uuid.replace('-', '_'),
  `${uuid.slice(0, 35)}-`,
  `${'0'.repeat(34)}--`,
  '\0'.repeat(16),
  'x'.repeat(100_000),
]

/** All of them in one piece of memory, as a column has them. */
function joined(list: readonly string[]): { readonly bytes: Bytes; readonly ends: readonly number[] } {
  const parts = list.map((text) => encodeText(text))
  let length = 0
  return { bytes: Bytes.concat(parts), ends: parts.map((part) => (length += part.length)) }
}

test('texts come out as they went in, and are found by their places alone', () => {
  const packed = new PackedTexts()
  const { bytes, ends } = joined(texts)
  const take = (i: number, lane: number): void => packed.take(bytes, ends[i - 1] ?? 0, present(ends[i]), lane)
  const places = texts.map((_, i) => {
    take(i, i)
    return packed.put(i)
  })
  for (const [i, place] of places.entries()) {
    expect(packed.textAt(place)).toBe(texts[i])
    expect(packed.byteLengthAt(place)).toBe(encodeText(present(texts[i])).length)
    // All lanes are still what was put into them.
    expect(places.map((other) => packed.isAt(other, i))).toEqual(places.map((_, other) => other === i))
    expect(packed.hashAt(place)).toBe(packed.hashes[i])
    // In another lane, too.
    take(i, LANES - 1)
    expect(packed.hashes[LANES - 1]).toBe(packed.hashes[i])
  }
})

test('an id of 32 digits takes 18 bytes, a UUID as many', () => {
  const packed = new PackedTexts()
  const { bytes, ends } = joined([id, uuid, 'end'])
  const places = ends.map((end, i) => {
    packed.take(bytes, ends[i - 1] ?? 0, end, 0)
    return packed.put(0)
  })
  // A place is two bytes.
  expect(places).toEqual([0, 9, 18])
})

test('memory grows with what is put', () => {
  const packed = new PackedTexts()
  const text = encodeText('y'.repeat(3_000_000))
  packed.take(text, 0, text.length, 0)
  const place = packed.put(0)
  expect(packed.memoryBytes).toBeGreaterThan(text.length)
  expect(packed.isAt(place, 0)).toBe(true)
})
