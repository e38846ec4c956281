/**
 * Compares metrics with VictoriaMetrics and Prometheus: each receives the same samples by remote write and the same
 * queries over HTTP on open connections. Answers are compared before anything is timed. Each server is a process of its
 * own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Target, Task } from '../http-clients.ts'
import { metricDifference, type MetricAnswer } from './metrics-peers/answers.ts'
import { metricQuestions, type MetricQuestion } from './metrics-peers/questions.ts'
import { prometheus, sluice, victoriaMetrics, type MetricServer } from './metrics-peers/servers.ts'
import { metricStanding, MOST_EACH, MOST_MEAN, type Timed } from './metrics-peers/standing.ts'
import { makeMetricData, type PlainSeries } from './promql/data.ts'
import { remoteWriteBody } from './protocols/bodies.ts'
import { figuresOf } from './scale/process-figures.ts'

const { values } = parseArgs({
  options: {
    victoria: { type: 'string' },
    'victoria-program': { type: 'string' },
    prometheus: { type: 'string' },
    'prometheus-program': { type: 'string' },
    data: { type: 'boolean', default: false },
    workers: { type: 'string' },
    only: { type: 'string', default: '' },
    kinds: { type: 'string', default: 'range,instant' },
    budget: { type: 'string', default: '500' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const budgetMs = Number(values.budget)
const questions = metricQuestions.filter(({ id }) => values.only === '' || values.only.split(',').includes(id))

const STEP_S = 15
const COUNT = 360
/** The number of samples of a series, and of series, in one body. */
const BODY_SAMPLES = 40
const BODY_SERIES = 500
const VISIBLE_MS = 60_000
const LEAST_TIMES = 3
const MOST_TIMES = 1000

const data = makeMetricData(7)
const all = [data.requests, data.errors, data.buckets, data.limits, data.gauges].flat()
/**
 * Subqueries have steps of whole minutes. With this end no sample lies at the edge of a window, which Prometheus 2
 * counts as inside.
 */
const endS = data.endMs / 1000 - 2
const sampleCount = all.reduce((sum, { timesMs }) => sum + timesMs.length, 0)

const kinds = {
  range: {
    path: '/api/v1/query_range',
    times: { start: String(endS - (COUNT - 1) * STEP_S), end: String(endS), step: String(STEP_S) },
  },
  instant: { path: '/api/v1/query', times: { time: String(endS) } },
} as const
type Kind = keyof typeof kinds

/**
 * Yields the samples of all series for one period before the next period, so that no sample arrives after a later one.
 */
function* bodies(): Generator<Uint8Array> {
  const longest = Math.max(...all.map(({ timesMs }) => timesMs.length))
  for (let from = 0; from < longest; from += BODY_SAMPLES)
    for (let at = 0; at < all.length; at += BODY_SERIES)
      yield remoteWriteBody(all.slice(at, at + BODY_SERIES).map((series) => sentOf(series, from)))
}

function sentOf(
  { labels, timesMs, values: numbers }: PlainSeries,
  from: number,
): Parameters<typeof remoteWriteBody>[0][number] {
  const samples = Array.from(timesMs.subarray(from, from + BODY_SAMPLES), (timestamp, i) => ({
    timestamp,
    value: numbers[from + i],
  }))
  return { labels: Object.entries(labels.toRecord()).map(([name, value]) => ({ name, value })), samples }
}

function pathOf({ parameters }: MetricServer, kind: Kind, query: string): string {
  const { path, times } = kinds[kind]
  return `${path}?${String(new URLSearchParams({ query, ...times, ...parameters }))}`
}

