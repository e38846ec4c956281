import { BACKSLASH, BYTES_PER_CHECKPOINT, COMMA, QUOTE, type StepwiseTask } from '../../../base/index.ts'

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

/** Returns the offset of a JSON text after blanks and a byte order mark. */
export function startOfJson(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (isBlank(bytes[at])) at++
  return at
}

/**
 * Yields byte ranges `[from, to)` of the items of a JSON list, so that a long list is read item by item. Inspects only
 * brackets and quotes; the parser validates the items. Throws an `Error` if the list does not end or if anything
 * follows it.
 */
export function* listItems(bytes: Uint8Array): Generator<{ readonly from: number; readonly to: number }> {
  let from = startOfJson(bytes) + 1
  let depth = 0
  let isInText = false
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]
    if (isInText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth > 0) {
        depth--
        continue
      }
      if (byte === 0x7d) throw new Error(`unexpected } at byte ${i + 1}`)
      let rest = i + 1
      while (isBlank(bytes[rest])) rest++
      if (rest < bytes.length) throw new Error(`something follows the list at byte ${rest + 1}`)
      let isEmpty = true
      for (let k = from; k < i && isEmpty; k++) isEmpty = isBlank(bytes[k])
      if (!isEmpty || bytes[from - 1] === COMMA) yield { from, to: i }
      return
    } else if (byte === COMMA && depth === 0) {
      yield { from, to: i }
      from = i + 1
    }
  }
  throw new Error('the list does not end')
}

/** True if the bracket at `start` closes at the end of the text. */
export function* isOneDocument(bytes: Uint8Array, start: number): StepwiseTask<boolean> {
  let depth = 0
  let isInText = false
  for (let i = start; i < bytes.length; i++) {
    if (i % BYTES_PER_CHECKPOINT === 0) yield
    const byte = bytes[i]
    if (isInText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
      let rest = i + 1
      while (isBlank(bytes[rest])) rest++
      return rest === bytes.length
    }
  }
  return false
}
