import { Bytes, sharedMemory } from '../../base/index.ts'
import type { Codes } from '../../data/index.ts'

/** Allocates bytes that worker threads can read without copying. */
export function sharedBytes(length: number): Bytes {
  return Bytes.from(sharedMemory(length))
}

/** Wraps a plain array from another thread, without copying. */
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

/** Allocates the narrowest array type that can hold codes up to `max`. */
export function sharedCodes(length: number, max: number): Codes {
  return max < 0x100 ? sharedUint8(length) : max < 0x10000 ? sharedUint16(length) : sharedUint32(length)
}

/** Up to this many bytes, a loop copies faster than a call of a copy function. */
const FEW_BYTES = 48

/** Copies bytes `[start, end)` to position `at` of `target`, which must be long enough. */
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

/** Returns a longer copy with capacity for at least `length` items, and at least twice the capacity of `old`. */
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
