import { ExpansionFault, GoMap, queryEscape, textOfBytes, utf8Bytes, type GoValue } from '../../go-template/index.ts'
import { strings, type EntryFunctions } from './context.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function encodeBase64(text: string): string {
  let encoded = ''
  const bytes = utf8Bytes(text)
  for (let i = 0; i < bytes.length; i += 3) {
    const given = Math.min(3, bytes.length - i)
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (let at = 0; at < 4; at++) encoded += at <= given ? ALPHABET.charAt((bits >> (18 - 6 * at)) & 63) : '='
  }
  return encoded
}

/** Decodes Base64 and ignores line breaks. As in Loki, the result for invalid input is an error message. */
function decodeBase64(text: string): string {
  const bytes: number[] = []
  const corrupt = (at: number): string => `illegal base64 data at input byte ${at}`
  let bits = 0
  let held = 0
  let padding = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\n' || char === '\r') continue
    if (char === '=') {
      // A group with padding has two or three characters before it.
      if (held < 2 || padding > 3 - held) return corrupt(at)
      padding++
      continue
    }
    const value = ALPHABET.indexOf(char)
    if (value === -1 || padding > 0) return corrupt(at)
    bits = (bits << 6) | value
    if (++held < 4) continue
    bytes.push((bits >> 16) & 255, (bits >> 8) & 255, bits & 255)
    bits = 0
    held = 0
  }
  if (held + padding !== 0 && held + padding !== 4) return corrupt(text.length)
  if (held === 3) bytes.push((bits >> 10) & 255, (bits >> 2) & 255)
  if (held === 2) bytes.push((bits >> 4) & 255)
  return textOfBytes(Uint8Array.from(bytes))
}

function decodeQuery(text: string): string {
  const fault = /%(?![0-9a-fA-F]{2})[^]{0,2}/u.exec(text)
  if (fault !== null) throw new ExpansionFault(`invalid URL escape ${JSON.stringify(fault[0])}`)
  const bytes: number[] = []
  for (const part of text.replaceAll('+', ' ').split(/(%[0-9a-fA-F]{2})/)) {
    if (/^%[0-9a-fA-F]{2}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...utf8Bytes(part))
  }
  return textOfBytes(Uint8Array.from(bytes))
}

function goValueOf(value: unknown): GoValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(goValueOf)
  if (value === null || typeof value !== 'object') return null
  return new GoMap(Object.entries(value).map(([key, member]) => [key, goValueOf(member)] as const))
}

/** Parses JSON; returns nil if the JSON is invalid. */
function fromJson(text: string): GoValue {
  try {
    return goValueOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export const codingFunctions: EntryFunctions = {
  b64enc: strings(1, (text = '') => encodeBase64(text)),
  b64dec: strings(1, (text = '') => decodeBase64(text)),
  urlencode: strings(1, (text = '') => queryEscape(text)),
  urldecode: strings(1, (text = '') => decodeQuery(text)),
  fromJson: strings(1, (text = '') => fromJson(text)),
}
