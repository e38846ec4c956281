import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { present, seededRandom, type Random } from '../../../src/base/index.ts'
import { printKeyFile } from '../../../src/server/auth/key-file.ts'
import { hashKey, roles } from '../../../src/server/auth/keys.ts'
import { Caller, logSearchBody } from '../attacks/attack.ts'
import { attacks } from '../attacks/list/index.ts'
import { jsonLines, protocols, type Protocol } from '../kill-ingest/protocols.ts'
import { SentBatches } from '../kill-ingest/sent-batches.ts'
import { startServer, type ServerProcess } from '../../harness/server-process.ts'
import { Statuses } from './statuses.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  readonly workers: number
  /** Value of the service's `--memory` option. */
  readonly memory: string
  /** Number of rows stored before the load begins. Much fewer rows follow, so the data hardly grows. */
  readonly firstRows?: number
  readonly print?: (line: string) => void
}

export interface SoakReport {
  readonly statuses: Statuses
  readonly acknowledgedBatches: number
  readonly acknowledgedRows: number
  readonly kills: number
  readonly faults: readonly string[]
  /**
   * Largest resident size in MiB in the first third of the time after the warm-up, without the growth of the data.
   * `lateMiB` is the same for the last third.
   */
  readonly earlyMiB: number
  readonly lateMiB: number
  /** Largest resident size in MiB at any time, including the data. */
  readonly mostMiB: number
}

const SALT = 'a salt for the soak'
const keyOf = (name: string): string => `key-of-${name}-0123456789-0123456789`
const INGEST_KEYS = ['sender-a', 'sender-b', 'sender-c'].map(keyOf)
const LIGHT_KEY = keyOf('light')
const HOSTILE_KEY = keyOf('hostile')
const READER_KEY = keyOf('reader')
const WRITER_KEY = keyOf('writer')

const FIRST_ROWS = 40_000
const ROWS_A_SECOND = 30
/**
 * Kinds of load besides the protocols. The run continues until each kind has had an answer, however slow the machine
 * is.
 */
const LOADS = ['light', 'slow reader', 'cancelled', 'samples', 'metrics', 'deletions', 'monitors', 'hostile']
const ALL_LOADS = [...protocols.map(({ name }) => name), ...LOADS]
/** Bytes of memory that one row of a batch takes, including its word index. */
const ROW_BYTES = 400
const PRINT_MS = 10_000
const TIMEOUT_MS = 3000
const MIB = 2 ** 20

/**
 * Names of attacks that are left out. One moves the clock. The other sends 60 MB; its connection is closed once it
 * exceeds the limit for bodies.
 */
const UNFIT = new Set(['clock steps', 'metrics: 30 million points'])

/** True if the status tells a sender to try again later. */
const isLater = (status: number | undefined): boolean => status === 429 || status === 503

const CODE = /"code":"([^"]+)"/

/**
 * True if a status is a normal effect of load: the server is overloaded, lost a worker, or missed the query's deadline.
 */
const isLoad = (status: string): boolean =>
  /^(429|503 server\/(busy|overloaded|too-many)|503 engine\/worker-lost|\d+ budget\/deadline)/.test(status)

class Soak {
  readonly statuses = new Statuses()
  readonly sent = new SentBatches()
  readonly faults: string[] = []
  readonly samples: { readonly atMs: number; readonly bytes: number }[] = []
  kills = 0
  mostBytes = 0
  readonly #options: SoakOptions
  readonly #random: Random
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-soak-'))
  #startedMs = performance.now()
  #server: ServerProcess | undefined
  /** True if a server runs and is not about to be killed. Only then must every request be answered. */
  #isUp = false
  #generation = 0
  #batch = 0

  constructor(options: SoakOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedMs
  }

