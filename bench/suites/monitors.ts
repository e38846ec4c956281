import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { createServer } from '../../src/server/index.ts'
import { dayStartNs, daySeconds } from '../datasets.ts'
import { generatedLines } from '../generated-lines.ts'

/**
 * Evaluates many monitors a minute over generated rows in memory, beside a query each second, and prints processor time,
 * lateness and the time of the queries: `npm run bench -- monitors [--rows N] [--monitors N] [--seconds N]`. The windows
 * of the monitors move through the day of the rows. The exit code is 1 if an evaluation failed.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    monitors: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '120' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
})

const WINDOW_SECONDS = 300
const KEY = 'key-of-the-bench-of-monitors-0123456789'

async function loadedStore() {
  const store = createMemoryStore(standardCatalog)
  const { writer } = store.table('logs')
  for await (const lines of generatedLines(values.rows, values.seed)) writer.appendJsonLines(lines, { nowNs: 0n })
  return store
}

const QUERIES = [
  'level:error | stats by (workload) count() as n',
  'level:error | stats count() as n',
  'status:>=500 | stats by (namespace) count() as n',
  'timeout | stats by (cluster) count() as n',
  'env:prod | stats by (workload) avg(duration_ms) as n',
]

/** A monitor whose window ends at a place of its own in the day of the rows. */
function monitor(i: number): object {
  const endSeconds = Number(dayStartNs / 1_000_000_000n) + WINDOW_SECONDS + ((i * 7919) % (daySeconds - 3600))
  const ageSeconds = Math.round(Date.now() / 1000) - endSeconds
  const relativeTimerange = { from: `-${ageSeconds + WINDOW_SECONDS}s`, to: `-${ageSeconds}s` }
  const expression = QUERIES[i % QUERIES.length] ?? ''
  return {
    title: `monitor ${i}`,
    evaluationInterval: { interval: '1m', pendingFor: '5m' },
    annotations: { summary: '{{ $labels.workload }} has {{ $value }}' },
    model: {
      queries: [{ name: 'q', dataType: 'logs', expression, relativeTimerange }],
      thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [1e6] }],
    },
  }
}

const store = await loadedStore()
const server = await createServer({
  store,
  keys: [KEY],
  workers: Number(values.workers),
  alerting: {},
  limits: { series: 1 },
})
await server.loaded
// An open port keeps the process alive while workers answer.
await server.listen({ port: 0 })
const send = async (method: string, path: string, body?: object): Promise<string> => {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await server.fetch(request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}
const gauge = async (name: string): Promise<number> => {
  const found = new RegExp(`^sluice_alerting_${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(await send('GET', '/metrics'))
  return Number(found?.[1] ?? NaN)
}

for (let i = 0; i < Number(values.monitors); i++) await send('POST', '/api/monitors', monitor(i))
// All monitors are evaluated once before the measurement.
await sleep(61_000)
const start = new Date(Number(dayStartNs / 1_000_000n)).toISOString()
const end = new Date(Number(dayStartNs / 1_000_000n) + 3_600_000).toISOString()
const query = { start, end, query: 'level:error | stats by (workload) count() as n' }
const [before, failedBefore] = [await gauge('evaluations_total'), await gauge('evaluation_failures_total')]
const cpu = process.cpuUsage()
const lateness: number[] = []
const queryMs: number[] = []
const seconds = Number(values.seconds)
const untilMs = performance.now() + seconds * 1000
for (let i = 0; performance.now() < untilMs; i++) {
  lateness.push(await gauge('lateness_seconds'))
  if (i % 5 === 0) {
    const startMs = performance.now()
    await send('POST', '/api/logs/v2/search', query)
    queryMs.push(performance.now() - startMs)
  }
  await sleep(200)
}
const { user, system } = process.cpuUsage(cpu)
const evaluations = (await gauge('evaluations_total')) - before
const failures = (await gauge('evaluation_failures_total')) - failedBefore
const at = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? NaN
const cpuSeconds = (user + system) / 1e6
console.log(
  `${values.rows} rows, ${values.monitors} monitors, ${evaluations} evaluations in ${seconds} s, ${failures} failed`,
)
console.log(`processor: ${cpuSeconds.toFixed(1)} s, ${((100 * cpuSeconds) / seconds).toFixed(1)} % of one core`)
console.log(`lateness: median ${at(lateness, 0.5).toFixed(3)} s, p99 ${at(lateness, 0.99).toFixed(3)} s`)
console.log(`a query beside: median ${at(queryMs, 0.5).toFixed(1)} ms, p99 ${at(queryMs, 0.99).toFixed(1)} ms`)
await server.close()
if (failures > 0 || evaluations === 0) process.exitCode = 1
