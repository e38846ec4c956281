import { present } from '../../../base/index.ts'
import { bitsLength, fromBits, toBits } from './bit-codings.ts'
import { bytesOf, elementBytes, emptyArray, typeOf, type Elements } from './elements.ts'
import { headBytes, coding, packing, type ElementType } from '../layout.ts'
import {
  fromDecimals,
  fromNumberPlanes,
  fromStepBits,
  fromSteps,
  stepsOf,
  toDecimals,
  toStepBits,
  toSteps,
} from './number-codings.ts'
import { packed, type PackedBytes } from './packing.ts'
import { fromDeltas, fromPlanes, toDeltas, toPlanes } from './plane-codings.ts'

/** One possible encoding of an array. */
interface Way {
  readonly coding: number
  readonly bytes: () => Uint8Array
}

function* waysOf(array: Elements): Generator<Way> {
  if (array instanceof Float64Array) {
    const steps = stepsOf(array)
    const decimals = steps === undefined ? toDecimals(array) : undefined
    if (steps !== undefined) yield { coding: coding.steps, bytes: () => toSteps(steps) }
    else if (decimals !== undefined) yield { coding: coding.decimals, bytes: () => decimals }
    else yield { coding: coding.planes, bytes: () => toPlanes(bytesOf(array), 8) }
  } else if (array instanceof Uint8Array) yield { coding: coding.plain, bytes: () => array }
  else {
    yield { coding: coding.planes, bytes: () => toPlanes(bytesOf(array), array.BYTES_PER_ELEMENT) }
    yield { coding: coding.deltas, bytes: () => toDeltas(array) }
  }
}

/** Yields encodings that are used only if the caller names them. */
function* namedWays(array: Elements): Generator<Way> {
  if (!(array instanceof Uint8Array)) yield { coding: coding.plain, bytes: () => bytesOf(array) }
}

/** Returns the encoding as bits, which needs no decompression; `undefined` if the array cannot be encoded so. */
function wayByBits(array: Elements): Way | undefined {
  if (array instanceof Float64Array) {
    const steps = stepsOf(array)
    return steps && { coding: coding.stepBits, bytes: () => toStepBits(steps) }
  }
  return array instanceof Int32Array ? undefined : { coding: coding.bits, bytes: () => toBits(array) }
}

export interface StoredBytes extends PackedBytes {
  readonly coding: number
  readonly plainBytes: number
}

/**
 * Number of elements of a sample from the middle of a long array. The best encoding of the sample is used for the whole
 * array, so that the array is encoded only once.
 */
const SAMPLE_ELEMENTS = 4096

function bestCoding(array: Elements): number | undefined {
  if (array.length < SAMPLE_ELEMENTS * 4 || array instanceof Float64Array || array instanceof Uint8Array)
    return undefined
  const from = (array.length - SAMPLE_ELEMENTS) >>> 1
  return codedAndPacked(array.subarray(from, from + SAMPLE_ELEMENTS)).coding
}

/** Encodes an array with the encoding `named`, or with the one that takes the fewest bytes. */
export function codedAndPacked(array: Elements, named = bestCoding(array)): StoredBytes {
  let best: StoredBytes | undefined
  const all = named === undefined ? waysOf(array) : [...waysOf(array), ...namedWays(array)]
  for (const { coding: kind, bytes: made } of all) {
    if (named !== undefined && kind !== named) continue
    const bytes = made()
    const tried = packed(bytes)
    if (best === undefined || tried.bytes.length < best.bytes.length)
      best = { ...tried, coding: kind, plainBytes: bytes.length }
  }
  return present(best, 'a way to write an array')
}

/** Number of elements per piece of an array. */
export interface PieceSizes {
  /** For pieces encoded as bits, which need no decompression. */
  readonly bits: number
  /**
   * For compressed pieces. They are longer, since decompression has a fixed cost. Pieces of one-byte elements have
   * twice as many.
   */
  readonly packed: number
}

/** Smaller pieces compress worse and are hardly faster to decompress. */
export const pieceSizes: PieceSizes = { bits: 4096, packed: 8192 }

/**
 * Bits are used if they take at most this many bytes per element more than the compressed form, because reading single
 * rows from bits is much faster.
 */
const MOST_MORE_BYTES = 0.1

