import snappy from 'snappyjs'

/** Returns a little-endian number of `count` bytes. Bytes after the end of the body count as 0. */
function numberAt(body: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = 0; i < count; i++) value += (body[at + i] ?? 0) * 2 ** (8 * i)
  return value
}

/**
 * Checks the elements of a compressed block, beginning at `from`. Throws an Error unless they decompress to exactly
 * `announced` bytes.
 */
function checkElements(body: Uint8Array, from: number, announced: number): void {
  let at = from
  let length = 0
  while (at < body.length) {
    const tag = body[at++] ?? 0
    const kind = tag & 3
    const short = tag >> 2
    // Number of bytes after the tag that hold the length of a literal or the offset of a copy.
    const more = kind === 0 ? Math.max(0, short - 59) : kind === 3 ? 4 : kind
    const number = more === 0 ? short : numberAt(body, at, more)
    at += more
    if (kind === 0) {
      at += number + 1
      length += number + 1
      continue
    }
    const offset = kind === 1 ? number + (tag >> 5) * 256 : number
    if (offset === 0 || offset > length) throw new Error('it refers to bytes that are not there')
    length += kind === 1 ? (short & 7) + 4 : short + 1
  }
  if (at !== body.length || length !== announced) throw new Error('it is cut short or too long')
}

/**
 * Returns the content of a Snappy block. The elements are checked first, because the package accepts blocks that are
 * shorter or longer than their announced length. Throws an Error that says what is wrong.
 */
export function unpackSnappy(body: Uint8Array, limitBytes: number): Uint8Array {
  let announced = 0
  let at = 0
  for (; ; at++) {
    const byte = body[at]
    if (byte === undefined || at > 4) throw new Error('its length cannot be read')
    announced += (byte & 127) * 2 ** (7 * at)
    if (byte < 128) break
  }
  if (announced > limitBytes) throw new Error(`it unpacks to more than ${limitBytes} bytes`)
  checkElements(body, at + 1, announced)
  return snappy.uncompress(body, limitBytes)
}

/** Compresses bytes to a Snappy block. */
export function packSnappy(bytes: Uint8Array): Uint8Array {
  return snappy.compress(bytes)
}
