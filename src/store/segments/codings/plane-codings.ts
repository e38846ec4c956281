import { bytesOf } from './elements.ts'

/** Returns the first bytes of all elements, then all second bytes, and so on. Writes to `planes` if given. */
export function toPlanes(
  bytes: Uint8Array,
  width: number,
  planes: Uint8Array = new Uint8Array(bytes.length),
): Uint8Array {
  const count = bytes.length / width
  for (let plane = 0; plane < width; plane++)
    for (let i = 0, from = plane, to = plane * count; i < count; i++, from += width, to++) planes[to] = bytes[from]
  return planes
}

export function fromPlanes(planes: Uint8Array, width: number, target: Uint8Array): void {
  const count = target.length / width
  for (let plane = 0; plane < width; plane++)
    for (let i = 0, to = plane, from = plane * count; i < count; i++, to += width, from++) target[to] = planes[from]
}

/**
 * Encodes differences to the previous element. They are folded, so that small ones of either sign become small numbers.
 */
export function toDeltas(array: Uint16Array | Uint32Array | Int32Array): Uint8Array {
  const is16 = array instanceof Uint16Array
  const out = is16 ? new Uint16Array(array.length) : new Uint32Array(array.length)
  let before = 0
  for (let i = 0; i < array.length; i++) {
    const value = array[i]
    const difference = is16 ? ((value - before) << 16) >> 16 : (value - before) | 0
    out[i] = (difference << 1) ^ (difference >> 31)
    before = value
  }
  return toPlanes(bytesOf(out), out.BYTES_PER_ELEMENT)
}

export function fromDeltas(array: Uint16Array | Uint32Array | Int32Array): void {
  let before = 0
  for (let i = 0; i < array.length; i++) {
    const folded = array[i]
    before += (folded >>> 1) ^ -(folded & 1)
    array[i] = before
    before = array[i]
  }
}
