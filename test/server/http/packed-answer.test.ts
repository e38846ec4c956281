import zlib from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { KEY, SEARCH, searchBody } from '../harness/harness.ts'

const logs = Array.from({ length: 3000 }, (_, i) => ({
  _time: '2026-01-01T12:00:00Z',
  level: 'info',
  content: `row ${i}`,
}))
const server = await createServer({ tables: { logs }, keys: [KEY], openTo: 'everyone' })
const store = await createServer({ keys: [KEY] })
afterAll(async () => {
  await server.close()
  await store.close()
})

const unpackers = {
  gzip: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  br: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes),
} as const
const packings = Object.keys(unpackers) as readonly (keyof typeof unpackers)[]

async function ask(query: string, headers: Readonly<Record<string, string>>, more: object = {}): Promise<Response> {
  const body = JSON.stringify({ ...searchBody, query, ...more })
  const all = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers }
  return server.fetch(new Request(`http://localhost${SEARCH}`, { method: 'POST', headers: all, body }))
}

const bytesOf = async (sent: Response): Promise<Uint8Array> => new Uint8Array(await sent.arrayBuffer())

describe.each(packings)('%s', (packing) => {
  const accepted = { 'Accept-Encoding': packing }

  test('an answer has the same content as without it', async () => {
    const expected = await (await ask('*', {})).text()
    const sent = await ask('*', accepted)
    expect([sent.headers.get('content-encoding'), sent.headers.get('vary')]).toEqual([packing, 'Accept-Encoding'])
    const bytes = await bytesOf(sent)
    expect(unpackers[packing](bytes).toString()).toBe(expected)
    expect(bytes.length).toBeLessThan(expected.length / 5)
  })

  test('a stream has the same content', async () => {
    const asked = { Accept: 'application/x-ndjson' }
    const expected = await (await ask('*', asked, { enableStream: true })).text()
    const sent = await ask('*', { ...asked, ...accepted }, { enableStream: true })
    expect(sent.headers.get('content-encoding')).toBe(packing)
    expect(unpackers[packing](await bytesOf(sent)).toString()).toBe(expected)
  })

  test('a message of a stream arrives at once', async () => {
    const { address } = await store.listen()
    const headers = { Authorization: `Bearer ${KEY}`, ...accepted }
    const controller = new AbortController()
    const { signal } = controller
    const tail = await store.fetch(new Request(`${address}/api/logs/tail?query=*`, { headers, signal }))
    const ingested = await store.fetch(
      new Request(`${address}/api/ingest/logs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ _msg: `hello ${packing}` }),
      }),
    )
    expect(ingested.status).toBe(200)
    const make = { gzip: zlib.createGunzip, br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress }
    const unpack = make[packing]()
    let text = ''
    unpack.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const reader = tail.body?.getReader()
    while (!text.includes(`hello ${packing}`)) {
      const { value } = (await reader?.read()) ?? {}
      if (value === undefined) break
      await new Promise((resolve) => unpack.write(value, resolve))
    }
    expect(text).toContain(`hello ${packing}`)
    await reader?.cancel()
    controller.abort()
  })
})

test('short answers, HEAD and encoded bodies stay as they are', async () => {
  const accepted = { 'Accept-Encoding': 'gzip, br, zstd' }
  const short = await ask('* | stats count() n', accepted)
  expect([short.headers.get('content-encoding'), await short.text()]).toEqual([null, '[{"n":3000}]'])
  const head = await server.fetch(new Request('http://localhost/openapi.json', { method: 'HEAD', headers: accepted }))
  expect([head.status, head.headers.get('content-encoding')]).toEqual([200, null])
})

test('the API description and errors are compressed too', async () => {
  const accepted = { 'Accept-Encoding': 'gzip' }
  const sent = await server.fetch(new Request('http://localhost/openapi.json', { headers: accepted }))
  expect(JSON.parse(unpackers.gzip(await bytesOf(sent)).toString())).toMatchObject({ openapi: '3.1.0' })
  const error = await ask(`${'x:1 or '.repeat(300)} | limt`, accepted)
  expect(error.status).toBe(400)
})

test('a reader that leaves ends the query of a compressed stream', async () => {
  const sent = await ask('*', { Accept: 'application/x-ndjson', 'Accept-Encoding': 'gzip' }, { enableStream: true })
  const reader = sent.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  await reader?.cancel()
  const metrics = await (await server.fetch(new Request('http://localhost/metrics'))).text()
  expect(metrics).toContain('sluice_queries_running 0')
})

test('over a socket, fetch reads what was compressed', async () => {
  const { address } = await server.listen()
  const sent = await fetch(`${address}${SEARCH}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
    body: JSON.stringify({ ...searchBody, query: '*' }),
  })
  expect(sent.headers.get('content-encoding')).toBe('gzip')
  expect(await sent.json()).toHaveLength(3000)
})
