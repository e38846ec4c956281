/**
 * Times each kernel alone, over as many values as a segment has, and a copy of as many bytes for comparison. `npm run
 * bench -- kernels [--ms 300]`
 */
import { parseArgs } from 'node:util'
import { kernelCases } from './kernels/cases.ts'

const { values } = parseArgs({ options: { ms: { type: 'string', default: '300' } } })
const budgetMs = Number(values.ms)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Returns the minimum milliseconds of a run, since other work of the machine only makes runs longer. */
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

/** The size of a copy that no processor cache holds, in bytes. */
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
  // A copy of as many bytes uses the same caches.
  const limitMs = leastMs(copyOf(bytes))
  print(`${name}: ${gigabytes(bytes, ms)} GB/s, ${(ms / limitMs).toFixed(1)} times a copy of the ${bytes} bytes`)
}
