import { parseRfc3339 } from '../../src/base/index.ts'
import { emptyReport, readRecords, TextRecords } from '../../src/ingest/index.ts'
import { createMemoryStore, standardCatalog, storedRow } from '../../src/store/index.ts'

/**
 * Processor time of reading lines into the store: `npm run bench -- lines [lines]`. Compare the figures of one run with
 * each other; the first is the project's own format.
 */
const lines = Number(process.argv[2] ?? 200_000)
const nowNs = parseRfc3339('2026-03-10T12:00:00Z') ?? 0n
const BATCH_LINES = 1000

const workloads = ['checkout', 'billing', 'search', 'gateway', 'mail']
const levels = ['info', 'info', 'info', 'debug', 'warn', 'error']

function clock(i: number): string {
  return new Date(Date.UTC(2026, 2, 1) + i * 37).toISOString()
}

type LineMaker = (i: number) => object

const forms: Readonly<Record<string, LineMaker>> = {
  'fields of the table': (i) => ({
    _time: clock(i),
    level: levels[i % 6],
    workload: workloads[i % 5],
    namespace: 'shop',
    pod: `pod-${i % 40}`,
    content: `request ${i} took ${i % 900} ms and was answered`,
    status: 200 + (i % 5),
  }),
  zap: (i) => ({
    level: levels[i % 6],
    ts: clock(i),
    caller: 'api/serve.go:17',
    msg: `request ${i} took ${i % 900} ms`,
    pod: `pod-${i % 40}`,
  }),
  'zerolog, capitals, service': (i) => ({
    level: levels[i % 6].toUpperCase(),
    service: workloads[i % 5],
    time: clock(i),
    message: `request ${i} took ${i % 900} ms`,
  }),
  pino: (i) => ({
    level: 10 * (1 + (i % 6)),
    time: Date.UTC(2026, 2, 1) + i * 37,
    pid: 7,
    hostname: 'a',
    name: 'api',
    msg: `request ${i} took ${i % 900} ms`,
  }),
  'ECS, nested': (i) => ({
    '@timestamp': clock(i),
    log: { level: levels[i % 6] },
    service: { name: workloads[i % 5] },
    message: `request ${i} took ${i % 900} ms`,
  }),
}

for (const [name, make] of Object.entries(forms)) {
  for (const batchLines of [BATCH_LINES, 20_000]) {
    const batches: Buffer[] = []
    for (let from = 0; from < lines; from += batchLines) {
      let text = ''
      for (let i = from; i < Math.min(lines, from + batchLines); i++) text += `${JSON.stringify(make(i))}\n`
      batches.push(Buffer.from(text))
    }
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      const table = createMemoryStore(standardCatalog).table('logs')
      const start = process.cpuUsage()
      for (const batch of batches) table.writer.appendJsonLines(batch, { nowNs })
      const { user, system } = process.cpuUsage(start)
      best = Math.min(best, (user + system) / lines)
    }
    process.stdout.write(
      `${name}, ${batchLines} lines a batch: ${best.toFixed(2)} µs a line, ${Math.round(1e6 / best)} lines/s\n`,
    )
  }
}

const texts: Readonly<Record<string, string>> = {
  'plain text': '2026-03-01T10:11:12.345Z INFO 1 --- [main] com.shop.A : request took 17 ms',
  'combined access log':
    '192.0.2.7 - ann [01/Mar/2026:11:11:12 +0100] "GET /a?b=c HTTP/1.1" 404 2326 "https://x.example/" "Mozilla/5.0 (X11)"',
  'nginx error log':
    '2026/03/01 10:11:12 [error] 31#32: *7 open() "/x" failed, client: 192.0.2.7, server: x.example, request: "GET /x HTTP/1.1", host: "x"',
  'Apache error log':
    '[Sun Mar 01 10:11:12.345678 2026] [core:error] [pid 31:tid 140] [client 192.0.2.7:51234] AH00126: Invalid URI in request GET /x HTTP/1.1',
  'ELB access log':
    'https 2026-03-01T10:11:12.345678Z app/lb/50dc6c495c0c9188 192.0.2.7:2817 198.51.100.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://x.example:443/ HTTP/1.1" "curl/8.4" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:tg "Root=1-58337262-36d228ad5d99923122bbe354" "x.example" "-" 1 2026-03-01T10:11:12.222000Z "forward" "-" "-" "198.51.100.1:80" "200" "-" "-"',
  'S3 access log':
    '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be bucket [01/Mar/2026:10:11:12 +0000] 192.0.2.7 79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be 3E57427F3EXAMPLE REST.GET.OBJECT a/b.txt "GET /bucket/a/b.txt HTTP/1.1" 200 - 113 113 7 6 "-" "curl/8.4" - hostid= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader bucket.s3.example TLSV1.2 - -',
  HAProxy:
    '<134>Mar  1 10:11:12 lb haproxy[14389]: 192.0.2.7:33317 [01/Mar/2026:10:11:12.345] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /i HTTP/1.1"',
  'syslog, RFC 5424': '<165>1 2026-03-01T10:11:12.345678Z web shop 7 ID47 [a@1 k="v" n="1"] an event',
  klog: 'W0301 10:11:12.345678       1 reflector.go:424] failed to list',
  PostgreSQL: '2026-03-01 10:11:12.345 UTC [1234] ann@shop ERROR:  relation "x" does not exist at character 15',
  CRI: '2026-03-01T10:11:12.345678901Z stdout F {"level":"info","msg":"request took 17 ms","time":"2026-03-01T10:11:12Z"}',
  Docker: '{"log":"2026-03-01T10:11:12.345Z ERROR boom\\n","stream":"stderr","time":"2026-03-01T10:11:13Z"}',
  logfmt: 'time="2026-03-01T10:11:12Z" level=warning msg="it swims" animal=walrus',
}

for (const [name, line] of Object.entries(texts)) {
  let best = Infinity
  for (let round = 0; round < 3; round++) {
    const table = createMemoryStore(standardCatalog).table('logs')
    const records = new TextRecords({ nowNs })
    const start = process.cpuUsage()
    for (let i = 0; i < lines / 4; i++) {
      records.push(line)
      if (i % 512 < 511) continue
      table.writer.appendRows(records.take().map((record) => storedRow(table.definition, record, { nowNs })))
    }
    records.flush()
    table.writer.appendRows(records.take().map((record) => storedRow(table.definition, record, { nowNs })))
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / (lines / 4))
  }
  process.stdout.write(`${name}: ${best.toFixed(2)} µs a line, ${Math.round(1e6 / best)} lines/s\n`)
}

async function* csvChunks(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('time,level,workload,status,content\n')
  for (let from = 0; from < lines / 4; from += BATCH_LINES) {
    let text = ''
    for (let i = from; i < from + BATCH_LINES; i++)
      text += `${clock(i)},${levels[i % 6]},${workloads[i % 5]},${200 + (i % 5)},"request ${i}, answered"\n`
    yield Buffer.from(text)
  }
}

let csvBest = Infinity
for (let round = 0; round < 3; round++) {
  const table = createMemoryStore(standardCatalog).table('logs')
  const report = emptyReport()
  const start = process.cpuUsage()
  for await (const records of readRecords(csvChunks(), { nowNs, format: 'csv', report }))
    table.writer.appendRows(records.map((record) => storedRow(table.definition, record, { nowNs })))
  const { user, system } = process.cpuUsage(start)
  csvBest = Math.min(csvBest, (user + system) / report.lines)
}
process.stdout.write(`CSV: ${csvBest.toFixed(2)} µs a line, ${Math.round(1e6 / csvBest)} lines/s\n`)
