// @module-tag slow
import { MessagePort, Worker } from 'node:worker_threads'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createServer, decoders, type SluiceServer } from '../../../src/server/index.ts'
import { BodyBuffers } from '../../../src/server/worker/body-buffers.ts'
import { buffersOf } from '../../../src/server/worker/ingest-thread.ts'
import { MemoryTable, MetricCatalog } from '../../../src/store/index.ts'
import { RowBuilder } from '../../../src/store/memory/table/row-builder.ts'
import { TableSealer } from '../../../src/store/memory/table/table-sealer.ts'
import { TableView } from '../../../src/store/memory/table/table-view.ts'
import { TableWriter } from '../../../src/store/memory/table/table-writer.ts'
import { SampleWriter } from '../../../src/store/samples/store/sample-writer.ts'
import { WordIndexBuilder } from '../../../src/store/memory/words/word-index-builder.ts'

/** One server ingests and answers in the main thread, the other in worker threads. */
let servers: readonly SluiceServer[]

beforeAll(async () => {
  const options = {
    keys: ['secret'],
    limits: { ingestBodyBytes: 4_000_000, ingestBytes: 6_000_000 },
    clock: { nowMs: () => performance.now(), nowNs: () => 1_773_141_600_000_000_000n },
  }
  servers = [await createServer(options), await createServer({ ...options, workers: 1 })]
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
})
afterEach(() => vi.restoreAllMocks())

interface Sent {
  readonly path: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly type?: string
  readonly encoding?: string
}

async function send(server: SluiceServer, { path, body, type = 'application/json', encoding }: Sent): Promise<unknown> {
  const headers = { Authorization: 'secret', 'Content-Type': type, ...(encoding && { 'Content-Encoding': encoding }) }
  const response = await server.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
  const text = (await response.text()).replaceAll(/"trace_id":"\w+"/g, '"trace_id":""')
  const { 'x-request-id': _, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, headers: rest, text }
}

