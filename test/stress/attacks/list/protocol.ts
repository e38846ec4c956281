import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync, deflateSync, brotliCompressSync, zstdCompressSync } from 'node:zlib'
import snappy from 'snappyjs'
import { logSearchBody, type Attack, type Caller } from '../attack.ts'

/** Sends raw bytes on a connection and counts the status line of each answer until the connection ends. */
function raw(caller: Caller, bytes: string | Buffer, options: { readonly halfCloses?: boolean } = {}): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ ...caller.address, allowHalfOpen: true })
    const end = (): void => socket.destroy() && undefined
    caller.signal.addEventListener('abort', end, { once: true })
    socket.setTimeout(3000, end)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) caller.count(`${status}`)
    })
    socket.once('end', end)
    socket.once('close', () => {
      caller.signal.removeEventListener('abort', end)
      resolve()
    })
    if (options.halfCloses === true) socket.end(bytes)
    else socket.write(bytes)
  })
}

const head = (caller: Caller, more: string, line = 'POST /api/logs/v2/search HTTP/1.1'): string =>
  `${line}\r\nHost: ${caller.address.host}\r\nAuthorization: Bearer ${caller.key}\r\n${more}\r\n`

/** Returns the bytes of a search request with additional headers. */
const search = (caller: Caller, query: string, more = ''): string => {
  const body = logSearchBody(query)
  return head(caller, `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}`) + body
}

/** Returns an attack that keeps `at` connections open until its time is over. */
const storm = (
  name: string,
  at: number,
  make: (caller: Caller, index: number) => string | Buffer,
  options: { readonly halfCloses?: boolean } = {},
): Attack => ({
  name,
  run: async (caller) => {
    let index = 0
    const one = async (): Promise<void> => {
      while (!caller.signal.aborted) await raw(caller, make(caller, index++), options)
    }
    await Promise.all(Array.from({ length: at }, one))
  },
})

/** Returns an attack that sends a decompression bomb to every path that decompresses. */
const bomb = (name: string, encoding: string, type: string, paths: readonly string[], make: () => Buffer): Attack => ({
  name: `bomb: ${name}`,
  run: async (caller) => {
    const body = make()
    const headers = { 'Content-Type': type, 'Content-Encoding': encoding }
    await Promise.all(paths.map((path) => caller.send(path, { headers, body })))
  },
})

const KINDS = ['logs', 'events', 'spans', 'clusters', 'workloads'].map((kind) => `/api/ingest/${kind}`)
const blanks = (): Buffer => Buffer.alloc(2 ** 28, ' ')

export const protocolAttacks: readonly Attack[] = [
  storm('10,000 requests in one connection', 4, (caller) => head(caller, '', 'GET /healthz HTTP/1.1').repeat(10_000)),
  storm('searches in one connection', 4, (caller) => search(caller, '* | sort by (content) | limit 1').repeat(500)),
  storm('half-closed sockets', 50, (caller) => search(caller, '* | sort by (content, pod)'), { halfCloses: true }),
  storm('half a request, then closed', 200, (caller) => search(caller, '*').slice(0, -5), { halfCloses: true }),
  storm('expects to go on', 50, (caller) =>
    head(caller, 'Content-Type: application/json\r\nContent-Length: 500000\r\nExpect: 100-continue\r\n'),
  ),
  storm('expects what is not there', 50, (caller) => search(caller, '*', 'Expect: 200-maybe\r\n')),
  storm('trailers without end', 20, (caller) => {
    const body = logSearchBody('* | limit 1')
    const trailers = Array.from({ length: 5000 }, (_, i) => `X-T${i}: ${'y'.repeat(50)}\r\n`).join('')
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n${trailers}\r\n`
    return head(caller, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n') + chunk
  }),
  storm('chunks of one byte', 20, (caller) => {
    const body = logSearchBody('* | limit 1').padEnd(100_000)
    const chunks = Array.from(body, (byte) => `1;${'e'.repeat(20)}\r\n${byte}\r\n`).join('')
    return `${head(caller, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}${chunks}0\r\n\r\n`
  }),
  storm('chunk extensions of 1 MB', 20, (caller) => {
    const more = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
    return `${head(caller, more)}1;${'e'.repeat(1_000_000)}\r\n{\r\n`
  }),
  storm('cookies and headers of 15 KB', 50, (caller) =>
    search(caller, '* | limit 1', `Cookie: ${'c'.repeat(15_000)}\r\n`),
  ),
  storm('1,900 headers', 50, (caller) =>
    search(caller, '* | limit 1', Array.from({ length: 1900 }, (_, i) => `a${i}:\r\n`).join('')),
  ),
  storm('paths of 15 KB', 50, (caller, i) =>
    head(caller, '', `GET /${'%2e%2e/'.repeat(2000)}${i}?${'a=1&'.repeat(200)} HTTP/1.1`),
  ),
  storm('wrong keys, one letter off', 50, (caller, i) => {
    const wrong = caller.key.slice(0, i % caller.key.length) + String.fromCharCode(65 + (i % 26))
    return head(caller, '', 'GET /api/monitors/silences HTTP/1.1').replace(caller.key, wrong)
  }),
  storm('two lengths, two codings', 50, (caller, i) =>
    i % 2 === 0 ? search(caller, '*', 'Content-Length: 3\r\n') : search(caller, '*', 'Transfer-Encoding: chunked\r\n'),
  ),
  storm('noise', 50, (_, i) => Buffer.from(Array.from({ length: 2000 }, (__, j) => (i * 31 + j * 17) % 256))),
  {
    name: 'small requests without end',
    run: async (caller) => {
      const one = async (): Promise<void> => {
        while (!caller.signal.aborted) await caller.searchLogs('* | limit 1')
      }
      await Promise.all(Array.from({ length: 64 }, one))
    },
  },
  {
    name: 'connections opened and reset',
    run: async (caller) => {
      while (!caller.signal.aborted) {
        for (let i = 0; i < 50; i++) {
          const socket = connect(caller.address, () => socket.write(search(caller, '* | limit 1')))
          socket.on('error', () => undefined)
          setTimeout(() => socket.resetAndDestroy(), 5)
        }
        caller.count('reset')
        await sleep(10)
      }
    },
  },
  bomb('gzip', 'gzip', 'application/x-ndjson', [...KINDS, '/v1/logs', '/v1/traces', '/api/v1/import/prometheus'], () =>
    gzipSync(blanks()),
  ),
  bomb('deflate', 'deflate', 'application/x-ndjson', KINDS, () => deflateSync(blanks())),
  bomb('zstd and brotli', 'zstd', 'application/x-ndjson', KINDS, () => zstdCompressSync(blanks())),
  bomb('brotli', 'br', 'application/x-ndjson', KINDS, () => brotliCompressSync(blanks().subarray(0, 2 ** 24))),
  bomb('gzip of protobuf', 'gzip', 'application/x-protobuf', ['/v1/logs', '/v1/traces'], () =>
    // Empty resources of two bytes each: a field number and a length of 0.
    gzipSync(Buffer.alloc(60_000_000, Buffer.from([0x0a, 0x00]))),
  ),
  bomb('snappy', 'snappy', 'application/x-protobuf', ['/api/v1/write'], () =>
    Buffer.from(snappy.compress(new Uint8Array(Buffer.alloc(60_000_000, Buffer.from([0x0a, 0x00]))))),
  ),
  bomb('snappy that promises 4 GB', 'snappy', 'application/x-protobuf', ['/api/v1/write'], () =>
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x41]),
  ),
]
