/**
 * A byte array with those methods of Node's `Buffer` that the column store needs. On Node it is a `Buffer`, elsewhere
 * an instance of a subclass of `Uint8Array`.
 */
export interface Bytes extends Uint8Array {
  /** Copies the bytes `[sourceStart, sourceEnd)` to `target` at `targetStart` and returns their number. */
  copy(target: Uint8Array, targetStart?: number, sourceStart?: number, sourceEnd?: number): number
  /** Compares the bytes `[sourceStart, sourceEnd)` with those of `target`. */
  compare(
    target: Uint8Array,
    targetStart?: number,
    targetEnd?: number,
    sourceStart?: number,
    sourceEnd?: number,
  ): -1 | 0 | 1
  subarray(start?: number, end?: number): Bytes
}

interface BytesMaker {
  /** Encodes a string in UTF-8, or in Latin-1. */
  from(text: string, encoding?: 'latin1'): Bytes
  /** Copies an array. An `ArrayBuffer` is not copied: the result is a view of it. */
  from(source: ArrayBufferLike | ArrayLike<number>, byteOffset?: number, length?: number): Bytes
  alloc(length: number): Bytes
  /** Allocates bytes without clearing them: their content is undefined. */
  allocUnsafe(length: number): Bytes
  /** Allocates a separate `ArrayBuffer`, never part of a pool. Its content is undefined. */
  allocUnsafeSlow(length: number): Bytes
  concat(parts: readonly Uint8Array[]): Bytes
}

/** `Uint8Array` with a type that also accepts shared memory. */
const Array8 = Uint8Array as new (
  source: number | ArrayLike<number> | ArrayBufferLike,
  offset?: number,
  length?: number,
) => Uint8Array

/** Maximum number of arguments of one call; longer argument lists overflow the stack. */
const MAX_ARGUMENTS = 8192

/**
 * A decoder for Latin-1 in browsers, where `TextDecoder` only has windows-1252. The latter decodes some bytes from 0x80
 * on as characters beyond U+00FF. Created on first use, since Node needs none and may be built without it.
 */
let windows1252: { decode(bytes: Uint8Array): string } | undefined
const BEYOND_LATIN1 = /[^\0-\u00ff]/

const plainUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

class PlainBytes extends Array8 implements Bytes {
  /** Decodes Latin-1. A decoder is much faster than building the string from characters. */
  latin1Slice(start = 0, end = this.length): string {
    // TextDecoder rejects shared memory, so it gets a copy.
    windows1252 ??= new TextDecoder('windows-1252')
    const decoded = windows1252.decode(new Uint8Array(this.subarray(start, end)))
    if (!BEYOND_LATIN1.test(decoded)) return decoded
    let text = ''
    for (let at = start; at < end; at += MAX_ARGUMENTS)
      text += String.fromCharCode(...this.subarray(at, Math.min(end, at + MAX_ARGUMENTS)))
    return text
  }

  /** Decodes UTF-8; invalid bytes become U+FFFD. */
  utf8Slice(start = 0, end = this.length): string {
    return plainUtf8.decode(new Uint8Array(this.subarray(start, end)))
  }

  copy(target: Uint8Array, targetStart = 0, sourceStart = 0, sourceEnd = this.length): number {
    const end = Math.min(sourceEnd, sourceStart + target.length - targetStart)
    target.set(super.subarray(sourceStart, end), targetStart)
    return end - sourceStart
  }

  compare(
    target: Uint8Array,
    targetStart = 0,
    targetEnd = target.length,
    sourceStart = 0,
    sourceEnd = this.length,
  ): -1 | 0 | 1 {
    const common = Math.min(sourceEnd - sourceStart, targetEnd - targetStart)
    for (let i = 0; i < common; i++) {
      const difference = (this[sourceStart + i] ?? 0) - (target[targetStart + i] ?? 0)
      if (difference !== 0) return difference < 0 ? -1 : 1
    }
    const longer = sourceEnd - sourceStart - (targetEnd - targetStart)
    return longer < 0 ? -1 : longer > 0 ? 1 : 0
  }

  override subarray(start?: number, end?: number): PlainBytes {
    return super.subarray(start, end) as PlainBytes
  }
}

/** Implementation for browsers; exported for its tests only. */
export const plainBytes: BytesMaker = {
  from(source: string | ArrayBufferLike | ArrayLike<number>, second?: 'latin1' | number, length?: number) {
    if (typeof source === 'string') {
      if (second !== 'latin1') return new PlainBytes(new TextEncoder().encode(source))
      const bytes = new PlainBytes(source.length)
      for (let i = 0; i < source.length; i++) bytes[i] = source.charCodeAt(i)
      return bytes
    }
    if ('length' in source) return new PlainBytes(source)
    return new PlainBytes(source, Number(second ?? 0), length)
  },
  alloc: (length) => new PlainBytes(length),
  allocUnsafe: (length) => new PlainBytes(length),
  allocUnsafeSlow: (length) => new PlainBytes(length),
  concat(parts) {
    const whole = new PlainBytes(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  },
}

interface NodeGlobals {
  readonly Buffer?: BytesMaker
  readonly process?: { getBuiltinModule?(id: 'buffer'): { readonly isAscii: (bytes: Uint8Array) => boolean } }
}

const node = globalThis as unknown as NodeGlobals

export const Bytes: BytesMaker = node.Buffer ?? plainBytes

/** True if every byte is below 0x80. */
export const isAscii: (bytes: Uint8Array) => boolean =
  node.process?.getBuiltinModule?.('buffer').isAscii ?? ((bytes) => bytes.every((byte) => byte < 0x80))

/**
 * True if memory can be shared with other threads: always on Node, in a browser only on cross-origin isolated pages.
 */
export const canShareMemory = typeof SharedArrayBuffer !== 'undefined'

/** Copies `parts` one after another into `whole`, which must be large enough, and returns it. */
export function joinedInto<A extends Uint8Array>(whole: A, parts: readonly Uint8Array[]): A {
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

let isShared = canShareMemory

/** Allocates shared memory, or ordinary memory if the runtime has no shared memory. */
export function sharedMemory(length: number): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length)
}

/**
 * Runs `work` with a `sharedMemory` that returns ordinary memory. V8 frees ordinary memory soon after its last use; it
 * does not count shared memory as garbage, and frees it late.
 */
export function unshared<T>(work: () => T): T {
  const before = isShared
  isShared = false
  try {
    return work()
  } finally {
    isShared = before
  }
}