function byBits(array: Elements): StoredBytes | undefined {
  const way = wayByBits(array)
  const bytes = way?.bytes()
  return way && bytes && { packing: packing.none, bytes, coding: way.coding, plainBytes: bytes.length }
}

/**
 * Encodes an array in pieces. The best encoding for the piece in the middle is used for all pieces. Returns `undefined`
 * if the array is too short for two pieces.
 */
export function codedPieces(
  array: Elements,
  sizes: PieceSizes,
): { readonly elements: number; readonly pieces: Iterable<StoredBytes> } | undefined {
  const count = Math.min(sizes.bits, sizes.packed)
  if (array.length <= count) return undefined
  const middle = (array.length - count) >>> 1
  const sample = array.subarray(middle, middle + count)
  const inBits = byBits(sample)
  const best = codedAndPacked(sample)
  const spare = inBits?.coding === coding.bits ? count * MOST_MORE_BYTES : 0
  const isByBits = inBits !== undefined && inBits.bytes.length <= best.bytes.length + spare
  const elements = isByBits ? sizes.bits : array instanceof Uint8Array ? sizes.packed * 2 : sizes.packed
  if (array.length <= elements) return undefined
  const named = array instanceof Float64Array ? undefined : best.coding
  const coded = function* (): Generator<StoredBytes> {
    for (let from = 0; from < array.length; from += elements) {
      const piece = array.subarray(from, from + elements)
      yield (isByBits ? byBits(piece) : undefined) ?? codedAndPacked(piece, named)
    }
  }
  return { elements, pieces: coded() }
}

/** True if the number of bytes is right for `length` elements of a type, according to the head of the bytes. */
export function isLengthOf(bytes: Buffer, kind: number, type: ElementType, length: number): boolean {
  switch (kind) {
    case coding.plain:
    case coding.planes:
    case coding.deltas:
      return bytes.length === length * elementBytes[type]
    case coding.decimals:
    case coding.steps:
      return (
        bytes.length >= headBytes.numbers && bytes[1] <= 7 && bytes.length === headBytes.numbers + length * bytes[1]
      )
    case coding.bits:
      if (bytes.length < headBytes.bits || bytes[0] > elementBytes[type] * 8) return false
      return bytes.length === headBytes.bits + bitsLength(length, bytes[0])
    case coding.stepBits:
      if (bytes.length < headBytes.numbers || bytes[1] > 53) return false
      return bytes.length === headBytes.numbers + bitsLength(length, bytes[1])
    default:
      return false
  }
}

function decodeDoubles(bytes: Buffer, kind: number, target: Float64Array): boolean {
  if (kind === coding.decimals) fromDecimals(bytes, target)
  else if (kind === coding.steps) {
    fromNumberPlanes(bytes, target)
    fromSteps(bytes, target)
  } else if (kind === coding.stepBits) {
    fromStepBits(bytes, target)
  } else return false
  return true
}

function decodeIntegers(bytes: Buffer, kind: number, target: Exclude<Elements, Float64Array>): boolean {
  if (kind === coding.bits) {
    if (target instanceof Int32Array) return false
    fromBits(bytes, target)
  } else if (kind === coding.deltas && !(target instanceof Uint8Array)) {
    fromPlanes(bytes, target.BYTES_PER_ELEMENT, bytesOf(target))
    fromDeltas(target instanceof Int32Array ? new Uint32Array(target.buffer, target.byteOffset, target.length) : target)
  } else return false
  return true
}

/** Decodes bytes to `target`; returns false if the bytes do not have the type and length of `target`. */
export function decodeInto(bytes: Buffer, kind: number, target: Elements): boolean {
  if (!isLengthOf(bytes, kind, typeOf(target), target.length)) return false
  if (kind === coding.plain) bytesOf(target).set(bytes)
  else if (kind === coding.planes) fromPlanes(bytes, target.BYTES_PER_ELEMENT, bytesOf(target))
  else if (target instanceof Float64Array) return decodeDoubles(bytes, kind, target)
  else return decodeIntegers(bytes, kind, target)
  return true
}

/** Returns a decoded array; `undefined` if the bytes do not have this type and length. */
export function decodedArray(bytes: Buffer, kind: number, type: ElementType, length: number): Elements | undefined {
  if (!isLengthOf(bytes, kind, type, length)) return undefined
  const target = emptyArray(type, length)
  return decodeInto(bytes, kind, target) ? target : undefined
}
