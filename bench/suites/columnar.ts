import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Budget, always } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { RowWriter } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { jsonLineChunks, readBodies } from '../datasets.ts'
import { plans } from '../plans.ts'

/**
 * Times the 33 questions on the columnar backend alone, from plans written by hand in the form in which the optimizer
 * leaves them.
 */

function newBudget(): Budget {
  return new Budget({ memoryBytes: 4 * 2 ** 30, timeoutMs: 600_000, scanRows: Infinity }, () => performance.now())
}

/**
 * Returns the processor time of this thread in milliseconds, which depends less on other work of the machine than wall
 * time.
 */
function threadCpuMs(): number {
  const own = process as { threadCpuUsage?: () => { readonly user: number } }
  return (own.threadCpuUsage?.() ?? process.cpuUsage()).user / 1000
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      bodies: { type: 'string' },
      file: { type: 'string' },
      only: { type: 'string' },
      'budget-ms': { type: 'string', default: '300' },
      show: { type: 'boolean', default: false },
    },
  })
  const rows = Number(values.rows)
  const seed = Number(values.seed)
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  let spentMs = 0
  let bytes = 0
  const load = (chunk: Uint8Array): void => {
    const startMs = performance.now()
    table.writer.appendJsonLines(chunk, { nowNs: 0n })
    spentMs += performance.now() - startMs
    bytes += chunk.length
  }
  if (values.file !== undefined && existsSync(values.file)) load(readFileSync(values.file))
  else {
    const bodies = values.bodies === undefined ? [] : readBodies(values.bodies)
    for (const chunk of jsonLineChunks({ rows, seed, bodies })) load(chunk)
  }
  const sealMs = performance.now()
  table.seal()
  spentMs += performance.now() - sealMs
  const stats = table.view.usage()
  console.log(
    `${stats.rows} rows, ${Math.round((stats.rows / spentMs) * 1000)} lines/s, ` +
      `${(stats.memoryBytes / stats.rows).toFixed(0)} B a row in memory (index ${(stats.indexBytes / stats.rows).toFixed(0)}), ` +
      `${(bytes / stats.rows).toFixed(0)} B a row as JSON, rss ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
  )
  const backend = columnarBackend(store, standardFunctions)
  const only = values.only?.split(',')
  for (const [title, plan] of plans(seed, rows)) {
    if (only !== undefined && !only.some((id) => title.startsWith(id))) continue
    const times: number[] = []
    let answer = ''
    const cpuStart = threadCpuMs()
    for (let spent = 0; times.length < 3 || (spent < Number(values['budget-ms']) && times.length < 200);) {
      const startMs = performance.now()
      const context = { budget: newBudget(), nowNs: 0n, range: always, batchRows: 4096 }
      const lines: string[] = []
      const writer = new RowWriter()
      for await (const batch of backend.prepare(plan, context).run()) {
        for (const line of writer.batch(batch)) lines.push(line)
      }
      const elapsedMs = performance.now() - startMs
      times.push(elapsedMs)
      spent += elapsedMs
      answer = `${lines.length} rows, ${lines[0]?.slice(0, 60) ?? ''}`
    }
    const first = times[0]
    const cpuMs = (threadCpuMs() - cpuStart) / times.length
    times.sort((a, b) => a - b)
    console.log(
      `${title.padEnd(30)} ${times[times.length >> 1].toFixed(3).padStart(10)} ms   best ${times[0].toFixed(3).padStart(10)}   cpu ${cpuMs.toFixed(3).padStart(10)}   first ${first.toFixed(1).padStart(8)}   ${values.show ? answer : ''}`,
    )
  }
}

await main()
