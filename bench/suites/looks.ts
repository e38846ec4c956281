/**
 * How late each attack request would notice a cancel: the longest processor time between two checkpoints of its query.
 * `npm run bench -- looks [--rows N --only NAME,NAME --timeout-ms N --long-ms N --where]`
 */
import { parseArgs } from 'node:util'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { Caller, namesIn, type Attack, type Sending } from '../../test/stress/attacks/attack.ts'
import { logAttacks } from '../../test/stress/attacks/list/logs.ts'
import { metricAttacks } from '../../test/stress/attacks/list/metrics.ts'
import { resourceAttacks } from '../../test/stress/attacks/list/resources.ts'
import { structuredAttacks } from '../../test/stress/attacks/list/structured.ts'
import { samples } from '../../test/stress/attacks/service.ts'
import { jsonLineChunks } from '../datasets.ts'
import { recorded } from './looks/recorder.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    only: { type: 'string' },
    'timeout-ms': { type: 'string', default: '2000' },
    'long-ms': { type: 'string', default: '50' },
    where: { type: 'boolean', default: false },
  },
})
const KEY = 'key-of-the-bench'
const only = values.only === undefined ? undefined : namesIn(values.only)
/** The most requests of an attack that sends without end. */
const MAX_REQUESTS = 3

interface Asked {
  readonly path: string
  readonly sending: Sending
}

/** Collects the requests that an attack would send. */
class Collector extends Caller {
  readonly asked: Asked[] = []
  readonly #ending: AbortController

  constructor(ending: AbortController) {
    super({ process: undefined as never, address: { host: '', port: 0 }, pid: 0 }, KEY, ending.signal)
    this.#ending = ending
  }

  override send(path: string, sending: Sending = {}): Promise<void> {
    if (this.asked.length < MAX_REQUESTS) this.asked.push({ path, sending })
    else this.#ending.abort()
    return Promise.resolve()
  }
}

async function requestsOf({ run }: Attack): Promise<readonly Asked[]> {
  const collector = new Collector(new AbortController())
  await run(collector)
  return collector.asked
}

async function answered(server: SluiceServer, { path, sending }: Asked): Promise<number> {
  const { method = 'POST', headers = {}, body = null } = sending
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: KEY, ...headers },
      body: body as string | null,
    }),
  )
  for await (const _ of response.body ?? []);
  return response.status
}

async function serverWith(rows: number): Promise<SluiceServer> {
  const store = createMemoryStore(standardCatalog)
  for (const chunk of jsonLineChunks({ rows, seed: 1 }))
    store.table('logs').writer.appendJsonLines(chunk, { nowNs: 0n })
  store.table('logs').seal()
  const server = await createServer({ keys: [KEY], store, limits: { queryMs: Number(values['timeout-ms']) } })
  const sending = { headers: { 'Content-Type': 'text/plain' }, body: samples() }
  await answered(server, { path: '/api/v1/import/prometheus', sending })
  // Code that is loaded and compiled with the first query of each language must not count for the query.
  const collector = new Collector(new AbortController())
  await collector.searchLogs('* | sort by (_time) | limit 1')
  await collector.queryRange('sum(m)')
  for (const asked of collector.asked) await answered(server, asked)
  return server
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await serverWith(Number(values.rows))
const longMs = Number(values['long-ms'])
const chosen = [...logAttacks, ...metricAttacks, ...structuredAttacks, ...resourceAttacks].filter(
  ({ name }) => only === undefined || only.some((part) => name.startsWith(part)),
)
print(`${'ms of processor time'.padEnd(36)}${'longest'.padStart(8)}${'next'.padStart(8)}  status`)
let missed = 0
for (const attack of chosen) {
  for (const [i, asked] of (await requestsOf(attack)).entries()) {
    let status = 0
    const recording = await recorded(async () => void (status = await answered(server, asked)))
    const { looks, where } = recording
    const cell = (ms = 0): string => ms.toFixed(1).padStart(8)
    print(
      `${`${attack.name}${i > 0 ? ` ${i + 1}` : ''}`.padEnd(36)}${cell(looks[0]?.processorMs)}${cell(looks[1]?.processorMs)}  ${status}`,
    )
    if ((looks[0]?.processorMs ?? 0) > longMs) missed++
    if (!values.where) continue
    const seen = new Set<string>()
    for (const stretch of looks) {
      const text = where(stretch)
      if (stretch.processorMs < longMs || seen.has(text)) continue
      seen.add(text)
      print(`    ${stretch.processorMs.toFixed(1)}: ${text}`)
    }
  }
}
print(`${missed} requests without a look for more than ${longMs} ms`)
await server.close()