  get #isOver(): boolean {
    return this.#elapsedMs > this.#options.seconds * 1000 && this.statuses.hasAll(ALL_LOADS)
  }

  async run(): Promise<void> {
    const names = [...INGEST_KEYS, LIGHT_KEY, HOSTILE_KEY, READER_KEY, WRITER_KEY]
    const keys = names.map((key) => ({
      hash: hashKey(SALT, key),
      email: undefined,
      roles: new Set(roles),
      backends: undefined,
    }))
    writeFileSync(join(this.#folder, 'keys.json'), printKeyFile(SALT, keys))
    try {
      await this.#start()
      this.#isUp = true
      await this.#fill()
      this.#startedMs = performance.now()
      const watching = this.#watch()
      const loads = [
        ...INGEST_KEYS.map((key) => this.#again(() => this.#ingest(key))),
        this.#again(() => this.#light()),
        this.#again(() => this.#light()),
        this.#again(() => this.#readSlowly()),
        this.#again(() => this.#readSlowly()),
        this.#again(() => this.#cancel()),
        this.#again(() => this.#sendSamples()),
        this.#again(() => this.#askMetrics()),
        this.#again(() => this.#delete()),
        this.#again(() => this.#changeMonitors()),
        this.#again(() => this.#attack()),
      ]
      // The first kill comes early, so that the second process, whose memory is watched, runs most of the time.
      await this.#until((0.05 + this.#random.next() * 0.15) * this.#options.seconds * 1000)
      await this.#killAndCheck()
      await Promise.all([...loads, watching])
      await this.#killAndCheck()
    } finally {
      this.#isUp = false
      await this.#server?.kill()
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  async #start(): Promise<void> {
    const { workers, memory } = this.#options
    this.#server = await startServer([
      '--keys',
      join(this.#folder, 'keys.json'),
      '--data',
      join(this.#folder, 'data'),
      '--log-level',
      'error',
      '--timeout',
      `${TIMEOUT_MS}ms`,
      '--workers',
      `${workers}`,
      '--memory',
      memory,
    ])
    this.#server.child.stderr?.on('data', (chunk: Buffer) => {
      for (const [, text] of chunk.toString().matchAll(/"msg":"(internal error[^"]*)"/g))
        this.statuses.count('log', present(text), false)
    })
    this.#generation++
  }

  async #fill(): Promise<void> {
    const { firstRows = FIRST_ROWS } = this.#options
    for (let rows = 0; rows < firstRows; rows += 1000) await this.#sendBatch(present(INGEST_KEYS[0]), 1000, jsonLines)
  }

  async #killAndCheck(): Promise<void> {
    this.#isUp = false
    await this.#server?.kill()
    this.kills++
    await this.#start()
    this.faults.push(...(await this.#check()))
    this.#isUp = true
    this.#options.print?.(
      `killed, started again, ${this.sent.batches} batches looked for: ${this.faults.length} faults`,
    )
  }

  /**
   * Checks that all acknowledged batches are present. Returns the faults. Retries, because on a busy machine the query
   * may miss its deadline.
   */
  async #check(tries = 5): Promise<readonly string[]> {
    try {
      return await this.sent.check(this.#address, LIGHT_KEY)
    } catch (error) {
      if (tries === 1) throw error
      return this.#check(tries - 1)
    }
  }

  get #address(): string {
    return present(this.#server).address
  }

  async #until(ms: number): Promise<void> {
    while (this.#elapsedMs < ms) await sleep(20)
  }

  /** Repeats one kind of load until the run ends, except while no server is up. */
  async #again(once: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      if (this.#isUp) await once()
      else await sleep(50)
    }
  }

  /**
   * Sends one request and counts its outcome. With `paceMs`, pauses that many milliseconds after each chunk of the
   * answer. Resolves with the status, including the error code, and the start of the answer.
   */
  #send(
    load: string,
    key: string,
    path: string,
    body: string,
    {
      type = 'application/json',
      method = 'POST',
      paceMs = 0,
      isExpected = (_: string): boolean => false,
      abortMs = 0,
    } = {},
  ): Promise<{ readonly status: string; readonly text: string }> {
    const generation = this.#generation
    return new Promise((resolve) => {
      const done = (status: string, text = ''): void => {
        // A request that was in flight when the server was killed has no answer.
        const wasKilled = !this.#isUp || generation !== this.#generation
        const isCut = status.startsWith('cut')
        if (!(isCut && wasKilled))
          this.statuses.count(load, status, /^20\d/.test(status) || isExpected(status) || (isCut && abortMs > 0))
        resolve({ status, text })
      }
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type, Accept: 'application/x-ndjson' }
      const outgoing = request(new URL(path, this.#address), { method, headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => {
          if (text.length < 2000) text += chunk.toString('latin1')
          if (paceMs === 0) return
          answer.pause()
          setTimeout(() => answer.resume(), paceMs)
        })
        answer.once('error', (error) => done(`cut ${error.message}`))
        answer.once('end', () => {
          const { statusCode = 0 } = answer
          done(statusCode < 400 ? `${statusCode}` : `${statusCode} ${CODE.exec(text)?.[1] ?? ''}`, text)
        })
      })
      outgoing.once('error', (error) => done(`cut ${error.message}`))
      outgoing.end(body)
      if (abortMs > 0) setTimeout(() => outgoing.destroy(), abortMs)
    })
  }

  /**
   * Sends a batch again and again, always under the same name, until it is not refused for load. Nothing of a refused
   * batch may have been stored, so no row may be duplicated.
   */
  async #sendBatch(key: string, rows: number, protocol: Protocol): Promise<void> {
    const batch = `b${this.#batch++}`
    for (;;) {
      const generation = this.#generation
      const status = await this.sent.send(this.#address, key, batch, rows, protocol)
      const wasKilled = !this.#isUp || generation !== this.#generation
      if (status !== undefined || !wasKilled)
        this.statuses.count(
          protocol.name,
          status === undefined ? 'cut' : `${status}`,
          status !== undefined && (status < 300 || isLater(status)),
        )
      // A batch without an answer may be stored, so sending it again could duplicate its rows.
      if (!isLater(status)) return
      await sleep(200)
    }
  }

  async #ingest(key: string): Promise<void> {
    const rows = 1 + this.#random.below(20)
    await this.#sendBatch(key, rows, present(protocols[this.#random.below(protocols.length)]))
    await sleep((rows / (ROWS_A_SECOND / INGEST_KEYS.length)) * 1000)
  }

  async #light(): Promise<void> {
    const query = 'batch:b1 | stats count() as n'
    const { status, text } = await this.#send('light', LIGHT_KEY, '/api/logs/v2/search', this.#logSearch(query), {
      isExpected: isLoad,
    })
    if (status === '200' && !/^\[?\{"n":\d+\}/.test(text))
      this.statuses.count('light', `wrong: ${text.slice(0, 80)}`, false)
    await sleep(50)
  }

  #logSearch(query: string, more: object = {}): string {
    const range = { start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z' }
    return JSON.stringify({ ...(JSON.parse(logSearchBody(query)) as object), ...range, ...more })
  }

  async #readSlowly(): Promise<void> {
    const body = this.#logSearch('*', { enableStream: true })
    await this.#send('slow reader', READER_KEY, '/api/logs/v2/search', body, {
      paceMs: 5 + this.#random.below(100),
      abortMs: 2000 + this.#random.below(4000),
      // A stream that misses its deadline is cut off.
      isExpected: (status) => isLoad(status) || status.startsWith('cut'),
    })
  }

  async #cancel(): Promise<void> {
    await this.#send('cancelled', READER_KEY, '/api/logs/v2/search', this.#logSearch('* | sort by (content, batch)'), {
      abortMs: 1 + this.#random.below(60),
      isExpected: isLoad,
    })
    await sleep(30)
  }

  async #sendSamples(): Promise<void> {
    const atMs = Date.now()
    const lines = Array.from({ length: 50 }, (_, i) => `soak{pod="p${i}"} ${i} ${atMs}`)
    const [first] = INGEST_KEYS
    await this.#send('samples', present(first), '/api/v1/import/prometheus', `${lines.join('\n')}\n`, {
      type: 'text/plain',
      isExpected: isLoad,
    })
    await sleep(1000)
  }

  async #askMetrics(): Promise<void> {
    const end = Math.floor(Date.now() / 1000)
    const query = encodeURIComponent('sum by (pod) (rate(soak[1m]))')
    const path = `/api/v1/query_range?query=${query}&start=${end - 600}&end=${end}&step=15`
    await this.#send('metrics', LIGHT_KEY, path, '', { method: 'GET', isExpected: isLoad })
    await sleep(200)
  }

  async #delete(): Promise<void> {
    const status = await this.sent.delete(this.#address, WRITER_KEY, (below) => this.#random.below(below))
    if (status !== undefined) this.statuses.count('deletions', `${status}`, status === 200 || isLater(status))
    await sleep(2000)
  }

  /** Creates a monitor, lists monitors and deletes the new one. */
  async #changeMonitors(): Promise<void> {
    const title = `m${this.#random.below(1e9)}`
    const how = { isExpected: isLoad }
    const body = JSON.stringify({ title, severity: 'S1' })
    const made = await this.#send('monitors', WRITER_KEY, '/api/monitors', body, how)
    const id = /"monitorId":"([^"]+)"/.exec(made.text)?.[1]
    await this.#send('monitors', WRITER_KEY, '/api/monitors/list', '{"limit":10}', how)
    if (id !== undefined)
      await this.#send('monitors', WRITER_KEY, `/api/monitors/${id}`, '', { ...how, method: 'DELETE' })
    await sleep(200)
  }

  /** Runs a random attack for a while, chosen from those that leave no data behind and need no catalog. */
  async #attack(): Promise<void> {
    const harmless = attacks.filter(
      ({ leavesData, catalog, name }) => leavesData !== true && catalog === undefined && !UNFIT.has(name),
    )
    const attack = present(harmless[this.#random.below(harmless.length)])
    const { hostname, port } = new URL(this.#address)
    const process = present(this.#server)
    const generation = this.#generation
    const address = { host: hostname, port: Number(port) }
    const caller = new Caller(
      { process, address, pid: present(process.child.pid) },
      HOSTILE_KEY,
      AbortSignal.timeout(TIMEOUT_MS + 500),
    )
    await attack.run(caller).catch((error: unknown) => {
      if (!caller.signal.aborted) throw error
    })
    caller.close()
    const wasKilled = !this.#isUp || generation !== this.#generation
    for (const [status, count] of caller.outcomes) {
      const isFault =
        /^50[02]/.test(status) || (status === 'cut' && attack.isOne === true && !wasKilled && !caller.signal.aborted)
      for (let i = 0; i < count; i++)
        this.statuses.count('hostile', isFault ? `${status} ${attack.name}` : status, !isFault)
    }
  }

  async #watch(): Promise<void> {
    let printedMs = 0
    while (!this.#isOver) {
      await sleep(500)
      const bytes = this.#residentBytes()
      if (bytes === 0) continue
      this.mostBytes = Math.max(this.mostBytes, bytes)
      this.samples.push({ atMs: this.#elapsedMs, bytes: bytes - this.sent.acknowledgedRows * ROW_BYTES })
      if (this.#elapsedMs - printedMs < PRINT_MS) continue
      printedMs = this.#elapsedMs
      this.#options.print?.(
        `${(this.#elapsedMs / 1000).toFixed(0).padStart(4)} s  ${(bytes / MIB).toFixed(0).padStart(5)} MiB  ${this.statuses.total} requests, ${this.sent.acknowledgedRows} rows, ${this.statuses.unexplained.length} unexplained  (${await this.#shares()})`,
      )
    }
  }

  /** Returns the use of each memory share in MiB, so that a report of exceeded memory shows the responsible share. */
  async #shares(): Promise<string> {
    try {
      const answer = await fetch(`${this.#address}/metrics`, { headers: { Authorization: `Bearer ${LIGHT_KEY}` } })
      const lines = (await answer.text()).matchAll(/^sluice_memory_bytes\{share="(\w+)"\} (\S+)$/gm)
      return Array.from(lines, ([, share, bytes]) => `${share} ${(Number(bytes) / MIB).toFixed(0)}`).join(', ')
    } catch {
      return 'no answer'
    }
  }

  #residentBytes(): number {
    try {
      const status = readFileSync(`/proc/${this.#server?.child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  }
}

/**
 * Runs many kinds of load at once: senders that retry, light queries, slow readers, cancelled queries, changes of
 * monitors, and one attack after another. The service is killed once during the run and once at the end. After each
 * kill every acknowledged row must be present.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const soaking = new Soak(options)
  await soaking.run()
  const { statuses, sent, kills, faults, samples } = soaking
  const warmMs = options.seconds * 1000 * 0.25
  const lastMs = samples.at(-1)?.atMs ?? 0
  const third = (lastMs - warmMs) / 3
  const most = (fromMs: number, toMs: number): number =>
    samples.reduce(
      (bytes, sample) => (sample.atMs >= fromMs && sample.atMs < toMs ? Math.max(bytes, sample.bytes) : bytes),
      0,
    ) / MIB
  return {
    statuses,
    acknowledgedBatches: sent.acknowledgedBatches,
    acknowledgedRows: sent.acknowledgedRows,
    kills,
    faults,
    earlyMiB: most(warmMs, warmMs + third),
    lateMiB: most(lastMs - third, Infinity),
    mostMiB: soaking.mostBytes / MIB,
  }
}
