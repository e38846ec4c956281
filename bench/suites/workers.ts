/**
 * What worker threads cost and give: the 33 questions as HTTP requests without a socket, answered in the server's thread and by
 * one worker, in turn; then clients that send them without a pause, with one worker and with two. Answers are compared first.
 */
import { parseArgs } from 'node:util'
import { formatRfc3339 } from '../../src/base/index.ts'
import { createServer, newTarget, type SluiceServer } from '../../src/server/index.ts'
import { daySeconds, dayStartNs, jsonLineChunks, traceId } from '../datasets.ts'
import { questions } from '../questions.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    times: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '16' },
    keys: { type: 'string', default: '4' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const keys = Array.from({ length: Number(values.keys) }, (_, i) => `key ${i}`)

const target = newTarget()
for (const chunk of jsonLineChunks({ rows: Number(values.rows), seed: Number(values.seed) }))
  target.store.table('logs').appendJsonLines(chunk, { nowNs: dayStartNs })
target.store.table('logs').seal()

const serverWith = (workers: number): Promise<SluiceServer> => createServer({ ...target, keys, workers })

const at = (clock: string): string => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return formatRfc3339(dayStartNs + BigInt(hour * 3600 + minute * 60) * 1_000_000_000n, true)
}
const used = (text: string, name: string): boolean => new RegExp(`\\$${name}\\b`).test(text)
const day = [formatRfc3339(dayStartNs, true), formatRfc3339(dayStartNs + BigInt(daySeconds) * 1_000_000_000n, true)]

async function send(server: SluiceServer, index: number, key: string): Promise<string> {
  const { query, range } = questions[index]
  const given = { page: Number(values.rows) / 100, trace: traceId(Number(values.seed), 17) }
  const parameters = Object.fromEntries(Object.entries(given).filter(([name]) => used(query, name)))
  const [start, end] = range?.map(at) ?? day
  const request = new Request('http://localhost/api/logs/v2/search', {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ start, end, query, parameters }),
  })
  const response = await server.fetch(request)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${questions[index].id}: ${response.status} ${text}`)
  return text
}

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await task()
  return performance.now() - startMs
}

const plain = await serverWith(0)
const one = await serverWith(1)
const overheads: number[] = []
print('question   in thread   by worker   difference, ms')
for (const [index, { id }] of questions.entries()) {
  if ((await send(plain, index, keys[0])) !== (await send(one, index, keys[0]))) throw new Error(`${id}: other answers`)
  const inThread: number[] = []
  const byWorker: number[] = []
  for (let i = 0; i < Number(values.times); i++) {
    inThread.push(await timed(() => send(plain, index, keys[0])))
    byWorker.push(await timed(() => send(one, index, keys[0])))
  }
  const [a, b] = [median(inThread), median(byWorker)]
  overheads.push(b - a)
  print(`${id.padEnd(8)} ${a.toFixed(2).padStart(11)} ${b.toFixed(2).padStart(11)} ${(b - a).toFixed(2).padStart(12)}`)
}
print(`median overhead ${median(overheads).toFixed(2)} ms`)
await plain.close()

async function throughput(server: SluiceServer): Promise<number> {
  const endMs = performance.now() + Number(values.seconds) * 1000
  let count = 0
  const client = async (number: number): Promise<void> => {
    for (let i = number * 7; performance.now() < endMs; i++) {
      await send(server, i % questions.length, keys[number % keys.length])
      count++
    }
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, (_, number) => client(number)))
  return count / Number(values.seconds)
}

const two = await serverWith(2)
// Each of the two compiles what it runs often: as often as the one has run it by now.
for (let sent = 0; sent < Number(values.times) * questions.length * 2;)
  sent += (await throughput(two)) * Number(values.seconds)
const rates: [number, number][] = []
for (let i = 0; i < 3; i++) rates.push([await throughput(one), await throughput(two)])
for (const [a, b] of rates)
  print(`${values.clients} clients: one worker ${a.toFixed(0)}/s, two ${b.toFixed(0)}/s, ${(b / a).toFixed(2)} times`)
print(`median ${median(rates.map(([a, b]) => b / a)).toFixed(2)} times`)
await Promise.all([one.close(), two.close()])
