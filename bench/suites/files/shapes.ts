import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { daySeconds, dayStartNs, jsonLine, logRecords, markerWord, type LogRecord } from '../../datasets.ts'
import { Random } from '../../random.ts'

/** A format in which people write log files. */
export interface Shape {
  readonly extension: 'ndjson' | 'csv' | 'log'
  /** The first line of the file. */
  readonly header?: string
  /** Writes one record with its line breaks, except the last. */
  readonly line: (record: TimedRecord, random: Random) => string
}

interface TimedRecord extends LogRecord {
  /** The time in nanoseconds since 1970, not before that of the previous record. */
  timeNs: bigint
  row: number
}

/** One record in this many has the marker word, so that a question for the newest 20 has more to choose from. */
const MARKER_EVERY = 5003
/** One record in this many is an error with a stack trace in Java's text format. */
const STACK_EVERY = 500
const LINES_PER_CHUNK = 2500
/** The number of lines whose mean length predicts the rows of a file. */
const MEASURED_LINES = 5000

const methods = ['GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE']
const resources = ['orders', 'carts', 'users', 'invoices', 'shipments', 'products', 'sessions', 'prices', 'reviews']
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0',
  'okhttp/5.1.0',
  'kube-probe/1.34',
]
const errorTypes = ['TypeError', 'RangeError', 'TimeoutError', 'DatabaseError']
const javaLevels: Readonly<Record<string, string>> = { info: 'INFO', debug: 'DEBUG', warn: 'WARN', error: 'ERROR' }
const pinoLevels: Readonly<Record<string, number>> = { info: 30, debug: 20, warn: 40, error: 50 }
/** Severities of RFC 5424. */
const severities: Readonly<Record<string, number>> = { info: 6, debug: 7, warn: 4, error: 3 }
const LOCAL0 = 16

const isoTime = ({ timeNs }: TimedRecord): string => new Date(Number(timeNs / 1_000_000n)).toISOString()
const nanoTime = (record: TimedRecord): string =>
  `${isoTime(record).slice(0, 19)}.${String(record.timeNs % 1_000_000_000n).padStart(9, '0')}Z`
const ipOf = (random: Random): string => `10.${random.below(64)}.${random.below(256)}.${1 + random.below(254)}`
const urlOf = (random: Random): string =>
  `/api/v${1 + random.below(3)}/${random.pick(resources)}/${random.below(100_000)}`
const isMarked = ({ row }: TimedRecord): boolean => row % MARKER_EVERY === MARKER_EVERY - 1
const withMarker = (text: string, record: TimedRecord): string => (isMarked(record) ? `${text} ${markerWord}` : text)
const csvText = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function className(workload: string): string {
  return workload.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
}

function pino(record: TimedRecord, random: Random): string {
  const { level, timeNs, workload, pod, traceId, status, durationMs } = record
  const head = {
    level: pinoLevels[level],
    time: Number(timeNs / 1_000_000n),
    pid: 1 + random.below(400),
    hostname: pod,
    name: workload,
  }
  if (level === 'error') {
    const type = random.pick(errorTypes)
    const message = `${random.pick(resources)} of ${traceId.slice(0, 12)} cannot be read`
    const stack = [`${type}: ${message}`]
    for (const name of ['read', 'handle', 'next'])
      stack.push(
        `    at ${name} (/app/dist/${random.pick(resources)}.js:${1 + random.below(900)}:${1 + random.below(80)})`,
      )
    return JSON.stringify({
      ...head,
      err: { type, message, stack: stack.join('\n') },
      msg: withMarker('request failed', record),
    })
  }
  return JSON.stringify({
    ...head,
    req: { id: traceId.slice(0, 16), method: random.pick(methods), url: urlOf(random), remoteAddress: ipOf(random) },
    res: { statusCode: status },
    responseTime: durationMs,
    msg: withMarker(status < 500 ? 'request completed' : 'request errored', record),
  })
}

function access(record: TimedRecord, random: Random): string {
  const time = isoTime(record)
  const user = random.below(4) === 0 ? `user${random.below(90_000)}` : '-'
  const request = `${random.pick(methods)} ${urlOf(random)} HTTP/1.1`
  const bytes = Math.round(Math.exp(7 + 1.8 * random.normal()))
  const referer = random.below(3) === 0 ? '-' : `https://shop.example/${random.pick(resources)}`
  const agent = withMarker(random.pick(agents), record)
  return `${ipOf(random)} - ${user} [17/Mar/2026:${time.slice(11, 19)} +0000] "${request}" ${record.status} ${bytes} "${referer}" "${agent}"`
}

const logfmtTail = ({ workload, pod, status, durationMs, traceId }: TimedRecord): string =>
  `service=${workload} pod=${pod} status=${status} duration=${durationMs} trace_id=${traceId.slice(0, 16)}`

