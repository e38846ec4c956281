/**
 * Bytes with the methods of Node's `Buffer` that the column store needs. On Node they are buffers, elsewhere instances
 * of a subclass of `Uint8Array`.
 */
export interface Bytes extends Uint8Array {
  /** Copies `[sourceStart, sourceEnd)` to `target` from `targetStart` on and returns the number of bytes. */
  copy(target: Uint8Array, targetStart?: number, sourceStart?: number, sourceEnd?: number): number
  /** Compares these bytes `[sourceStart, sourceEnd)` with those of `target`. */
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
  /** Encodes a text in UTF-8, or in Latin-1. */
  from(text: string, encoding?: 'latin1'): Bytes
  /** Copies the items of an array; a buffer is shared, not copied. */
  from(source: ArrayBufferLike | ArrayLike<number>, byteOffset?: number, length?: number): Bytes
  alloc(length: number): Bytes
  /** Allocates without clearing. */
  allocUnsafe(length: number): Bytes
  /** Allocates an `ArrayBuffer` of its own, without clearing. */
  allocUnsafeSlow(length: number): Bytes
  concat(parts: readonly Uint8Array[]): Bytes
}

/** The constructor with all its forms, over memory of either kind. */
const Array8 = Uint8Array as new (
  source: number | ArrayLike<number> | ArrayBufferLike,
  offset?: number,
  length?: number,
) => Uint8Array

/** Longer argument lists overflow the stack. */
const MAX_ARGUMENTS = 8192

/**
 * The decoder of Latin-1 in browsers, which reads some bytes from 0x80 on as characters beyond U+00FF. Made on first use:
 * Node needs none, and may be built without it.
 */
let windows1252: { decode(bytes: Uint8Array): string } | undefined
const BEYOND_LATIN1 = /[^\0-\u00ff]/

const plainUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

class PlainBytes extends Array8 implements Bytes {
  /** Decodes Latin-1. The decoder is ten times faster than a list of characters. */
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

/** Exported for its tests; on Node its own buffers are used. */
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

/** Whether every byte is below 0x80. */
export const isAscii: (bytes: Uint8Array) => boolean =
  node.process?.getBuiltinModule?.('buffer').isAscii ?? ((bytes) => bytes.every((byte) => byte < 0x80))

/**
 * Whether memory can be shared with other threads: always on Node, in a browser only on cross-origin isolated pages.
 */
export const canShareMemory = typeof SharedArrayBuffer !== 'undefined'

/** Concatenates parts into memory that is large enough, and returns it. */
export function joinedInto<A extends Uint8Array>(whole: A, parts: readonly Uint8Array[]): A {
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

let isShared = canShareMemory

/** Allocates shared memory where the runtime supports it. */
export function sharedMemory(length: number): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length)
}

/**
 * Runs `work` with a `sharedMemory` that returns unshared memory. V8 frees it soon after its last use; shared memory,
 * which it does not count, is freed late.
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
