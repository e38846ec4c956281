import { spawn } from 'node:child_process'
import { join } from 'node:path'

const LINE_BREAK = 10

/** The size from which a chunk is yielded, in bytes: large enough that appends, not calls, take the time. */
const CHUNK_BYTES = 4 << 20

/**
 * Yields generated rows as JSON lines, in chunks of whole lines. Another process makes them, so that the memory and the
 * processor time of this one are those of the caller.
 */
export async function* generatedLines(rows: string, seed: string): AsyncGenerator<Buffer> {
  const generator = spawn(
    process.execPath,
    [join(import.meta.dirname, 'datasets.ts'), '--rows', rows, '--seed', seed],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let parts: Buffer[] = []
  let held = 0
  for await (const chunk of generator.stdout as AsyncIterable<Buffer>) {
    parts.push(chunk)
    held += chunk.length
    if (held < CHUNK_BYTES) continue
    const all = Buffer.concat(parts)
    const end = all.lastIndexOf(LINE_BREAK) + 1
    yield all.subarray(0, end)
    parts = [Buffer.from(all.subarray(end))]
    held = all.length - end
  }
  yield Buffer.concat(parts)
}