function text(record: TimedRecord, random: Random): string {
  const hasStack = record.row % STACK_EVERY === STACK_EVERY - 1
  const level = hasStack ? 'ERROR' : javaLevels[record.level]
  const logger = `com.shop.${className(record.workload)}`
  const thread = random.below(5) === 0 ? 'main' : `http-nio-8080-exec-${1 + random.below(32)}`
  const first = `${isoTime(record).slice(0, 23).replace('T', ' ')} ${level} [${thread}] ${logger} - ${record.content}`
  if (!hasStack) return first
  const stack = ['handle', 'process', 'invoke', 'doFilter', 'run'].map(
    (name) => `\tat ${logger}$Handler.${name}(${className(record.namespace)}.java:${10 + random.below(600)})`,
  )
  return [first, ...stack].join('\n')
}

function cri(record: TimedRecord): string {
  const stream = record.level === 'error' ? 'stderr' : 'stdout'
  // All programs of one namespace log in the same format.
  const isLogfmt = record.namespace.length % 3 !== 0
  const inner = isLogfmt
    ? `level=${record.level} msg=${JSON.stringify(record.content)} ${logfmtTail(record)}`
    : `${record.workload}: ${record.content}`
  return `${nanoTime(record)} ${stream} F ${inner}`
}

export const shapes = {
  flat: { extension: 'ndjson', line: jsonLine },
  pino: { extension: 'ndjson', line: pino },
  csv: {
    extension: 'csv',
    header: 'time,level,service,namespace,pod,trace_id,method,status,duration,message',
    line: (record, random) =>
      [
        isoTime(record),
        record.level,
        record.workload,
        record.namespace,
        record.pod,
        record.traceId.slice(0, 16),
        random.pick(methods),
        record.status,
        record.durationMs,
        csvText(record.content),
      ].join(','),
  },
  access: { extension: 'log', line: access },
  logfmt: {
    extension: 'log',
    line: (record) =>
      `time=${isoTime(record)} level=${record.level} msg=${JSON.stringify(record.content)} ${logfmtTail(record)}`,
  },
  text: { extension: 'log', line: text },
  syslog: {
    extension: 'log',
    line: (record, random) => {
      const priority = LOCAL0 * 8 + severities[record.level]
      const host = `node-${record.cluster}-${record.namespace}`
      const clock = isoTime(record).slice(11, 19)
      return `<${priority}>Mar 17 ${clock} ${host} ${record.workload}[${100 + random.below(900)}]: ${record.content}`
    },
  },
  cri: { extension: 'log', line: cri },
} as const satisfies Readonly<Record<string, Shape>>

export type ShapeName = keyof typeof shapes
export const shapeNames = Object.keys(shapes) as readonly ShapeName[]

/** Yields records of one day with ascending times. Every record is the same object with new values. */
function* timedRecords(rows: number, seed: number): Generator<TimedRecord> {
  const random = new Random(seed ^ 0x71e5)
  const stepNs = (daySeconds * 1e9) / rows
  let row = 0
  for (const record of logRecords({ rows, seed })) {
    const offsetNs = Math.floor((row + random.unit()) * stepNs)
    const timed: TimedRecord = Object.assign(record, { offsetNs, timeNs: dayStartNs + BigInt(offsetNs), row })
    // The marker word is removed here: the record generator already adds it to one in a million records.
    timed.content = withMarker(timed.content.replace(` ${markerWord}`, ''), timed)
    yield timed
    row++
  }
}

/** Yields the file of a shape in chunks of complete lines. */
function* chunksOf(shape: Shape, rows: number, seed: number): Generator<Buffer> {
  const random = new Random(seed ^ 0x5a9e)
  let lines: string[] = shape.header === undefined ? [] : [shape.header]
  for (const record of timedRecords(rows, seed)) {
    lines.push(shape.line(record, random))
    if (lines.length >= LINES_PER_CHUNK) {
      yield Buffer.from(`${lines.join('\n')}\n`)
      lines = []
    }
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** Writes about `megabytes` of a shape into a folder, unless the file exists. Returns its path. */
export async function writeShape(folder: string, name: ShapeName, megabytes: number): Promise<string> {
  const seed = 1
  const shape: Shape = shapes[name]
  const file = join(folder, `${name}.${shape.extension}`)
  if (existsSync(file)) return file
  let measuredBytes = 0
  for (const chunk of chunksOf(shape, MEASURED_LINES, seed)) measuredBytes += chunk.length
  const rows = Math.max(1, Math.round((megabytes * 1e6 * MEASURED_LINES) / measuredBytes))
  const partial = `${file}.partial`
  const out = createWriteStream(partial)
  for (const chunk of chunksOf(shape, rows, seed)) if (!out.write(chunk)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
  renameSync(partial, file)
  return file
}
