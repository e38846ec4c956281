/**
 * Each kernel alone, over what a segment has, and beside its limit: a copy of as many bytes. `npm run bench -- kernels [--ms 300]`
 */
import { parseArgs } from 'node:util'
import { kernelCases } from './kernels/cases.ts'

const { values } = parseArgs({ options: { ms: { type: 'string', default: '300' } } })
const budgetMs = Number(values.ms)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Least milliseconds of a run: what others do beside it makes single runs longer, never shorter. */
function leastMs(run: () => void): number {
  let least = Infinity
  const endMs = performance.now() + budgetMs
  while (performance.now() < endMs) {
    const startMs = performance.now()
    run()
    least = Math.min(least, performance.now() - startMs)
  }
  return least
}

/** Bytes of a copy that no cache holds. */
const COPIED_BYTES = 64 * 1024 * 1024

function copyOf(bytes: number): () => void {
  const from = new Uint8Array(bytes).fill(1)
  const into = new Uint8Array(bytes)
  return () => into.set(from)
}

const gigabytes = (bytes: number, ms: number): string => (bytes / ms / 1e6).toFixed(2)

print(`a copy of ${COPIED_BYTES / 2 ** 20} MiB: ${gigabytes(COPIED_BYTES, leastMs(copyOf(COPIED_BYTES)))} GB/s`)
for (const { name, bytes, run } of kernelCases()) {
  const ms = leastMs(run)
  // The copy of so many bytes has the same caches.
  const limitMs = leastMs(copyOf(bytes))
  print(`${name}: ${gigabytes(bytes, ms)} GB/s, ${(ms / limitMs).toFixed(1)} times a copy of the ${bytes} bytes`)
}
