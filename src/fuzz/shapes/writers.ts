import { formatRfc3339, type Random } from '../../base/index.ts'
import { eventTime, pack, type Packable } from './pack.ts'

/** The values of one record, whatever logger writes it. */
export interface DrawnRecord {
  /** The time in nanoseconds since 1970. */
  readonly ns: bigint
  readonly text: string
  /** `error`, `warn`, `info` or `debug`. */
  readonly level: string
  readonly service: string
  readonly trace: string
  /** An additional field that is part of no known shape. */
  readonly amount: number
}

/** Values that must be stored for a record, as far as the format contains them. */
export interface Expected {
  readonly ns: bigint
  readonly text: string
  readonly level?: string
  readonly service?: string
  readonly trace?: string
  readonly amount?: number
}

export interface WrittenPayload {
  readonly body: Buffer
  readonly expected: readonly Expected[]
}

/** Writes records in the shape of one logger and the format of one protocol. */
export interface ShapeWriter {
  readonly name: string
  /** Name of the decoder. By default, the decoder is chosen by payload and content type. */
  readonly format?: string
  readonly contentType?: string
  /** True if a text may have several lines. */
  readonly hasLines: boolean
  readonly write: (records: readonly DrawnRecord[], random: Random) => WrittenPayload
}

/** Truncates a time to a number of decimal digits of the second, at most nine. */
function cut(ns: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(9 - digits)
  return (ns / unit) * unit
}

const iso = (ns: bigint): string => formatRfc3339(ns)
const millis = (ns: bigint): number => Number(ns / 1_000_000n)

/** Returns all values of a record, with the time truncated to the written digits. */
function whole(record: DrawnRecord, digits = 9): Expected {
  return { ...record, ns: cut(record.ns, digits) }
}

type Shape = (record: DrawnRecord) => { readonly json: object; readonly digits: number }

/** Shapes of loggers that write objects, with the fields of their documentation. */
const shapes: Readonly<Record<string, Shape>> = {
  pino: ({ ns, text, level, service, trace, amount }) => ({
    json: {
      level: { debug: 20, info: 30, warn: 40, error: 50 }[level],
      time: millis(ns),
      pid: 7,
      hostname: 'h',
      name: service,
      msg: text,
      traceId: trace,
      amount,
    },
    digits: 3,
  }),
  plain: ({ ns, text, level, service, trace, amount }) => ({
    json: { timestamp: iso(ns), message: text, severity: level, service, traceId: trace, amount },
    digits: 9,
  }),
  zap: ({ ns, text, level, service, trace, amount }) => ({
    json: { level, ts: iso(ns), logger: service, caller: 'a/b.go:1', msg: text, 'trace.id': trace, amount },
    digits: 9,
  }),
  elastic: ({ ns, text, level, service, trace, amount }) => ({
    json: {
      '@timestamp': iso(ns),
      'log.level': level,
      message: text,
      service: { name: service },
      trace: { id: trace },
      amount,
    },
    digits: 9,
  }),
}

function shaped(random: Random, records: readonly DrawnRecord[]): readonly (readonly [object, Expected])[] {
  return records.map((record) => {
    const { json, digits } = random.pick(Object.values(shapes))(record)
    return [json, whole(record, digits)]
  })
}

/** Creates writers for objects in the shapes of several loggers; `join` concatenates the objects. */
function objects(
  name: string,
  join: (texts: readonly string[], random: Random) => string,
  rest: Pick<ShapeWriter, 'format' | 'contentType'> = {},
  about: (json: object, record: DrawnRecord) => object = (json) => json,
): ShapeWriter {
  return {
    name,
    ...rest,
    hasLines: true,
    write: (records, random) => {
      const made = shaped(random, records)
      const texts = made.map(([json], i) => JSON.stringify(about(json, records[i] as DrawnRecord)))
      return { body: Buffer.from(join(texts, random)), expected: made.map(([, expected]) => expected) }
    },
  }
}

/** Makes a writer that writes each record as lines by `line`. */
function lines(
  name: string,
  line: (record: DrawnRecord) => readonly [text: string, expected: Expected],
  rest: Partial<ShapeWriter> = {},
): ShapeWriter {
  return {
    name,
    contentType: 'text/plain',
    hasLines: false,
    ...rest,
    write: (records) => {
      const made = records.map(line)
      return {
        body: Buffer.from(made.map(([text]) => `${text}\n`).join('')),
        expected: made.map(([, expected]) => expected),
      }
    },
  }
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const escaped = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`

const COLUMNS = ['time', 'level', 'message', 'service', 'traceId', 'amount'] as const

function table(name: string, separator: string, contentType: string): ShapeWriter {
  return {
    name,
    contentType,
    hasLines: true,
    write: (records, random) => {
      const end = random.pick(['\n', '\r\n'])
      const rows = records.map(({ ns, level, text, service, trace, amount }) =>
        [iso(ns), level, quoted(text), quoted(service), trace, String(amount)].join(separator),
      )
      return {
        body: Buffer.from([COLUMNS.join(separator), ...rows, ''].join(end)),
        expected: records.map((record) => whole(record)),
      }
    },
  }
}

/** Writes `[time, record]` of the Fluentd forward protocol. */
function entry({ ns, text, level, service, trace, amount }: DrawnRecord, random: Random): Packable {
  const record = { message: text, level, service, traceId: trace, amount }
  const time = eventTime(ns)
  return [random.next() < 0.3 ? [time, {}] : time, record]
}

function forward(
  name: string,
  message: (entries: readonly Packable[]) => readonly Buffer[],
  format = 'forward',
): ShapeWriter {
  return {
    name,
    format,
    hasLines: true,
    write: (records, random) => ({
      body: Buffer.concat(message(records.map((record) => entry(record, random)))),
      expected: records.map((record) => whole(record)),
    }),
  }
}

/** Writes a field of the journal's export format: on one line, or with its length when the value has line breaks. */
function journalField(name: string, value: string): Buffer {
  if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`)
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')])
}

