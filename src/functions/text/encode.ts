import { work, checkpoint } from '../../base/index.ts'
import { parseCanonicalInteger } from '../../data/index.ts'

const encoder = new TextEncoder()

/**
 * Number of characters or bytes that are converted in one step. A multiple of 3 and 4, so that base64 groups are not
 * split.
 */
const PIECE = 3 * 4096

/** Approximate cost of converting one character, in units of `work`. */
const WORK_PER_CHAR = 1 / 4

/** True if an index does not split a surrogate pair. */
function isBetweenCharacters(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit < 0xdc00 || unit > 0xdfff
}

/**
 * Converts a long string in chunks, so that only the result needs memory of full size. A chunk ends at the first
 * allowed position at or after its nominal size.
 */
function inChunks(
  length: number,
  write: (from: number, to: number) => string,
  canCutAt: (at: number) => boolean = () => true,
): string {
  if (length <= PIECE) return write(0, length)
  const chunks: string[] = []
  for (let from = 0; from < length;) {
    let to = Math.min(length, from + PIECE)
    while (to < length && !canCutAt(to)) to++
    work((to - from) * WORK_PER_CHAR)
    chunks.push(write(from, to))
    from = to
    checkpoint()
  }
  return chunks.join('')
}

/** Converts a string in chunks. `change` must give the same result for a string as for its parts. */
export function eachChunk(text: string, change: (chunk: string) => string): string {
  return inChunks(
    text.length,
    (from, to) => change(text.slice(from, to)),
    (at) => isBetweenCharacters(text, at),
  )
}

/** Decodes UTF-8 bytes that are produced in chunks. */
function decodedInChunks(length: number, bytesOf: (from: number, to: number) => Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  return inChunks(length, (from, to) => decoder.decode(bytesOf(from, to), { stream: to < length }))
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase())

/** Encodes a string for a URL query: letters, digits and `-_.~` stay unchanged, and a blank becomes `+`. */
export function urlEncode(text: string): string {
  return eachChunk(text.toWellFormed(), (chunk) =>
    encodeURIComponent(chunk)
      .replaceAll('%20', '+')
      .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
  )
}

/** True if an index splits neither an escape nor a multi-byte character. */
function isBetweenEscapes(text: string, at: number): boolean {
  if (text[at - 1] === '%' || text[at - 2] === '%') return false
  return text[at] !== '%' || !/[89ab]/i.test(text.charAt(at + 1))
}

/** Decodes a URL-encoded string. Returns a string with an invalid encoding unchanged. */
export function urlDecode(text: string): string {
  try {
    return inChunks(
      text.length,
      (from, to) => decodeURIComponent(text.slice(from, to).replaceAll('+', ' ')),
      (at) => isBetweenEscapes(text, at),
    )
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Returns the UTF-8 bytes of a string as upper-case hex digits. */
export function hexEncode(text: string): string {
  const bytes = encoder.encode(text)
  return inChunks(bytes.length, (from, to) => {
    const pairs: string[] = []
    for (let i = from; i < to; i++) pairs.push(hexPairs[bytes[i] ?? 0] ?? '')
    return pairs.join('')
  })
}

export function hexDecode(text: string): string {
  if (text.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(text)) return text
  return decodedInChunks(text.length, (from, to) =>
    Uint8Array.from({ length: (to - from) / 2 }, (_, i) =>
      Number.parseInt(text.slice(from + 2 * i, from + 2 * i + 2), 16),
    ),
  )
}

/** Formats an integer from 0 to 2^64-1 as 16 upper-case hex digits. Returns other strings unchanged. */
export function hexNumEncode(text: string): string {
  const value = parseCanonicalInteger(text)
  return value !== undefined && value >= 0n && value < 2n ** 64n
    ? value.toString(16).toUpperCase().padStart(16, '0')
    : text
}

/** Converts up to 16 hex digits to a decimal integer; an empty string gives `0`. Returns other strings unchanged. */
export function hexNumDecode(text: string): string {
  return /^[0-9a-fA-F]{0,16}$/.test(text) ? String(BigInt(`0x0${text}`)) : text
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function base64Encode(text: string): string {
  const bytes = encoder.encode(text)
  return inChunks(bytes.length, (from, to) => base64Of(bytes, from, to))
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

/** Decodes padded base64. Returns other strings unchanged. */
export function base64Decode(text: string): string {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return text
  const chars = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  return decodedInChunks(text.length, (from, to) => bytesOfBase64(text, from, Math.min(to, chars)))
}

function bytesOfBase64(text: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4))
  for (let i = from, at = 0; at < bytes.length; i += 4) {
    const group = [0, 1, 2, 3].reduce((sum, k) => (sum << 6) | Math.max(ALPHABET.indexOf(text[i + k] ?? '='), 0), 0)
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (group >> shift) & 255
  }
  return bytes
}
