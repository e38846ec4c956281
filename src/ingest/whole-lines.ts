import { LINE_FEED, joinedInto } from '../base/index.ts'
import { MAX_RECORD_BYTES } from '../store/index.ts'

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  return joinedInto(new Uint8Array(bytes), parts)
}

/**
 * Yields a stream in chunks of complete lines; the last line may lack its line end. A line that is too long is dropped,
 * and its beginning is reported.
 */
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
      // Copied, because the producer of the chunk may reuse its memory.
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
    // After an error of the stream, the incomplete last line is yielded before the error is thrown.
    if (heldBytes > 0) yield joined(held, heldBytes)
    throw error
  }
  if (heldBytes > 0) yield joined(held, heldBytes)
}

/** Returns the number of lines with bytes that are not UTF-8. */
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
