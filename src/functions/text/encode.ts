import { work, checkpoint } from '../../base/index.ts'
import { parseCanonicalInteger } from '../../data/index.ts'

const encoder = new TextEncoder()

/** Characters or bytes that are changed at once: threes of them make whole groups of base64, fours are read from them. */
const PIECE = 3 * 4096

/** Tenths of microseconds that a character takes, roughly. */
const WORK_PER_CHAR = 1 / 4

/** Whether a text can be cut before a place without cutting a character in two. */
function isBetweenCharacters(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit < 0xdc00 || unit > 0xdfff
}

/**
 * A long text from its pieces, each put together before the next: nothing of the size of the whole stands beside it. A piece ends
 * at the first place behind its size where the text can be cut.
 */
function inPieces(
  length: number,
  write: (from: number, to: number) => string,
  canCutAt: (at: number) => boolean = () => true,
): string {
  if (length <= PIECE) return write(0, length)
  const pieces: string[] = []
  for (let from = 0; from < length;) {
    let to = Math.min(length, from + PIECE)
    while (to < length && !canCutAt(to)) to++
    work((to - from) * WORK_PER_CHAR)
    pieces.push(write(from, to))
    from = to
    checkpoint()
  }
  return pieces.join('')
}

/** A change that makes of two texts behind each other what it makes of them alone. */
export function eachPiece(text: string, change: (piece: string) => string): string {
  return inPieces(
    text.length,
    (from, to) => change(text.slice(from, to)),
    (at) => isBetweenCharacters(text, at),
  )
}

/** The text of UTF-8 bytes that are made piece by piece. */
function decodedInPieces(length: number, bytesOf: (from: number, to: number) => Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  return inPieces(length, (from, to) => decoder.decode(bytesOf(from, to), { stream: to < length }))
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase())

/** As in a query string: letters, digits and `-_.~` stay, a blank is `+`. */
export function urlEncode(text: string): string {
  return eachPiece(text.toWellFormed(), (piece) =>
    encodeURIComponent(piece)
      .replaceAll('%20', '+')
      .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

/** Whether no escape, nor a character that takes several, is cut before a place; what is escaped wrongly is so on one side. */
function isBetweenEscapes(text: string, at: number): boolean {
  if (text[at - 1] === '%' || text[at - 2] === '%') return false
  return text[at] !== '%' || !/[89ab]/i.test(text.charAt(at + 1))
}

/** A text that is not encoded rightly stays as it is. */
export function urlDecode(text: string): string {
  try {
    return inPieces(
      text.length,
      (from, to) => decodeURIComponent(text.slice(from, to).replaceAll('+', ' ')),
      (at) => isBetweenEscapes(text, at),
    )
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** The bytes of the UTF-8 text as upper-case hexadecimal digits. */
export function hexEncode(text: string): string {
  const bytes = encoder.encode(text)
  return inPieces(bytes.length, (from, to) => {
    const pairs: string[] = []
    for (let i = from; i < to; i++) pairs.push(hexPairs[bytes[i] ?? 0] ?? '')
    return pairs.join('')
  })
}

export function hexDecode(text: string): string {
  if (text.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(text)) return text
  return decodedInPieces(text.length, (from, to) =>
    Uint8Array.from({ length: (to - from) / 2 }, (_, i) =>
      Number.parseInt(text.slice(from + 2 * i, from + 2 * i + 2), 16),
    ),
  )
}

/** An integer from 0 to 2^64-1 as 16 upper-case hexadecimal digits; any other text stays. */
export function hexNumEncode(text: string): string {
  const value = parseCanonicalInteger(text)
  return value !== undefined && value >= 0n && value < 2n ** 64n
    ? value.toString(16).toUpperCase().padStart(16, '0')
    : text
}

/** Up to 16 hexadecimal digits as a decimal integer, 0 for none; any other text stays. */
export function hexNumDecode(text: string): string {
  return /^[0-9a-fA-F]{0,16}$/.test(text) ? String(BigInt(`0x0${text}`)) : text
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function base64Encode(text: string): string {
  const bytes = encoder.encode(text)
  return inPieces(bytes.length, (from, to) => base64Of(bytes, from, to))
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
  const chars = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  return decodedInPieces(text.length, (from, to) => bytesOfBase64(text, from, Math.min(to, chars)))
}

function bytesOfBase64(text: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4))
  for (let i = from, at = 0; at < bytes.length; i += 4) {
    const group = [0, 1, 2, 3].reduce((sum, k) => (sum << 6) | Math.max(ALPHABET.indexOf(text[i + k] ?? '='), 0), 0)
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (group >> shift) & 255
  }
  return bytes
}
