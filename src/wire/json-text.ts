import {
  MAX_JSON_DEPTH,
  at,
  BACKSLASH,
  codePointAt,
  type Diagnostic,
  lineColumnAt,
  nowhere,
  QUOTE,
  SluiceError,
  work,
} from '../base/index.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { excerpt } from './excerpt.ts'
import { findJsonFault } from './json-fault.ts'

/** Returns the maximum nesting of a JSON text in UTF-8, without parsing it; stops counting above `limit`. */
export function jsonDepth(bytes: Uint8Array, limit: number): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) deepest = depth
      if (deepest > limit) return deepest
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--
    }
  }
  return deepest
}

function refuse(diagnostic: Diagnostic): never {
  throw new SluiceError([diagnostic])
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse(wireDiagnostic('not-utf8', { offsetBytes: firstBadByte(bytes) }, nowhere))
  }
}

/**
 * Returns the offset of the first byte that is not valid UTF-8. Binary search: a prefix without this byte decodes in
 * streaming mode.
 */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true })
      good = middle
    } catch {
      bad = middle
    }
  }
  return good
}

/** `JSON.parse` passes the digits of each number to the reviver; the types of ES2024 lack this parameter. */
type SourceReviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepBigIntegers: SourceReviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? 0)
    : value

/**
 * Parses a body: strict UTF-8, at most 128 levels, strict JSON. Integers beyond 2^53 become `bigint`; everything else
 * is as from `JSON.parse`. Throws `wire/empty-body`, `wire/not-utf8`, `wire/too-deep`, `wire/not-json`.
 */
export function parseJson(body: Uint8Array | string): unknown {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (jsonDepth(bytes, MAX_JSON_DEPTH) > MAX_JSON_DEPTH)
    refuse(wireDiagnostic('too-deep', { limit: MAX_JSON_DEPTH }, nowhere))
  const text = typeof body === 'string' ? body : decodeUtf8(bytes)
  if (/^[ \t\n\r]*$/.test(text)) refuse(wireDiagnostic('empty-body', { example: '{}' }, nowhere))
  try {
    const hasLongNumber = /\d{16}/.test(text)
    return JSON.parse(text, hasLongNumber ? keepBigIntegers : undefined)
  } catch {
    const { offset, expected } = findJsonFault(text) ?? { offset: text.length, expected: 'JSON' }
    const { line, column } = lineColumnAt(text, offset)
    const char = String.fromCodePoint(codePointAt(text, offset) ?? 0x20)
    const found = offset >= text.length ? 'its end' : `\`${excerpt(char)}\``
    return refuse(
      wireDiagnostic(
        'not-json',
        { offset, line, column, found, expected },
        at({ start: offset, end: Math.min(offset + 1, text.length) }),
      ),
    )
  }
}

/** True if a value nests deeper than `limit`, for values that are not parsed JSON text. Does not recurse. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      if (depth === limit) return true
      work(2)
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
  return false
}
