import { parseRfc3339 } from '../../src/base/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

/**
 * Processor time of reading lines into the store: `npm run bench -- lines [lines]`. The figures of one run compare with each
 * other; the first is the project's own form.
 */
const lines = Number(process.argv[2] ?? 200_000)
const nowNs = parseRfc3339('2026-03-10T12:00:00Z') ?? 0n
const BATCH_LINES = 1000

const workloads = ['checkout', 'billing', 'search', 'gateway', 'mail']
const levels = ['info', 'info', 'info', 'debug', 'warn', 'error']

function clock(i: number): string {
  return new Date(Date.UTC(2026, 2, 1) + i * 37).toISOString()
}

type LineMaker = (i: number) => object

const forms: Readonly<Record<string, LineMaker>> = {
  'fields of the table': (i) => ({
    _time: clock(i),
    level: levels[i % 6],
    workload: workloads[i % 5],
    namespace: 'shop',
    pod: `pod-${i % 40}`,
    content: `request ${i} took ${i % 900} ms and was answered`,
    status: 200 + (i % 5),
  }),
  zap: (i) => ({
    level: levels[i % 6],
    ts: clock(i),
    caller: 'api/serve.go:17',
    msg: `request ${i} took ${i % 900} ms`,
    pod: `pod-${i % 40}`,
  }),
  'zerolog, capitals, service': (i) => ({
    level: levels[i % 6].toUpperCase(),
    service: workloads[i % 5],
    time: clock(i),
    message: `request ${i} took ${i % 900} ms`,
  }),
  pino: (i) => ({
    level: 10 * (1 + (i % 6)),
    time: Date.UTC(2026, 2, 1) + i * 37,
    pid: 7,
    hostname: 'a',
    name: 'api',
    msg: `request ${i} took ${i % 900} ms`,
  }),
  'ECS, nested': (i) => ({
    '@timestamp': clock(i),
    log: { level: levels[i % 6] },
    service: { name: workloads[i % 5] },
    message: `request ${i} took ${i % 900} ms`,
  }),
}

for (const [name, make] of Object.entries(forms)) {
  for (const batchLines of [BATCH_LINES, 20_000]) {
    const batches: Buffer[] = []
    for (let from = 0; from < lines; from += batchLines) {
      let text = ''
      for (let i = from; i < Math.min(lines, from + batchLines); i++) text += `${JSON.stringify(make(i))}\n`
      batches.push(Buffer.from(text))
    }
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      const table = createMemoryStore(standardCatalog).table('logs')
      const start = process.cpuUsage()
      for (const batch of batches) table.appendJsonLines(batch, { nowNs })
      const { user, system } = process.cpuUsage(start)
      best = Math.min(best, (user + system) / lines)
    }
    process.stdout.write(
      `${name}, ${batchLines} lines a batch: ${best.toFixed(2)} µs a line, ${Math.round(1e6 / best)} lines/s\n`,
    )
  }
}