/** Writes a time as access logs do: `02/Jan/2026:03:04:05 +0000`. */
function accessTime(ns: bigint): string {
  const [date = '', time = ''] = iso(cut(ns, 0)).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const name = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[Number(month) - 1]
  return `${day}/${name}/${year}:${time.slice(0, 8)} +0000`
}

export const writers: readonly ShapeWriter[] = [
  objects('JSON lines', (texts) => `${texts.join('\n')}\n`, { contentType: 'application/x-ndjson' }),
  objects('a JSON list', (texts, random) => `[${texts.join(random.pick([',', ' ,\n']))}]`, {
    contentType: 'application/json',
  }),
  objects('the bulk API', (texts) => texts.map((text) => `{"create":{"_index":"i"}}\n${text}\n`).join(''), {
    format: 'elasticsearch-bulk',
  }),
  objects('an intake of logs', (texts) => `[${texts.join(',')}]`, { format: 'datadog' }),
  objects(
    'an event collector',
    (texts, random) => texts.join(random.pick(['', '\n', ' '])),
    { format: 'splunk-events' },
    (json) => ({ event: json }),
  ),
  table('CSV', ',', 'text/csv'),
  table('TSV', '\t', 'text/tab-separated-values'),
  lines('logfmt', (record) => {
    const { ns, text, level, service, trace, amount } = record
    const line = `ts=${iso(ns)} level=${level} msg=${escaped(text)} service=${service} traceId=${trace} amount=${amount}`
    return [line, whole(record)]
  }),
  lines(
    'lines with what belongs to them',
    ({ ns, text, level }) => {
      const line = `${iso(ns)} ${level.toUpperCase()} ${text.replaceAll('\n', '\n\tat ')}`
      return [line, { ns, text: line, level }]
    },
    { hasLines: true },
  ),
  lines('an access log', ({ ns, service, amount }) => {
    const line = `192.0.2.7 - ann [${accessTime(ns)}] "GET /${service} HTTP/1.1" 200 ${amount} "-" "curl/8.5"`
    return [line, { ns: cut(ns, 0), text: line }]
  }),
  {
    name: 'syslog',
    format: 'syslog',
    hasLines: false,
    write: (records) => ({
      body: Buffer.concat(
        records.map(({ ns, level, text, service, trace, amount }) => {
          const priority = 8 + ({ error: 3, warn: 4, info: 6, debug: 7 }[level] ?? 6)
          const data = `[x@1 amount="${amount}" trace="${trace}"]`
          const message = Buffer.from(`<${priority}>1 ${iso(cut(ns, 6))} h ${service} 1 - ${data} ${text}`)
          return Buffer.concat([Buffer.from(`${message.length} `), message])
        }),
      ),
      expected: records.map(({ ns, text, level, service }) => ({
        ns: cut(ns, 6),
        text,
        service,
        level,
      })),
    }),
  },
  {
    name: 'a journal',
    format: 'journal',
    hasLines: true,
    write: (records) => ({
      body: Buffer.concat(
        records.flatMap(({ ns, level, text, service }) => [
          journalField('__REALTIME_TIMESTAMP', String(ns / 1000n)),
          journalField('PRIORITY', String({ error: 3, warn: 4, info: 6, debug: 7 }[level])),
          journalField('MESSAGE', text),
          journalField('SYSLOG_IDENTIFIER', service),
          Buffer.from('\n'),
        ]),
      ),
      expected: records.map(({ ns, text, service }) => ({ ns: cut(ns, 6), text, service })),
    }),
  },
  {
    name: 'a push of Loki',
    format: 'loki-json',
    hasLines: true,
    write: (records) => {
      const streams = records.map(({ ns, text, level, service, trace }) => ({
        stream: { service, level },
        values: [[String(ns), text, { traceId: trace }]],
      }))
      return {
        body: Buffer.from(JSON.stringify({ streams })),
        expected: records.map(({ ns, text, level, service, trace }) => ({ ns, text, level, service, trace })),
      }
    },
  },
  {
    name: 'OTLP',
    format: 'otlp-json',
    hasLines: true,
    write: (records) => {
      const attribute = (key: string, stringValue: string): object => ({ key, value: { stringValue } })
      const resourceLogs = records.map(({ ns, text, level, service, trace }) => ({
        resource: { attributes: [attribute('service.name', service)] },
        scopeLogs: [
          {
            logRecords: [
              { timeUnixNano: String(ns), severityText: level, body: { stringValue: text }, traceId: trace },
            ],
          },
        ],
      }))
      return {
        body: Buffer.from(JSON.stringify({ resourceLogs })),
        expected: records.map(({ ns, text, level, service, trace }) => ({ ns, text, level, service, trace })),
      }
    },
  },
  forward('forward, messages', (entries) =>
    entries.map((each) => {
      const [stamp, record] = each as readonly [Packable, Packable]
      // A message with a single record has only the time of the record.
      return pack(['tag', Array.isArray(stamp) ? (stamp[0] as Packable) : stamp, record])
    }),
  ),
  forward('forward, lists', (entries) => [pack(['tag', entries, { size: entries.length }])]),
  forward('forward, packed', (entries) => [pack(['tag', Buffer.concat(entries.map(pack))])]),
  forward('forward, packed as a body', (entries) => entries.map(pack), 'forward-entries'),
]
