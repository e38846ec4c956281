import { parseArgs } from 'node:util'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { generatedLines } from '../generated-lines.ts'

/**
 * Loads generated rows into the column store, word index included, and prints time and memory: `npm run bench -- load
 * [--rows N] [--limit-gb G]`. Another process makes the rows, so that the memory is that of the store alone; time in
 * which the store waits for rows does not count. The exit code is 1 when the peak is above the limit.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    'limit-gb': { type: 'string', default: '4' },
  },
})

const rows = Number(values.rows)
const table = createMemoryStore(standardCatalog).table('logs')

let storeMs = 0
let bytes = 0
let told = 0
function append(chunk: Buffer): void {
  const startMs = performance.now()
  table.writer.appendJsonLines(chunk, { nowNs: 0n })
  storeMs += performance.now() - startMs
  bytes += chunk.length
}

const gigabytes = (count: number): string => `${(count / 1e9).toFixed(2)} GB`
// `maxRSS` is in kilobytes.
const peakBytes = (): number => process.resourceUsage().maxRSS * 1024

for await (const lines of generatedLines(values.rows, values.seed)) {
  append(lines)
  if (bytes - told > 400_000_000) {
    told = bytes
    process.stderr.write(`${gigabytes(bytes)} read, peak ${gigabytes(peakBytes())}\n`)
  }
}
const sealStartMs = performance.now()
table.seal()
storeMs += performance.now() - sealStartMs

const stats = table.view.usage()
const peak = peakBytes()
process.stdout.write(
  [
    `${stats.rows} rows of ${gigabytes(bytes)} in ${(storeMs / 1000).toFixed(1)} s: ${Math.round(stats.rows / (storeMs / 1000))} rows/s, sealed and indexed`,
    `peak of the process ${gigabytes(peak)}; the store itself ${gigabytes(stats.memoryBytes)}, ${(stats.memoryBytes / stats.rows).toFixed(0)} bytes a row`,
    `of these indexes ${gigabytes(stats.indexBytes)}, dictionaries ${gigabytes(stats.dictionaryBytes)}, segments ${stats.segments}`,
    '',
  ].join('\n'),
)
if (stats.rows !== rows || peak > Number(values['limit-gb']) * 1e9) process.exitCode = 1
