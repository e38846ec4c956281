import { work } from '../../base/index.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Bytes that are written at a time: threes of them make whole groups of base64. */
const PIECE_BYTES = 3 * 4096

/** A long text from its pieces, each put together before the next: nothing of the size of the whole stands beside it. */
function inPieces(length: number, step: number, write: (from: number, to: number) => string): string {
  if (length <= step) return write(0, length)
  const pieces: string[] = []
  for (let from = 0; from < length; from += step) {
    // Roughly what a byte takes, in tenths of microseconds.
    work(step >>> 2)
    pieces.push(write(from, Math.min(length, from + step)))
  }
  return pieces.join('')
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase())

/** As in a query string: letters, digits and `-_.~` stay, a blank is `+`. */
export function urlEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A text that is not encoded rightly stays as it is. */
export function urlDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The bytes of the UTF-8 text as upper-case hexadecimal digits. */
export function hexEncode(text: string): string {
  const bytes = encoder.encode(text)
  return inPieces(bytes.length, PIECE_BYTES, (from, to) => {
    const pairs: string[] = []
    for (let i = from; i < to; i++) pairs.push(hexPairs[bytes[i] ?? 0] ?? '')
    return pairs.join('')
  })
}

export function hexDecode(text: string): string {
  if (text.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(text)) return text
  const bytes = Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  )
  return decoder.decode(bytes)
}

/** An integer from 0 to 2^64-1 as 16 upper-case hexadecimal digits; any other text stays. */
export function hexNumEncode(text: string): string {
  if (!/^\d{1,20}$/.test(text)) return text
  const value = BigInt(text)
  return value < 2n ** 64n ? value.toString(16).toUpperCase().padStart(16, '0') : text
}

/** Up to 16 hexadecimal digits as a decimal integer; any other text stays. */
export function hexNumDecode(text: string): string {
  return /^[0-9a-fA-F]{1,16}$/.test(text) ? String(BigInt(`0x${text}`)) : text
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function base64Encode(text: string): string {
  const bytes = encoder.encode(text)
  return inPieces(bytes.length, PIECE_BYTES, (from, to) => base64Of(bytes, from, to))
}

function base64Of(bytes: Uint8Array, from: number, to: number): string {
  const out: string[] = []
  for (let i = from; i < to; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    out.push(ALPHABET.charAt(group >> 18), ALPHABET.charAt((group >> 12) & 63))
    out.push(i + 1 < bytes.length ? ALPHABET.charAt((group >> 6) & 63) : '=')
    out.push(i + 2 < bytes.length ? ALPHABET.charAt(group & 63) : '=')
  }
  return out.join('')
}

/** A text that is not base64 with padding stays as it is. */
export function base64Decode(text: string): string {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return text
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  for (let i = 0, at = 0; i < text.length; i += 4) {
    const group = [0, 1, 2, 3].reduce((sum, k) => (sum << 6) | Math.max(ALPHABET.indexOf(text[i + k] ?? '='), 0), 0)
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (group >> shift) & 255
  }
  return decoder.decode(bytes)
}
