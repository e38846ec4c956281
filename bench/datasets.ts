import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Instant, rowOf, type StoredRow } from '../src/data/index.ts'
import { Messages } from './messages.ts'
import { Random, Weighted, zipf } from './random.ts'

/** The start of the day of every generated record: 2026-03-17 UTC, in nanoseconds since 1970. */
export const dayStartNs = 1773705600_000_000_000n
export const daySeconds = 86400

export interface DatasetOptions {
  readonly rows: number
  readonly seed: number
  /** Lines of a real log file, used as every second message. */
  readonly bodies?: readonly string[]
}

/** One generated log record. `offsetNs` counts from `dayStartNs`. */
export interface LogRecord {
  offsetNs: number
  level: string
  workload: string
  namespace: string
  env: string
  cluster: string
  pod: string
  traceId: string
  status: number
  durationMs: number
  content: string
}

/** A word that occurs in one of a million messages. */
export const markerWord = 'zyxquartz'

const levels = ['info', 'debug', 'warn', 'error']
const envs = ['prod', 'staging', 'dev']
const clusters = ['eu-1', 'eu-2', 'us-1', 'us-2', 'ap-1']
const statuses = [200, 201, 202, 204, 301, 302, 304, 400, 401, 403, 404, 409, 429, 500, 502, 503]
const goodStatus = new Weighted([60, 6, 3, 8, 2, 2, 6, 2, 1, 1, 5, 1, 1, 0.4, 0.3, 0.3])
const badStatus = new Weighted([10, 1, 1, 1, 1, 1, 1, 8, 6, 6, 8, 6, 8, 18, 12, 12])
const namespaces = [
  'payments',
  'checkout',
  'discovery',
  'catalog',
  'identity',
  'shipping',
  'search',
  'pricing',
  'messaging',
  'platform',
  'observability',
  'ingress',
  'billing',
  'fraud',
  'inventory',
  'media',
  'recommendations',
  'support',
  'analytics',
  'mobile',
  'partners',
  'data',
  'batch',
  'security',
  'internal',
  'sandbox',
  'edge',
  'returns',
  'loyalty',
  'legal',
]
const roles = ['api', 'worker', 'gateway', 'cache', 'scheduler', 'consumer', 'proxy']

interface Workload {
  readonly name: string
  readonly namespace: string
  readonly cluster: string
  readonly pods: readonly string[]
}

function workloads(seed: number): readonly Workload[] {
  const random = new Random(seed ^ 0x5eed)
  const taken = new Set<string>()
  return Array.from({ length: 200 }, (_, rank) => {
    const namespace = namespaces[(rank * 7 + (rank >> 3)) % namespaces.length]
    const plain = rank === 5 ? 'checkout-api' : `${namespace}-${roles[rank % roles.length]}`
    const name = taken.has(plain) ? `${plain}-${rank}` : plain
    taken.add(name)
    const set = random.hex(8)
    return {
      name,
      namespace: rank === 5 ? 'checkout' : namespace,
      cluster: random.pick(clusters),
      pods: Array.from({ length: 10 }, () => `${name}-${set}-${random.hex(5)}`),
    }
  })
}

/**
 * Yields records in order of ingestion. Their times are spread evenly over the day, each moved by up to half a second.
 * Every record is the same object with new values. Trace ids are drawn from a pool of a quarter of the row count, so
 * that the rows of a trace are scattered.
 */
