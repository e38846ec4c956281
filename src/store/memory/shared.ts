import { Bytes, sharedMemory } from '../../base/index.ts'
import type { Codes } from '../../data/index.ts'

/** Buffers that worker threads can see without copies. */
export function sharedBytes(length: number): Bytes {
  return Bytes.from(sharedMemory(length))
}

/** Bytes that came from another thread as a plain array, over the same memory. */
export function bytesOf(array: Uint8Array): Bytes {
  return Bytes.from(array.buffer, array.byteOffset, array.length)
}

export function sharedUint8(length: number): Uint8Array {
  return new Uint8Array(sharedMemory(length))
}

export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(sharedMemory(length * 2))
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(sharedMemory(length * 4))
}

export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(sharedMemory(length * 8))
}

/** The narrowest array that holds codes up to `max`. */
export function sharedCodes(length: number, max: number): Codes {
  return max < 0x100 ? sharedUint8(length) : max < 0x10000 ? sharedUint16(length) : sharedUint32(length)
}

/** So few bytes are copied by a loop in less time than the call of a copy takes. */
const FEW_BYTES = 48

/** Bytes `[start, end)` to another place, into an array that has room for them and is not the same. */
export function copyBytes(source: Bytes, start: number, end: number, target: Bytes, at: number): void {
  if (end - start > FEW_BYTES) source.copy(target, at, start, end)
  else for (let from = start, to = at; from < end; from++, to++) target[to] = source[from]
}

function withContent<A extends { set(content: A): void }>(next: A, content: A): A {
  next.set(content)
  return next
}

function roomFor(old: { readonly length: number }, length: number): number {
  return Math.max(length, old.length * 2)
}

/** The same content with room for at least `length` items, at least twice as many as before. */
export function grownBytes(old: Bytes, length: number): Bytes {
  return withContent(sharedBytes(roomFor(old, length)), old)
}

export function grownUint32(old: Uint32Array, length: number): Uint32Array {
  return withContent(sharedUint32(roomFor(old, length)), old)
}

export function grownUint8(old: Uint8Array, length: number): Uint8Array {
  return withContent(sharedUint8(roomFor(old, length)), old)
}

export function grownFloat64(old: Float64Array, length: number): Float64Array {
  return withContent(sharedFloat64(roomFor(old, length)), old)
}
