import { createReadStream } from 'node:fs'
import type { MemoryTable } from '../../src/store/index.ts'

/** A stream's bytes in pieces that end with a line, however they come. */
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

/** JSON lines of a file into a table, until the last segment is sealed. */
export async function loadLines(table: MemoryTable, file: string): Promise<void> {
  for await (const lines of wholeLines(createReadStream(file, { highWaterMark: 1 << 20 }))) {
    table.appendJsonLines(lines, { nowNs: 0n })
  }
  table.seal()
}
