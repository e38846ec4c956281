import { createReadStream } from 'node:fs'
import type { MemoryTable } from '../../src/store/index.ts'

/** JSON lines of a file into a table, until the last segment is sealed. */
export async function loadLines(table: MemoryTable, file: string): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10) + 1
    table.appendJsonLines(bytes.subarray(0, end), { nowNs: 0n })
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) table.appendJsonLines(rest, { nowNs: 0n })
  table.seal()
}
