import { closeSync, openSync, readSync } from 'node:fs'
import { LINE_FEED, PAGE_BYTES } from '../../base/index.ts'
import type { MemoryTable, ReadContext } from '../../store/index.ts'
import { PLACES_PER_FILE } from './load.ts'

function lineAt(file: number, offset: number): Uint8Array {
  for (let length = PAGE_BYTES; ; length *= 4) {
    const bytes = Buffer.alloc(length)
    const read = readSync(file, bytes, 0, length, offset)
    const end = bytes.subarray(0, read).indexOf(LINE_FEED)
    if (end !== -1 || read < length) return bytes.subarray(0, end === -1 ? read : end)
  }
}

/** Reads the lines at the given ascending offsets into a table. */
export function appendLinesAt(
  paths: readonly string[],
  positions: readonly number[],
  table: MemoryTable,
  context: ReadContext,
): void {
  let rest = positions
  for (const [i, path] of paths.entries()) {
    const start = i * PLACES_PER_FILE
    const here = rest.filter((position) => position < start + PLACES_PER_FILE)
    if (here.length === 0) continue
    rest = rest.slice(here.length)
    const file = openSync(path, 'r')
    try {
      for (const position of here) table.writer.appendJsonLines(lineAt(file, position - start), context)
    } finally {
      closeSync(file)
    }
  }
}
