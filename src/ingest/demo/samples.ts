import { MIB, seededRandom, type Random } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import type { MetricCatalog, SampleColumns, SampleStore } from '../../store/index.ts'
import {
  TIMEOUT_SECONDS,
  demoCluster,
  demoEnvironment,
  demoWorkloads,
  incident,
  phaseAt,
  type DemoOptions,
  type DemoWorkload,
  type IncidentPhase,
} from './incident.ts'

export interface DemoSampleOptions extends DemoOptions {
  readonly store: SampleStore
  readonly catalog?: MetricCatalog
  /** Seconds between two samples of a series; 30 by default. */
  readonly scrapeSeconds?: number
}

const metrics = [
  ['up', 'gauge', 'Whether the last scrape of the pod succeeded.', ''],
  ['http_requests', 'counter', 'Requests answered, by status code and method.', ''],
  [
    'http_request_duration_seconds',
    'histogram',
    'Time from the first byte of a request to the last of its answer.',
    'seconds',
  ],
  ['container_cpu_usage_seconds', 'counter', 'Processor time used by the pod.', 'seconds'],
  ['container_memory_working_set_bytes', 'gauge', 'Memory that the pod cannot give back.', 'bytes'],
  ['container_memory_limit_bytes', 'gauge', 'Memory the pod may use.', 'bytes'],
  ['pod_restarts', 'counter', 'Restarts of the pod.', ''],
  ['db_pool_connections_in_use', 'gauge', 'Connections taken from the pool.', ''],
  ['db_pool_connections_max', 'gauge', 'Size of the pool.', ''],
] as const

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

const MEMORY_LIMIT = 512 * MIB
const POOL_SIZE = 20
/** Number of minutes for which a crashed pod does not respond to scrapes. */
const DOWN_MINUTES = 1.5

/** The share of requests that fail in each phase, and their status code, by workload. */
const FAILURES: ReadonlyMap<
  string,
  { readonly code: string; readonly share: Readonly<Record<IncidentPhase, number>> }
> = new Map([
  ['payments', { code: '500', share: { calm: 0.001, rising: 0.03, broken: 0.38, recovering: 0.06 } }],
  ['checkout-api', { code: '504', share: { calm: 0.0005, rising: 0.02, broken: 0.31, recovering: 0.05 } }],
  ['frontend', { code: '504', share: { calm: 0.0005, rising: 0.005, broken: 0.12, recovering: 0.02 } }],
])

/** Average response time outside of the incident, in seconds. */
const MEAN_SECONDS: ReadonlyMap<string, number> = new Map([
  ['frontend', 0.06],
  ['checkout-api', 0.045],
  ['payments', 0.03],
  ['inventory', 0.02],
  ['catalog', 0.012],
  ['mailer', 0.08],
  ['ledger-db', 0.004],
])

/** A counter of requests. It keeps increasing from scrape to scrape and starts again at zero when its pod restarts. */
type RequestCounter = readonly [code: string, method: string, share: number, counter: Counter]

class Counter {
  readonly #series: SampleColumns
  value = 0
  startTimeMs: number

  constructor(store: SampleStore, labels: Labels, startTimeMs: number) {
    this.#series = store.writer.getOrCreateSeries(labels)
    this.startTimeMs = startTimeMs
  }

  reset(timeMs: number): void {
    this.value = 0
    this.startTimeMs = timeMs
  }

  write(timeMs: number, more: number): void {
    this.value += more
    this.#series.append({ timeMs, value: this.value, startTimeMs: this.startTimeMs })
  }

  end(timeMs: number): void {
    this.#series.append({ timeMs, value: NaN, isStale: true })
  }
}

