/**
 * The cost and gain of worker threads: the 33 questions over HTTP, answered in the server's main thread and by one
 * worker in turns; then clients that send them without a pause, with one worker and with two. Answers are compared
 * first. The clients are a process of their own; the processor time of each request by thread is shown beside the
 * throughput.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatRfc3339 } from '../../src/base/index.ts'
import { createServer, newTarget, type SluiceServer } from '../../src/server/index.ts'
import { daySeconds, dayStartNs, jsonLineChunks, traceId } from '../datasets.ts'
import type { LoadResult, Target, Task } from '../http-clients.ts'
import { questions } from '../questions.ts'
import { processorShares } from './workers/processor-shares.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    times: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '16' },
    keys: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const keys = Array.from({ length: Number(values.keys) }, (_, i) => `key ${i}`)
const PATH = '/api/logs/v2/search'

const target = newTarget()
for (const chunk of jsonLineChunks({ rows: Number(values.rows), seed: Number(values.seed) }))
  target.store.table('logs').writer.appendJsonLines(chunk, { nowNs: dayStartNs })
target.store.table('logs').seal()

interface Served {
  readonly server: SluiceServer
  readonly port: number
}

async function serve(workers: number): Promise<Served> {
  const server = await createServer({ store: target.store, samples: target.samples, keys, workers })
  const { port } = await server.listen()
  return { server, port }
}

const at = (clock: string): string => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return formatRfc3339(dayStartNs + BigInt(hour * 3600 + minute * 60) * 1_000_000_000n, true)
}
const used = (text: string, name: string): boolean => new RegExp(`\\$${name}\\b`).test(text)
const day = [formatRfc3339(dayStartNs, true), formatRfc3339(dayStartNs + BigInt(daySeconds) * 1_000_000_000n, true)]

const bodies = questions.map(({ query, range }) => {
  const given = { page: Number(values.rows) / 100, trace: traceId(Number(values.seed), 17) }
  const parameters = Object.fromEntries(Object.entries(given).filter(([name]) => used(query, name)))
  const [start, end] = range?.map(at) ?? day
  return JSON.stringify({ start, end, query, parameters })
})

const requestOf = (body: string, key: string): string =>
  `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

async function answerOf({ server }: Served, body: string): Promise<string> {
  const headers = { Authorization: keys[0], 'Content-Type': 'application/json' }
  const response = await server.fetch(new Request(`http://localhost${PATH}`, { method: 'POST', headers, body }))
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return text
}

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

const clients = fork(join(import.meta.dirname, '../http-clients.ts'))

async function have<R>(task: Task): Promise<R> {
  clients.send(task)
  const [result] = (await once(clients, 'message')) as [R]
  return result
}

const plain = await serve(0)
const one = await serve(1)
for (const [index, body] of bodies.entries())
  if ((await answerOf(plain, body)) !== (await answerOf(one, body)))
    throw new Error(`${questions[index].id}: other answers`)

const overheads: number[] = []
const targetsOf = (body: string): readonly Target[] =>
  [plain, one].map(({ port }) => ({ port, request: requestOf(body, keys[0]) }))
const times = Number(values.times)
// Both servers compile their frequent code before anything is measured.
for (let round = 0; round < 3; round++)
  for (const body of bodies) await have({ kind: 'time', targets: targetsOf(body), times })
print('question   in thread   by worker   difference, ms')
for (const [index, { id }] of questions.entries()) {
  const task: Task = { kind: 'time', targets: targetsOf(bodies[index]), times }
  const [a, b] = (await have<number[][]>(task)).map(median)
  overheads.push(b - a)
  print(`${id.padEnd(8)} ${a.toFixed(2).padStart(11)} ${b.toFixed(2).padStart(11)} ${(b - a).toFixed(2).padStart(12)}`)
}
print(`median overhead ${median(overheads).toFixed(2)} ms`)
await plain.server.close()

/** Each client begins at another question of the list. */
const lists = Array.from({ length: Number(values.clients) }, (_, number) =>
  bodies.map((_body, i) => requestOf(bodies[(number * 7 + i) % bodies.length], keys[number % keys.length])),
)

interface Throughput extends LoadResult {
  /** Processor milliseconds of a request, by kind of thread. */
  readonly shares: string
}

async function throughput({ port }: Served): Promise<Throughput> {
  const before = processorShares()
  const result = await have<LoadResult>({
    kind: 'load',
    port,
    requests: lists,
    seconds: Number(values.seconds),
  })
  const after = processorShares()
  const perRequest = { clients: result.processorMs, coordinator: 0, workers: 0, helpers: 0 }
  for (const kind of ['coordinator', 'workers', 'helpers'] as const) perRequest[kind] = after[kind] - before[kind]
  const shares = Object.entries(perRequest).map(([who, ms]) => `${who} ${(ms / result.count).toFixed(2)}`)
  return { ...result, shares: shares.join(', ') }
}

const rateOf = ({ count, seconds }: LoadResult): number => count / seconds

const two = await serve(2)
// Both workers compile their frequent code, as the single one has by now.
for (let sent = 0; sent < times * bodies.length * 8;) sent += (await throughput(two)).count
const rates: [Throughput, Throughput][] = []
for (let i = 0; i < Number(values.rounds); i++) rates.push([await throughput(one), await throughput(two)])
for (const [a, b] of rates) {
  const [rateA, rateB] = [rateOf(a), rateOf(b)]
  print(`one worker ${rateA.toFixed(0)}/s, two ${rateB.toFixed(0)}/s, ${(rateB / rateA).toFixed(2)} times`)
  print(`  processor ms a request: one: ${a.shares}; two: ${b.shares}`)
}
print(`${values.clients} clients, median ${median(rates.map(([a, b]) => rateOf(b) / rateOf(a))).toFixed(2)} times`)
clients.kill()
await Promise.all([one.server.close(), two.server.close()])
