import { open } from 'node:fs/promises'
import type { MemoryTable } from '../../src/store/index.ts'

/** The bytes of one read. With the start of a line before them they are what a table scans at once. */
const READ_BYTES = 15 * 64 * 1024
const MOST_LINE_BYTES = 64 * 1024

/** Yields the bytes of a stream in pieces that end with a line. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10) + 1
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) yield Buffer.concat([rest])
}

/**
 * Yields the bytes of a file in pieces that end with a line. Each piece is valid until the next is requested, since one
 * is read while another is processed.
 */
export async function* linesOfFile(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file)
  const bufferOf = (): Buffer => Buffer.allocUnsafeSlow(MOST_LINE_BYTES + READ_BYTES)
  const read = (into: Buffer) => handle.read(into, MOST_LINE_BYTES, READ_BYTES)
  let [buffer, other] = [bufferOf(), bufferOf()]
  let reading = read(buffer)
  /** The start of the unfinished line of the last piece, which precedes what is read. */
  let start = MOST_LINE_BYTES
  try {
    for (;;) {
      const { bytesRead } = await reading
      const filled = MOST_LINE_BYTES + bytesRead
      if (bytesRead > 0) reading = read(other)
      const lineEnd = bytesRead === 0 ? filled : buffer.lastIndexOf(10, filled - 1) + 1
      const end = Math.max(start, lineEnd)
      if (end > start) yield buffer.subarray(start, end)
      if (bytesRead === 0) return
      const restBytes = filled - end
      if (restBytes > MOST_LINE_BYTES) throw new Error(`${file} has a line longer than ${MOST_LINE_BYTES} bytes`)
      start = MOST_LINE_BYTES - restBytes
      buffer.copy(other, start, end, filled)
      ;[buffer, other] = [other, buffer]
    }
  } finally {
    await reading.catch(() => undefined)
    await handle.close()
  }
}

/** Loads JSON lines of a file into a table until the last segment is sealed. */
export async function loadLines(table: MemoryTable, file: string): Promise<void> {
  for await (const lines of linesOfFile(file)) table.writer.appendJsonLines(lines, { nowNs: 0n })
  table.seal()
}