/** A pod with its series. */
class Pod {
  readonly #store: SampleStore
  readonly #workload: DemoWorkload
  readonly #base: Labels
  readonly #counters: Counter[] = []
  readonly #requests: readonly [RequestCounter, ...RequestCounter[]]
  readonly #failed: Counter | undefined
  readonly #buckets: readonly Counter[]
  readonly #sum: Counter
  readonly #count: Counter
  readonly #cpu: Counter
  readonly #restarts: Counter
  readonly #random: Random
  readonly #share: number
  readonly #isDoomed: boolean
  #wasDown = false

  constructor(options: DemoSampleOptions, workload: DemoWorkload, pod: string, firstMs: number, random: Random) {
    this.#store = options.store
    this.#workload = workload
    this.#random = random
    this.#share = 1 / workload.pods.length
    this.#isDoomed = workload.name === 'payments' && pod === workload.pods[0]
    this.#base = Labels.of({
      cluster: demoCluster,
      env: demoEnvironment,
      namespace: workload.namespace,
      workload: workload.name,
      pod,
      job: workload.name,
      instance: `${pod}:8080`,
    })
    const counter = (name: string, more: Readonly<Record<string, string>> = {}, survives = false): Counter => {
      const made = new Counter(options.store, this.#labels(name, more), firstMs)
      if (!survives) this.#counters.push(made)
      return made
    }
    const requests = (code: string, method: string): Counter => counter('http_requests_total', { code, method })
    this.#requests = [
      ['200', 'GET', 0.74, requests('200', 'GET')],
      ['200', 'POST', 0.2, requests('200', 'POST')],
      ['304', 'GET', 0.04, requests('304', 'GET')],
      ['404', 'GET', 0.02, requests('404', 'GET')],
    ]
    const failure = FAILURES.get(workload.name)
    this.#failed = failure === undefined ? undefined : requests(failure.code, 'POST')
    const name = 'http_request_duration_seconds'
    this.#buckets = [...BOUNDS, Infinity].map((bound) =>
      counter(`${name}_bucket`, { le: bound === Infinity ? '+Inf' : String(bound) }),
    )
    this.#sum = counter(`${name}_sum`)
    this.#count = counter(`${name}_count`)
    this.#cpu = counter('container_cpu_usage_seconds_total')
    this.#restarts = counter('pod_restarts_total', {}, true)
  }

  #labels(name: string, more: Readonly<Record<string, string>> = {}): Labels {
    return Labels.from([...this.#base.toPairs(), ...Object.entries(more), ['__name__', name]])
  }

  #gauge(name: string, timeMs: number, value: number): void {
    this.#store.writer.append(this.#labels(name), { timeMs, value })
  }

  scrape(timeMs: number, minutesAgo: number, seconds: number): void {
    const sinceDeath = incident.outOfMemoryMinutesAgo - minutesAgo
    const isDown = this.#isDoomed && sinceDeath >= 0 && sinceDeath < DOWN_MINUTES
    this.#gauge('up', timeMs, isDown ? 0 : 1)
    if (isDown) {
      if (!this.#wasDown) for (const counter of this.#counters) counter.end(timeMs)
      this.#wasDown = true
      return
    }
    if (this.#wasDown) for (const counter of this.#counters) counter.reset(timeMs)
    this.#restarts.write(timeMs, this.#wasDown ? 1 : 0)
    this.#wasDown = false
    const phase = phaseAt(minutesAgo)
    this.#traffic(timeMs, seconds, phase)
    this.#resources(timeMs, minutesAgo, phase)
  }

  #traffic(timeMs: number, seconds: number, phase: IncidentPhase): void {
    const { name, weight } = this.#workload
    const hourOfDay = (timeMs / 3_600_000) % 24
    const daily = 1 + 0.35 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI)
    const noise = 0.85 + 0.3 * this.#random.next()
    const total = Math.round(weight * 1.6 * daily * noise * this.#share * seconds)
    const failedShare = FAILURES.get(name)?.share[phase] ?? 0
    const failed = Math.min(total, Math.round(total * failedShare * (0.8 + 0.4 * this.#random.next())))
    const good = total - failed
    let left = good
    const [[, , , largest], ...others] = this.#requests
    for (const [, , share, counter] of others) {
      const part = Math.min(left, Math.round(good * share))
      counter.write(timeMs, part)
      left -= part
    }
    largest.write(timeMs, left)
    this.#failed?.write(timeMs, failed)
    const slowdown = phase === 'broken' ? 3 : phase === 'rising' || phase === 'recovering' ? 1.6 : 1
    const mean = (MEAN_SECONDS.get(name) ?? 0.05) * (failedShare > 0.01 ? slowdown : 1)
    BOUNDS.forEach((bound, i) => {
      const timedOut = bound < TIMEOUT_SECONDS ? 0 : 1 - Math.exp(-(bound - TIMEOUT_SECONDS + 0.05) / 0.2)
      this.#buckets[i]?.write(timeMs, Math.floor(good * (1 - Math.exp(-bound / mean)) + failed * timedOut))
    })
    this.#buckets[BOUNDS.length]?.write(timeMs, total)
    this.#count.write(timeMs, total)
    this.#sum.write(timeMs, good * mean + failed * (TIMEOUT_SECONDS + 0.15))
    const perRequest = 0.004 + 0.002 * this.#random.next()
    this.#cpu.write(timeMs, (total * perRequest + 0.01 * seconds) * (phase === 'calm' ? 1 : slowdown / 1.5))
  }

  #resources(timeMs: number, minutesAgo: number, phase: IncidentPhase): void {
    const { name } = this.#workload
    const isLeaking = name === 'payments' && phase !== 'calm' && minutesAgo > incident.rollbackMinutesAgo
    // After its restart, the memory of the crashing pod grows again. The other pod runs until the version is rolled
    // back.
    const isRestarted = this.#isDoomed && minutesAgo < incident.outOfMemoryMinutesAgo
    const leakFrom = isRestarted ? incident.outOfMemoryMinutesAgo : incident.deployMinutesAgo
    const leak = isLeaking ? Math.max(0, leakFrom - minutesAgo) * (this.#isDoomed ? 22 : 17) : 0
    const working = Math.min(MEMORY_LIMIT * 0.995, (118 + this.#random.next() * 14 + leak) * MIB)
    this.#gauge('container_memory_working_set_bytes', timeMs, Math.round(working))
    this.#gauge('container_memory_limit_bytes', timeMs, MEMORY_LIMIT)
    if (!this.#workload.calls.includes('ledger-db')) return
    const usual = 3 + Math.floor(this.#random.next() * 4)
    const taken = isLeaking ? Math.floor((incident.deployMinutesAgo - minutesAgo) * 2.2) : 0
    this.#gauge('db_pool_connections_in_use', timeMs, Math.min(POOL_SIZE, usual + taken))
    this.#gauge('db_pool_connections_max', timeMs, POOL_SIZE)
  }
}

/**
 * Fills a store with the series of the incident. Each pod has `up`, requests by code and method, latency buckets,
 * processor time, memory, restarts and connection pools, with `namespace` and `workload`. The same options give the
 * same samples. Returns the number of samples in the store.
 */
export function demoSamples(options: DemoSampleOptions): number {
  const random = seededRandom(options.seed)
  const nowMs = Number(options.nowNs / 1_000_000n)
  const seconds = options.scrapeSeconds ?? 30
  const scrapes = Math.floor((options.hours * 3600) / seconds)
  const firstMs = nowMs - scrapes * seconds * 1000
  const pods = demoWorkloads.flatMap((workload) =>
    workload.pods.map((pod) => new Pod(options, workload, pod, firstMs, random)),
  )
  for (let i = 0; i <= scrapes; i++) {
    const timeMs = firstMs + i * seconds * 1000
    for (const pod of pods) pod.scrape(timeMs, (nowMs - timeMs) / 60_000, seconds)
  }
  options.catalog?.add(metrics.map(([name, type, help, unit]) => ({ name, type, help, unit })))
  return options.store.sampleCount
}
