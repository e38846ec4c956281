import type { ExactJsonObject, MutableRow } from '../../data/index.ts'
import { TOO_LONG, badItem, jsonObject, storable, type Items } from './item.ts'
import { MAX_ITEM_BYTES } from '../tuning.ts'
import { BACKSLASH, BYTES_PER_CHECKPOINT, QUOTE } from '../../base/index.ts'

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

/**
 * The byte range `[from, to)` of an object in a payload, or the reason why there is no object. Reading stops after a
 * reason is returned.
 */
type ObjectRange = { readonly from: number; readonly to: number } | { readonly from: number; readonly reason: string }

/**
 * Yields consecutive JSON objects, with or without blanks between them, or the items of one list; `undefined` at
 * checkpoints. Examines only brackets and quotes.
 */
function* jsonObjects(bytes: Uint8Array): Generator<ObjectRange | undefined, void> {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let turn = BYTES_PER_CHECKPOINT
  while (isBlank(bytes[at])) at++
  const isList = bytes[at] === 0x5b
  if (isList) at++
  for (let needsComma = false; ; needsComma = isList) {
    while (isBlank(bytes[at])) at++
    if (isList && bytes[at] === 0x5d) {
      at++
      while (isBlank(bytes[at])) at++
      if (at < bytes.length) yield { from: at, reason: 'something follows the list' }
      return
    }
    if (at >= bytes.length) {
      if (isList) yield { from: at, reason: 'the list does not end' }
      return
    }
    if (needsComma) {
      if (bytes[at] !== 0x2c) return yield { from: at, reason: 'a comma is missing' }
      at++
      while (isBlank(bytes[at])) at++
    }
    if (bytes[at] !== 0x7b) return yield { from: at, reason: 'not a JSON object' }
    const from = at
    let depth = 0
    let isInText = false
    for (; at < bytes.length; at++) {
      if (at >= turn) {
        turn = at + BYTES_PER_CHECKPOINT
        yield undefined
      }
      const byte = bytes[at]
      if (isInText) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) isInText = false
      } else if (byte === QUOTE) isInText = true
      else if (byte === 0x7b || byte === 0x5b) depth++
      else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) break
    }
    if (depth > 0) return yield { from, reason: 'it does not end' }
    at++
    yield { from, to: at }
  }
}

/**
 * Yields for each object of a payload the record that `recordOf` makes of it, or the reason why there is none. An
 * object for which `recordOf` returns `undefined` is left out.
 */
export function* jsonItems(
  payload: Uint8Array,
  recordOf: (value: ExactJsonObject) => MutableRow | string | undefined,
): Items {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  for (const range of jsonObjects(bytes)) {
    if (range === undefined) yield undefined
    else if (!('to' in range)) yield badItem(range.reason, bytes.toString('utf8', range.from, range.from + 480))
    else if (range.to - range.from > MAX_ITEM_BYTES) yield badItem(TOO_LONG, '')
    else {
      const text = bytes.toString('utf8', range.from, range.to)
      const value = jsonObject(text)
      const record = typeof value === 'string' ? value : recordOf(value)
      if (record !== undefined) yield typeof record === 'string' ? badItem(record, text) : storable(record, () => text)
    }
  }
}