function targetOf(server: MetricServer, kind: Kind, query: string): Target {
  const { host, port } = new URL(server.address)
  const heads = Object.entries(server.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathOf(server, kind, query)} HTTP/1.1\r\nHost: ${host}\r\n${heads.join('')}\r\n`
  return { port: Number(port), request }
}

async function answerOf(server: MetricServer, kind: Kind, query: string): Promise<MetricAnswer> {
  const response = await fetch(`${server.address}${pathOf(server, kind, query)}`, { headers: server.headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${server.name} answers ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as MetricAnswer
}

/** True if as many series have their last sample in the server as were sent. */
async function isLoaded(server: MetricServer): Promise<boolean> {
  const counted = await answerOf(server, 'instant', 'count({__name__=~".+"} or {__name__=~".+"} offset 100m)')
  return counted.data.result[0]?.value?.[1] === String(all.length)
}

async function load(server: MetricServer): Promise<void> {
  if (await isLoaded(server)) {
    print(`${server.name} has the samples already`)
    return
  }
  const before = server.pid === undefined ? undefined : figuresOf(server.pid)
  const headers = { ...server.headers, 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'snappy' }
  const startMs = performance.now()
  for (const body of bodies()) {
    const response = await fetch(`${server.address}/api/v1/write`, { method: 'POST', headers, body: Buffer.from(body) })
    if (!response.ok) throw new Error(`${server.name} answers ${response.status}: ${await response.text()}`)
  }
  while (!(await isLoaded(server))) {
    if (performance.now() - startMs > VISIBLE_MS)
      throw new Error(`${server.name} does not show all ${all.length} series: does it keep samples of January 2026?`)
    await sleep(200)
  }
  if (server.pid === undefined || before === undefined) return
  const after = figuresOf(server.pid)
  print(
    `${server.name.padEnd(16)} ${sampleCount} samples of ${all.length} series: ${(after.cpuSeconds - before.cpuSeconds).toFixed(1)} s of processor, ` +
      `${((after.residentBytes - before.residentBytes) / sampleCount).toFixed(1)} B a sample more resident`,
  )
}

const clients = fork(join(import.meta.dirname, '../http-clients.ts'))

async function timed(targets: readonly Target[], times: number): Promise<readonly number[]> {
  clients.send({ kind: 'time', targets, times } satisfies Task)
  const [lists] = (await once(clients, 'message')) as [number[][]]
  return lists.map((list) => list.toSorted((a, b) => a - b)[list.length >> 1])
}

/** Returns how often a query of this duration fits into a number of time budgets. */
function timesFor(roughMs: number, budgets = 1): number {
  return Math.min(MOST_TIMES, Math.max(LEAST_TIMES, Math.ceil((budgetMs * budgets) / roughMs)))
}

/** Sends a query until a budget is used up, and returns the milliseconds of one run. */
async function warmed(target: Target): Promise<number> {
  const [firstMs] = await timed([target], 2)
  const [thenMs] = await timed([target], timesFor(firstMs))
  return thenMs
}

/** Compares answers with each peer; returns the peers that may be timed, and the reason for the others. */
async function differences(
  { query, otherwise }: MetricQuestion,
  kind: Kind,
  own: MetricServer,
  peers: readonly MetricServer[],
): Promise<readonly (string | undefined)[]> {
  const ours = await answerOf(own, kind, query)
  return Promise.all(
    peers.map(async (peer) => {
      const leniency = peer.name === 'VictoriaMetrics' ? { withoutNames: true, otherwise } : {}
      return metricDifference(ours, await answerOf(peer, kind, query), leniency)
    }),
  )
}

/** Times one kind of query on each server. */
async function compare(kind: Kind, own: MetricServer, peers: readonly MetricServer[]): Promise<void> {
  const times = new Map<MetricServer, Timed[]>(peers.map((peer) => [peer, []]))
  const heads = peers.map(({ name }) => `${name.padStart(16)}    times`)
  print(`\n${kind.padEnd(24)} ${'Sluice, ms'.padStart(11)} ${heads.join(' ')}`)
  for (const question of questions) {
    const { id, title, query } = question
    const told = await differences(question, kind, own, peers)
    for (const [i, difference] of told.entries()) {
      if (difference === undefined) continue
      process.exitCode = 1
      print(`DIFFERENCE ${id} ${kind}, ${peers[i].name}: ${difference}`)
    }
    const servers = [own, ...peers.filter((_, i) => told[i] === undefined)]
    const targets = servers.map((server) => targetOf(server, kind, query))
    let roundMs = 0
    for (const target of targets) roundMs += await warmed(target)
    const medians = await timed(targets, timesFor(roundMs, servers.length))
    const [ownMs] = medians
    const cells = peers.map((peer) => {
      const peerMs = medians[servers.indexOf(peer)]
      if (servers.indexOf(peer) === -1) return `${'-'.padStart(16)} ${'-'.padStart(8)}`
      times.get(peer)?.push({ id, ownMs, peerMs })
      const mark = peer.name === 'VictoriaMetrics' && question.otherwise !== undefined ? '*' : ' '
      return `${peerMs.toFixed(2).padStart(16)} ${(ownMs / peerMs).toFixed(2).padStart(7)}${mark}`
    })
    print(`${`${id} ${title}`.padEnd(24)} ${ownMs.toFixed(2).padStart(11)} ${cells.join(' ')}`)
  }
  for (const [{ name }, list] of times) {
    if (list.length === 0) continue
    const { mean, slower } = metricStanding(list)
    const which = slower.length === 0 ? 'none' : slower.join(', ')
    print(
      `${kind}: ${mean.toFixed(2)} x ${name} in the geometric mean (asked: ${MOST_MEAN}); above ${MOST_EACH} x: ${which}`,
    )
  }
}

const has = (url: string | undefined, program: string | undefined): boolean =>
  url !== undefined || program !== undefined
const servers: MetricServer[] = []
try {
  servers.push(await sluice(values.data, values.workers === undefined ? [] : ['--workers', values.workers]))
  if (has(values.victoria, values['victoria-program']))
    servers.push(await victoriaMetrics({ url: values.victoria, program: values['victoria-program'] }))
  if (has(values.prometheus, values['prometheus-program']))
    servers.push(await prometheus({ url: values.prometheus, program: values['prometheus-program'] }))
  for (const server of servers) await load(server)
  const [own, ...peers] = servers
  for (const kind of ['range', 'instant'] as const)
    if (values.kinds.split(',').includes(kind)) await compare(kind, own, peers)
  const reasons = new Set(questions.flatMap(({ otherwise }) => otherwise?.reason ?? []))
  if (peers.some(({ name }) => name === 'VictoriaMetrics'))
    for (const reason of reasons)
      print(`* VictoriaMetrics: ${reason}; its numbers are compared added up, ours with those of Prometheus one by one`)
} finally {
  clients.kill()
  for (const server of servers) await server.stop()
}
