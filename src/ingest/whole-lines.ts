import { LINE_FEED, joinedInto } from '../base/index.ts'
import { MAX_RECORD_BYTES } from '../store/index.ts'

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return joinedInto(new Uint8Array(bytes), parts)
}

/** A stream in pieces of whole lines; the last may lack its end. Of a line that is too long only its beginning is told. */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array>,
  onTooLong: (beginning: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isSkipping = false
  try {
    for await (const chunk of chunks) {
      let from = 0
      if (isSkipping) {
        from = chunk.indexOf(LINE_FEED) + 1
        if (from === 0) continue
        isSkipping = false
      }
      const end = chunk.lastIndexOf(LINE_FEED) + 1
      if (end > from) {
        held.push(chunk.subarray(from, end))
        yield joined(held, heldBytes + end - from)
        held = []
        heldBytes = 0
        from = end
      }
      if (from === chunk.length) continue
      // Copied: whoever gave the chunk may fill its memory anew.
      held.push(chunk.slice(from))
      heldBytes += chunk.length - from
      if (heldBytes > MAX_RECORD_BYTES) {
        onTooLong(joined(held, heldBytes).subarray(0, 480))
        held = []
        heldBytes = 0
        isSkipping = true
      }
    }
  } catch (error) {
    // A line that is cut is better than none.
    if (heldBytes > 0) yield joined(held, heldBytes)
    throw error
  }
  if (heldBytes > 0) yield joined(held, heldBytes)
}

/** How many lines have bytes that are not UTF-8. */
export function damagedLines(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let count = 0
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found === -1 ? bytes.length : found
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      count++
    }
    start = end + 1
  }
  return count
}
