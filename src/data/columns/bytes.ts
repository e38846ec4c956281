import { Bytes } from '../../base/index.ts'
interface RawSlices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

/** Decodes one character per byte, which is correct for ASCII. It skips the argument checks of `Buffer.toString`. */
export function latin1(bytes: Bytes, start: number, end: number): string {
  return (bytes as unknown as RawSlices).latin1Slice(start, end)
}

export function utf8(bytes: Bytes, start: number, end: number): string {
  return (bytes as unknown as RawSlices).utf8Slice(start, end)
}

/** Decodes UTF-8. A lone surrogate is three bytes, as `encodeText` writes it. */
export function decodeText(bytes: Bytes, start: number, end: number): string {
  for (let i = start; i < end; i++) {
    if (bytes[i] >= 0x80) return decodeWide(bytes, start, end)
  }
  return latin1(bytes, start, end)
}

function decodeWide(bytes: Bytes, start: number, end: number): string {
  // The bytes 0xED 0xA0…0xBF start an encoded surrogate, which valid UTF-8 never contains.
  let from = start
  let text = ''
  for (let i = start; i + 2 < end; i++) {
    if (bytes[i] !== 0xed || bytes[i + 1] < 0xa0) continue
    text += utf8(bytes, from, i)
    text += String.fromCharCode(0xd000 | ((bytes[i + 1] & 0x3f) << 6) | (bytes[i + 2] & 0x3f))
    i += 2
    from = i + 1
  }
  return text + utf8(bytes, from, end)
}

/** Encodes a string as UTF-8. A lone surrogate becomes three bytes. */
export function encodeText(text: string): Bytes {
  if (text.isWellFormed()) return Bytes.from(text)
  const parts: Bytes[] = []
  for (const point of text) {
    const unit = point.charCodeAt(0)
    const isLone = point.length === 1 && unit >= 0xd800 && unit < 0xe000
    parts.push(
      isLone ? Bytes.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]) : Bytes.from(point),
    )
  }
  return Bytes.concat(parts)
}
