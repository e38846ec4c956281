import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { toBits } from '../../../src/store/segments/codings/bit-codings.ts'
import { codedAndPacked, decodedArray } from '../../../src/store/segments/codings/codings.ts'
import { typeOf, type Elements } from '../../../src/store/segments/codings/elements.ts'
import { coding } from '../../../src/store/segments/layout.ts'
import { unpacked } from '../../../src/store/segments/codings/packing.ts'
import { pieceElements } from '../../../src/store/segments/codings/piece-elements.ts'

/** Expects that decoding a piece element by element gives the same as decoding it at once. */
function expectAlike(bytes: Buffer, kind: number, array: Elements): void {
  const type = typeOf(array)
  const elements = pieceElements(bytes, kind, type, array.length)
  const all = decodedArray(bytes, kind, type, array.length)
  // Decoded elements must not depend on the input buffer, which is reused.
  bytes.fill(0xa5)
  expect(Array.from(array, (_, place) => elements?.at(place))).toEqual(Array.from(all ?? []))
}

function expectWritten(array: Elements, kind: number): void {
  const { bytes, packing, plainBytes } = codedAndPacked(array, kind)
  const plain = Buffer.from(unpacked(Buffer.from(bytes), packing, plainBytes))
  expect(Array.from(decodedArray(plain, kind, typeOf(array), array.length) ?? [])).toEqual(Array.from(array))
  expectAlike(plain, kind, array)
}

const bitsOf = (least: number, width: number): fc.Arbitrary<number[]> =>
  fc.array(
    fc.integer({ min: 0, max: 2 ** width - 1 }).map((number) => Math.min(0xffffffff, number + least)),
    { minLength: 1, maxLength: 70 },
  )

describe('an element of a piece is what it is among all of them', () => {
  test.prop([fc.integer({ min: 0, max: 32 }).chain((width) => bitsOf(0, width)), fc.constantFrom(8, 16, 32)])(
    'by bits',
    (numbers, bits) => {
      const array = new { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }[bits as 8](numbers)
      expectAlike(Buffer.from(toBits(array)), coding.bits, array)
    },
  )

  test.prop([fc.integer({ min: 0, max: 25 }).chain((width) => bitsOf(0x7ffffff0, width))])(
    'by bits above a least one',
    (numbers) => {
      const array = Uint32Array.from(numbers)
      expectAlike(Buffer.from(toBits(array)), coding.bits, array)
    },
  )

  test.prop([bitsOf(0, 32)])('in planes and as differences, of every type of integers', (numbers) => {
    for (const array of [Uint8Array, Uint16Array, Uint32Array, Int32Array].map((type) => type.from(numbers)))
      for (const kind of [coding.plain, coding.planes, coding.deltas])
        if (!(array instanceof Uint8Array) || kind === coding.plain) expectWritten(array, kind)
  })

  test.prop([
    fc.array(fc.oneof(fc.integer({ min: -(10 ** 9), max: 10 ** 12 }), fc.constant(NaN)), { minLength: 1 }),
    fc.integer({ min: 0, max: 3 }),
  ])('as decimals', (numbers, digits) => {
    const array = Float64Array.from(numbers, (number) => number / 10 ** digits)
    // Arrays that are all NaN, or integers in ascending order, get a different coding.
    fc.pre(numbers.some((number, i) => i > 0 && number < (numbers[i - 1] ?? 0)) && !Object.is(array[0], -0))
    expectWritten(array, coding.decimals)
  })

  test.prop([fc.array(fc.double(), { minLength: 1 })])('as any doubles', (numbers) => {
    const { bytes, packing, plainBytes, coding: kind } = codedAndPacked(Float64Array.from(numbers))
    expectAlike(Buffer.from(unpacked(Buffer.from(bytes), packing, plainBytes)), kind, Float64Array.from(numbers))
  })

  test('bytes of another length are none', () => {
    const bytes = Buffer.from(toBits(Uint8Array.of(1, 2, 3)))
    expect(pieceElements(bytes, coding.bits, 'u8', 30)).toBeUndefined()
    expect(pieceElements(bytes, coding.decimals, 'f64', 3)).toBeUndefined()
    expect(pieceElements(bytes, coding.bits, 'i32', 3)).toBeUndefined()
  })
})