const LOGS = '/api/ingest/logs'
const IMPORT = '/api/v1/import/prometheus'
const time = '"_time":"2026-03-10T10:00:00Z"'
const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{${time},"content":"row ${i} is ${i % 7}","n":${i}}`).join('\n')
const JOURNAL = 'application/vnd.fdo.journal'
const packed = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
const search = (path: string, query = '* | sort by (_time, content, n)'): Sent => ({
  path,
  body: JSON.stringify({ start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z', query }),
})

/** Searches that find the rows of the bodies below. */
const SEARCHES = ['/api/logs/v2/search', '/api/k8s/v2/events/search']

const bodies: Readonly<Record<string, Sent>> = {
  'JSON lines': { path: LOGS, body: lines(3) },
  'a bad line among them': { path: LOGS, body: `${lines(2)}\nno\n[]`, type: 'application/x-ndjson' },
  'no good line': { path: LOGS, body: 'no\n[]' },
  'an empty body': { path: LOGS, body: '' },
  'a document': { path: '/api/ingest/workloads', body: `[{${time},"uid":"1"},{${time},"uid":"2"},7]` },
  'a document that does not end': { path: '/api/ingest/workloads', body: `[{${time},"uid":"1"}` },
  'events of Kubernetes': {
    path: '/api/ingest/events',
    body: '{"apiVersion":"v1","kind":"Event","metadata":{"name":"a"},"reason":"Killed","message":"out","lastTimestamp":"2026-03-10T10:00:00Z"}',
  },
  'lines of text': { path: LOGS, body: '2026-03-10T10:00:00Z error it broke\n', type: 'text/plain' },
  gzip: { path: LOGS, body: packed(gzipSync(lines(50))), encoding: 'gzip' },
  deflate: { path: LOGS, body: packed(deflateSync(lines(50))), encoding: 'deflate' },
  'gzip that is none': { path: LOGS, body: 'no gzip', encoding: 'gzip' },
  'gzip that is cut': { path: LOGS, body: packed(gzipSync(lines(50))).slice(0, 90), encoding: 'gzip' },
  'gzip of too much': { path: LOGS, body: packed(gzipSync(Buffer.alloc(5_000_000, '{}\n'))), encoding: 'gzip' },
  'too much': { path: LOGS, body: lines(80_000) },
  'too many lines': { path: LOGS, body: packed(gzipSync(Buffer.alloc(3_900_000, '\n'))), encoding: 'gzip' },
  'another encoding': { path: LOGS, body: 'x', encoding: 'compress' },
  'another type': { path: LOGS, body: 'x', type: 'image/png' },
  'an export of logs': {
    path: '/v1/logs',
    body: '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1773136800000000000","body":{"stringValue":"otlp"}}]}]}]}',
  },
  'an export that is none': { path: '/v1/logs', body: '{"resourceLogs":7}' },
  'an export of spans, in part': { path: '/v1/traces', body: '{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}' },
  samples: { path: IMPORT, body: '# HELP up Whether it is.\nup{a="b"} 1 1773141500000\n', type: 'text/plain' },
  'samples, some of them bad': { path: IMPORT, body: 'up 1 1773141500000\nup{ 2\n', type: 'text/plain' },
  'a journal in several parts': { path: '/upload', body: 'A=1\nB=two\n\n'.repeat(500_000), type: JOURNAL },
  'a journal that ends within an entry': { path: '/upload', body: `${'A=1\n\n'.repeat(900_000)}A=1`, type: JOURNAL },
  'a journal of one part': { path: '/upload', body: 'MESSAGE=x\n\n', type: JOURNAL },
  'a journal that is none': { path: '/upload', body: Buffer.alloc(4_500_000), type: JOURNAL },
  'a journal that turns into something else': {
    path: '/upload',
    body: Buffer.concat([Buffer.from('A=1\n\n'.repeat(900_000)), Buffer.alloc(4_500_000)]),
    type: JOURNAL,
  },
  'remote write that is none': { path: '/api/v1/write', body: 'x', type: 'application/x-protobuf', encoding: 'snappy' },
}

test.each(Object.entries(bodies))('answered alike: %s', async (_, body) => {
  const [here, there] = await Promise.all(servers.map((server) => send(server, body)))
  expect(there).toEqual(here)
})

test('ingested rows are found in the same way', async () => {
  for (const path of SEARCHES) {
    const [here, there] = await Promise.all(servers.map((server) => send(server, search(path))))
    expect(there).toEqual(here)
    expect(here).toMatchObject({ status: 200 })
  }
  const metrics = {
    path: '/api/v1/query?time=1773141500&query=up',
    body: '',
    type: 'application/x-www-form-urlencoded',
  }
  const [here, there] = await Promise.all(servers.map((server) => send(server, metrics)))
  expect(there).toEqual(here)
})

/** Returns a function that lists the decoding, sealing and indexing done in this thread. */
function watchWork(): () => readonly string[] {
  const done = new Set<string>()
  for (const decoder of decoders) {
    const { decode } = decoder
    vi.spyOn(decoder, 'decode').mockImplementation((...given) => {
      done.add(`decode ${decoder.table} ${decoder.format}`)
      return decode(...given)
    })
    const { wholeBytes } = decoder
    if (wholeBytes === undefined) continue
    vi.spyOn(decoder as Required<typeof decoder>, 'wholeBytes').mockImplementation((payload) => {
      done.add(`whole ${decoder.format}`)
      return wholeBytes(payload)
    })
  }
  const watch = <T extends object>(holder: T, name: keyof T & string): void => {
    const own = holder[name] as (this: unknown, ...given: unknown[]) => unknown
    const seen = function (this: unknown, ...given: unknown[]): unknown {
      done.add(name)
      return own.apply(this, given)
    }
    vi.spyOn(holder as Record<string, typeof own>, name).mockImplementation(seen)
  }
  watch(MemoryTable.prototype, 'seal')
  watch(TableWriter.prototype, 'appendRows')
  watch(TableWriter.prototype, 'appendJsonLines')
  watch(RowBuilder.prototype, 'endRow')
  watch(TableView.prototype, 'snapshot')
  watch(TableSealer.prototype, 'indexWords')
  watch(WordIndexBuilder.prototype, 'buildInTurns')
  watch(SampleWriter.prototype, 'seriesWithin')
  watch(MetricCatalog.prototype, 'add')
  return () => [...done].sort()
}

test('the thread that takes requests in decodes, stores, seals and indexes nothing where there are workers', async () => {
  const [here, there] = servers as [SluiceServer, SluiceServer]
  const work = watchWork()
  const all = async (server: SluiceServer): Promise<void> => {
    for (const body of Object.values(bodies)) await send(server, body)
    for (const path of SEARCHES) await send(server, search(path))
  }
  await all(there)
  expect(work()).toEqual([])
  // A server without workers does all of this work in this thread.
  await all(here)
  expect(work()).toEqual(
    expect.arrayContaining([
      'appendJsonLines',
      'whole journal',
      'appendRows',
      'decode logs ndjson',
      'seriesWithin',
      'snapshot',
    ]),
  )
})

test('a large body is handed on in pieces, between which others have their turn', async () => {
  const pieces: number[] = []
  for (const holder of [Worker.prototype, MessagePort.prototype]) {
    const own = holder.postMessage as (message: unknown, transfer: unknown) => void
    vi.spyOn(holder, 'postMessage').mockImplementation(function (this: unknown, message: unknown, transfer: unknown) {
      if (Array.isArray(transfer))
        for (const each of transfer) if (each instanceof ArrayBuffer) pieces.push(each.byteLength)
      own.call(this, message, transfer)
    } as never)
  }
  const body = lines(60_000).slice(0, 3_900_000)
  let turns = 0
  const count = setInterval(() => turns++, 0)
  await send(servers[1] as SluiceServer, { path: LOGS, body })
  clearInterval(count)
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(3_900_000)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(2 ** 21)
  expect(turns).toBeGreaterThan(0)
})

test('a body of many short chunks is copied a bounded number of them at a time', () => {
  const chunks = Array.from({ length: 100_000 }, (_, i) => Buffer.of(i & 255))
  let held = 0
  const set = vi.spyOn(Uint8Array.prototype, 'set')
  const pieces: Uint8Array[] = []
  for (const piece of buffersOf(chunks, new BodyBuffers())) {
    expect(set.mock.calls.length - held).toBeLessThanOrEqual(16_384)
    held = set.mock.calls.length
    pieces.push(piece)
  }
  set.mockRestore()
  expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true)
})

test('bodies that come at once, and take the memory of those before, are stored whole', async () => {
  const [, server] = servers as [SluiceServer, SluiceServer]
  const markers = Array.from({ length: 6 }, (_, i) => `m${i}`)
  const bodyOf = (marker: string): string =>
    Array.from(
      { length: 1000 },
      (_, i) => `{${time},"content":"${marker} line ${i} of many","marker":"${marker}"}`,
    ).join('\n')
  for (let round = 0; round < 3; round++) {
    const good = markers.map((marker) => send(server, { path: LOGS, body: bodyOf(marker) }))
    const bad = markers.map(() => send(server, { path: LOGS, body: 'no record\n'.repeat(5000) }))
    for (const answer of await Promise.all(good)) expect(answer).toMatchObject({ status: 200 })
    for (const answer of await Promise.all(bad)) expect(answer).toMatchObject({ status: 400 })
  }
  const query = 'marker:* | stats by (marker) count() n, count_uniq(content) texts | sort by (marker)'
  const { text } = (await send(server, search('/api/logs/v2/search', query))) as { readonly text: string }
  expect(JSON.parse(text)).toEqual(markers.map((marker) => ({ marker, n: 3000, texts: 1000 })))
})