export function* logRecords(options: DatasetOptions): Generator<LogRecord> {
  const { rows, seed, bodies = [] } = options
  const random = new Random(seed)
  const all = workloads(seed)
  const pickWorkload = zipf(all.length, 1.05)
  const pickLevel = new Weighted([70, 15, 10, 5])
  const pickEnv = new Weighted([8, 1, 1])
  const messages = new Messages()
  const stepNs = (daySeconds * 1e9) / rows
  const tracePool = Math.max(1, Math.floor(rows / 4))
  const markerAt = (row: number): boolean => (rows < 1_000_000 ? row === rows >> 1 : row % 1_000_000 === 437_519)
  const record: LogRecord = {
    offsetNs: 0,
    level: '',
    workload: '',
    namespace: '',
    env: '',
    cluster: '',
    pod: '',
    traceId: '',
    status: 0,
    durationMs: 0,
    content: '',
  }
  for (let row = 0; row < rows; row++) {
    const jitterNs = random.below(1_000_000_000) - 500_000_000
    record.offsetNs = Math.min(daySeconds * 1e9 - 1, Math.max(0, Math.floor(row * stepNs) + jitterNs))
    const workload = all[pickWorkload.draw(random)]
    const level = pickLevel.draw(random)
    const isBad = level === 3 || (level === 2 && random.unit() < 0.5)
    record.level = levels[level]
    record.workload = workload.name
    record.namespace = workload.namespace
    record.env = envs[pickEnv.draw(random)]
    record.cluster = workload.cluster
    record.pod = random.pick(workload.pods)
    record.traceId = traceId(seed, random.below(tracePool))
    record.status = statuses[(isBad ? badStatus : goodStatus).draw(random)]
    record.durationMs = Math.round(Math.exp(3.4 + 1.2 * random.normal()) * 1000) / 1000
    const isBody = bodies.length > 0 && (row & 1) === 1
    record.content = isBody ? random.pick(bodies) : messages.text(random, isBad)
    if (markerAt(row)) record.content += ` ${markerWord}`
    yield record
  }
}

const MIX = [0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1]

/** Returns one of the four words of the trace id with number `index`. */
export function traceWord(seed: number, index: number, place: number): number {
  let h = Math.imul(index + 1, MIX[place]) ^ seed
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** The number of words of a trace id. */
export const traceWords = MIX.length

/** Returns the trace id with number `index` as 32 hex digits. */
export function traceId(seed: number, index: number): string {
  let text = ''
  for (let place = 0; place < traceWords; place++) text += traceWord(seed, index, place).toString(16).padStart(8, '0')
  return text
}

const pad2 = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

function clock(offsetNs: number): string {
  const seconds = Math.floor(offsetNs / 1e9)
  const nanos = offsetNs - seconds * 1e9
  const hour = Math.floor(seconds / 3600)
  return `${pad2[hour]}:${pad2[Math.floor(seconds / 60) % 60]}:${pad2[seconds % 60]}.${String(nanos).padStart(9, '0')}`
}

/** Returns a record as a JSON line without its line break. */
export function jsonLine(r: LogRecord): string {
  return (
    `{"_time":"2026-03-17T${clock(r.offsetNs)}Z","level":"${r.level}","workload":"${r.workload}",` +
    `"namespace":"${r.namespace}","env":"${r.env}","cluster":"${r.cluster}","pod":"${r.pod}",` +
    `"trace_id":"${r.traceId}","status":${r.status},"duration_ms":${r.durationMs},"content":${JSON.stringify(r.content)}}`
  )
}

/** Yields the data set as JSON lines, in chunks of complete lines of about one megabyte. */
export function* jsonLineChunks(options: DatasetOptions): Generator<Buffer> {
  let lines: string[] = []
  for (const record of logRecords(options)) {
    lines.push(jsonLine(record))
    if (lines.length === 2500) {
      yield Buffer.from(`${lines.join('\n')}\n`)
      lines = []
    }
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** Yields the data set as stored rows with the fields of the JSON lines. */
export function* storedRows(options: DatasetOptions): Generator<StoredRow> {
  let sequence = 0
  for (const r of logRecords(options)) {
    const timeNs = dayStartNs + BigInt(r.offsetNs)
    yield {
      timeNs,
      sequence: sequence++,
      row: rowOf([
        ['_time', new Instant(timeNs)],
        ['level', r.level],
        ['workload', r.workload],
        ['namespace', r.namespace],
        ['env', r.env],
        ['cluster', r.cluster],
        ['pod', r.pod],
        ['trace_id', r.traceId],
        ['status', r.status],
        ['duration_ms', r.durationMs],
        ['content', r.content],
      ]),
    }
  }
}

/** Returns the non-empty lines of a log file, each cut to 4,000 characters. */
export function readBodies(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, 4000))
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      bodies: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const bodies = values.bodies === undefined ? [] : readBodies(values.bodies)
  const out = values.out === undefined ? process.stdout : createWriteStream(values.out)
  for (const chunk of jsonLineChunks({ rows: Number(values.rows), seed: Number(values.seed), bodies })) {
    if (!out.write(chunk)) await once(out, 'drain')
  }
  if (out !== process.stdout) out.end()
}

if (import.meta.main) await main()
