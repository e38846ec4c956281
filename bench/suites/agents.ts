import { runToEnd } from '../../src/base/index.ts'
import { decoderFor } from '../../src/server/index.ts'
import { newTenant } from '../../src/server/backends/tenant.ts'
import { eventTime, pack } from '../../src/fuzz/shapes/pack.ts'
import { framed } from '../../src/ingest/agents/index.ts'

/**
 * The cost of the formats of log agents compared with JSON lines: decoding, storing and sealing the same records, in
 * processor time of this thread. `npm run bench -- agents [records] [rounds]`.
 */
const [records = 100_000, rounds = 3] = process.argv.slice(2).map(Number)
const NOW_NS = 1_767_225_600_000_000_000n

const parts = Array.from({ length: records }, (_, i) => ({
  time: new Date(1767225600000 + i).toISOString(),
  ms: 1767225600000 + i,
  text: `GET /api/orders/${i % 5000} answered ${i % 7 === 0 ? 500 : 200} in ${i % 300} ms`,
  level: i % 7 === 0 ? 'error' : 'info',
  host: `web-${i % 20}`,
}))
const joined = (make: (part: (typeof parts)[number]) => string, between = '\n'): Buffer =>
  Buffer.from(parts.map(make).join(between))
const json = (part: (typeof parts)[number]): string =>
  JSON.stringify({ '@timestamp': part.time, message: part.text, level: part.level, host: part.host })

const payloads: readonly (readonly [format: string, payload: Buffer])[] = [
  ['ndjson', joined(json)],
  ['elasticsearch-bulk', joined((part) => `{"create":{"_index":"logs"}}\n${json(part)}`)],
  [
    'splunk-events',
    joined(
      (part) =>
        `{"time":${part.ms / 1000},"host":"${part.host}","event":{"message":"${part.text}","level":"${part.level}"}}`,
      '',
    ),
  ],
  [
    'datadog',
    Buffer.from(
      JSON.stringify(
        parts.map(({ ms, text, level, host }) => ({
          timestamp: ms,
          message: text,
          status: level,
          hostname: host,
          ddtags: 'env:prod,team:pay',
        })),
      ),
    ),
  ],
  [
    'journal',
    joined(
      (part) =>
        `__REALTIME_TIMESTAMP=${part.ms}000\nMESSAGE=${part.text}\nPRIORITY=6\n_HOSTNAME=${part.host}\nSYSLOG_IDENTIFIER=api\n\n`,
      '',
    ),
  ],
  [
    'syslog',
    Buffer.concat(
      parts.flatMap((part) => framed(Buffer.from(`<134>1 ${part.time} ${part.host} api 42 - [a b="c"] ${part.text}`))),
    ),
  ],
  [
    'forward',
    pack([
      'tag',
      Buffer.concat(
        parts.map(({ ms, text, level, host }) =>
          pack([eventTime(BigInt(ms) * 1_000_000n), { message: text, level, host }]),
        ),
      ),
    ]),
  ],
]

function secondsOf(format: string, payload: Buffer): number {
  const tenant = newTenant({ nowMs: () => 0, nowNs: () => NOW_NS })
  const before = process.threadCpuUsage()
  const report = runToEnd(runToEnd(decoderFor('logs', format).decode(payload, NOW_NS)).apply(tenant))
  const { user, system } = process.threadCpuUsage(before)
  if (report.accepted !== records) throw new Error(`${format}: ${report.accepted} of ${records} stored`)
  return (user + system) / 1e6
}

const best = new Map<string, number>()
for (let round = 0; round < rounds; round++)
  for (const [format, payload] of payloads)
    best.set(format, Math.min(best.get(format) ?? Infinity, secondsOf(format, payload)))
const base = best.get('ndjson') ?? NaN
for (const [format, payload] of payloads) {
  const seconds = best.get(format) ?? NaN
  const rate = Math.round(records / seconds).toLocaleString('en')
  console.log(
    `${format.padEnd(20)} ${rate.padStart(10)} records a second of processor time, ${(payload.length / records).toFixed(0)} bytes each, ${(seconds / base).toFixed(1)} times JSON lines`,
  )
}
