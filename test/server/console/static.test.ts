import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { packingFor } from '../../../src/server/http/pack-body.ts'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { KEY } from '../harness/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-console-'))
const built = join(folder, 'built')
const INDEX = `<!doctype html><title>Sluice</title>${' '.repeat(3000)}`
const SCRIPT = `export const x = 1\n${'// padding\n'.repeat(400)}`
mkdirSync(join(built, 'assets'), { recursive: true })
writeFileSync(join(built, 'index.html'), INDEX)
writeFileSync(join(built, 'assets/main-a1b2c3.js'), SCRIPT)
writeFileSync(join(built, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
writeFileSync(join(built, 'secret.pem'), 'a type that is not served')
writeFileSync(join(folder, 'outside.js'), 'outside')
symlinkSync(join(folder, 'outside.js'), join(built, 'link.js'))

const servers: SluiceServer[] = []
async function serverOver(console: string | undefined): Promise<SluiceServer> {
  const server = await createServer({ keys: [KEY], console })
  servers.push(server)
  return server
}
const server = await serverOver(built)
afterAll(async () => {
  for (const each of servers) await each.close()
  rmSync(folder, { recursive: true, force: true })
})

async function get(path: string, headers: Readonly<Record<string, string>> = {}, from = server): Promise<Response> {
  return from.fetch(new Request(`http://localhost${path}`, { headers }))
}

test.each(['/', '/console', '/console/', '/console/logs', '/console/traces/0af7651916cd43dd8448eb211c80319c'])(
  'the page is at %s',
  async (path) => {
    const sent = await get(path)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(sent.headers.get('cache-control')).toBe('no-cache')
    expect(await sent.text()).toBe(INDEX)
  },
)

test('pages and files have strict headers', async () => {
  for (const path of ['/', '/console/assets/main-a1b2c3.js', '/console/favicon.svg']) {
    const { headers } = await get(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
        "worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
  }
})

test('assets are kept for ever, the page is asked for again by its tag', async () => {
  const asset = await get('/console/assets/main-a1b2c3.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(await asset.text()).toBe(SCRIPT)
  // The page refers to its assets by relative path, also at `/`.
  expect(await (await get('/assets/main-a1b2c3.js')).text()).toBe(SCRIPT)
  const tag = (await get('/')).headers.get('etag') ?? ''
  const again = await get('/', { 'If-None-Match': `"x", ${tag}` })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  expect((await get('/', { 'If-None-Match': '"other"' })).status).toBe(200)
})

test('answers are compressed as the client says', async () => {
  const unpack = new Map<string, (bytes: Uint8Array) => Buffer>([
    ['br', zlib.brotliDecompressSync],
    ['gzip', zlib.gunzipSync],
  ])
  for (const [encoding, unpacked] of unpack) {
    for (let i = 0; i < 2; i++) {
      const sent = await get('/', { 'Accept-Encoding': encoding })
      expect([sent.headers.get('content-encoding'), sent.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding'])
      expect(unpacked(new Uint8Array(await sent.arrayBuffer())).toString()).toBe(INDEX)
    }
  }
  expect((await get('/console/favicon.svg', { 'Accept-Encoding': 'br' })).headers.get('content-encoding')).toBeNull()
})

test.each([
  ['gzip, br', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['identity', undefined],
  ['BR', 'br'],
  ['br;q=x', undefined],
  ['', undefined],
])('Accept-Encoding %j is answered in %s', (header, expected) => {
  expect(packingFor(header, ['br', 'gzip'])).toBe(expected)
})

test.each([
  '/console/../outside.js',
  '/assets/../outside.js',
  '/assets/..%2f..%2foutside.js',
  '/console/%2e%2e/outside.js',
  '/console/..%2foutside.js',
  '/console/assets/..%2f..%2f..%2foutside.js',
  '/console/assets/%252e%252e/outside.js',
  '/console/..\\outside.js',
  '/console/link.js',
  '/console/secret.pem',
  '/console/assets/other-a1b2c3.js',
  '/console/index.html%00.js',
  `/console/${'a/'.repeat(2000)}x.js`,
])('no request leaves the folder by %s', async (path) => {
  const sent = await get(path)
  expect([sent.status, (await sent.text()).includes('outside')]).toEqual([404, false])
})

test('only GET and HEAD are answered', async () => {
  const head = await server.fetch(new Request('http://localhost/', { method: 'HEAD' }))
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await server.fetch(new Request('http://localhost/console/x', { method }))).status).toBe(405)
})

test('clients of the bulk API still find their product at /', async () => {
  const sent = await get('/', { Authorization: `Bearer ${KEY}` })
  expect(sent.headers.get('x-elastic-product')).toBe('Elasticsearch')
  expect((await get('/', { Authorization: 'Bearer wrong' })).status).toBe(401)
})

test('a console that is not built says how to build it', async () => {
  const sent = await get('/', {}, await serverOver(join(folder, 'missing')))
  expect([sent.status, sent.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(await sent.text()).toContain('`npm run build`')
})

test('a server without a console has no page', async () => {
  const api = await serverOver(undefined)
  expect((await get('/', {}, api)).status).toBe(401)
  expect((await get('/console/', {}, api)).status).toBe(404)
})

test('a foreign name is not answered on the loopback address', async () => {
  const { address } = await server.listen()
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    request(address, { headers: { Host: 'evil.example' } }, (answer) => {
      resolve(answer.statusCode)
      answer.resume()
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(421)
  expect((await fetch(address)).status).toBe(200)
})
