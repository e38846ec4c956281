// @module-tag slow
import { once } from 'node:events'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { present } from '../../../src/base/index.ts'
import {
  createApp,
  defaultServerLimits,
  listen,
  type Listening,
  type ServerContext,
  type ServerLimits,
} from '../../../src/server/index.ts'
import type { HttpAnswer as SentAnswer } from '../../../src/server/http/answer.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { GivenRows, KEY, SEARCH, batchOf, contextOf, row, searchBody } from '../harness/harness.ts'

const open: Listening[] = []

afterAll(async () => {
  await Promise.all(open.map((listening) => listening.stop()))
})

async function start(limits: Partial<ServerLimits> = {}, overrides: Partial<ServerContext> = {}): Promise<Listening> {
  const context = contextOf({ limits: { ...defaultServerLimits, drainMs: 2000, ...limits }, ...overrides })
  const listening = await listen(createApp(context, { version: '0' }), { host: '127.0.0.1', port: 0 })
  open.push(listening)
  return listening
}

interface Raw {
  readonly text: string
  /** Number of pieces written before the connection was closed. */
  readonly written: number
}

/** Writes bytes to a new connection. Returns everything received until the other side closes it. */
function raw(port: number, pieces: readonly string[], pauseMs = 0): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let written = 0
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      text += piece
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve({ text, written }))
    const write = async (): Promise<void> => {
      for (const piece of pieces) {
        if (socket.writable) {
          socket.write(piece)
          written++
        }
        if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs))
      }
    }
    void write()
  })
}

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Record<string, unknown>
}

function parse(text: string): Answer {
  const [head, ...rest] = text.split('\r\n\r\n')
  const [first, ...lines] = present(head).split('\r\n')
  const headers = new Map(
    lines.map(
      (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
    ),
  )
  return {
    status: Number(present(first).split(' ')[1]),
    headers,
    body: JSON.parse(rest.join('\r\n\r\n')) as Record<string, unknown>,
  }
}

function expectEnvelope(text: string, status: number): void {
  const answer = parse(text)
  expect(answer.status, text).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(Object.keys(answer.body)).toEqual(['message', 'code', 'type', 'details', 'trace_id'])
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(present(text.split('\r\n\r\n')[1])))
}

const headers = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`
const body = JSON.stringify(searchBody)
const head = (length: number): string => `POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: ${length}\r\n\r\n`

describe('requests that are not HTTP as it should be', async () => {
  const { port } = await start()
  /** A server with very short time limits. */
  const { port: hasty } = await start({ headersMs: 300, bodyMs: 600 })
  const last = 'Connection: close\r\n\r\n'

  test.each<[string, number, readonly string[]]>([
    ['no HTTP', 400, ['hello\r\n\r\n']],
    ['a strange version', 400, ['GET / HTTP/9.9\r\nHost: x\r\n\r\n']],
    ['a blank in a header name', 400, [`GET /healthz HTTP/1.1\r\nHost : x\r\n${last}`]],
    ['no Host', 400, [`GET /healthz HTTP/1.1\r\n${last}`]],
    ['two Hosts', 400, [`GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n${last}`]],
    ['a malformed Host', 400, [`GET /healthz HTTP/1.1\r\nHost: localhost b/c\r\n${last}`]],
    ['two lengths', 400, [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`]],
    [
      'length and chunks',
      400,
      [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ],
    ['a length that is not a number', 400, [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: five\r\n\r\n{}`]],
    ['a negative length', 400, [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: -1\r\n\r\n`]],
    [
      'a chunk size that is not a number',
      400,
      [`POST ${SEARCH} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ],
    ['a bare line feed in a header', 400, ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\nC: d\r\n\r\n']],
    ['a NUL in a header', 400, ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\0c\r\n\r\n']],
    [
      'headers that are too large',
      431,
      [`GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ],
    ['an expectation', 417, [`GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n${last}`]],
    [
      'a body that is announced too large',
      413,
      [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: 99999999\r\n${last}`],
    ],
  ])('%s', async (_, status, pieces) => {
    const { text } = await raw(port, pieces)
    expectEnvelope(text, status)
  })

  test.each<[string, readonly string[]]>([
    ['headers that do not end', ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n']],
    ['a body that does not end', [head(50), '{"a"']],
  ])('%s', async (_, pieces) => {
    const { text } = await raw(hasty, pieces)
    expectEnvelope(text, 408)
  })

  test('many at once are refused in turns', async () => {
    const app = createApp(contextOf({ limits: { ...defaultServerLimits, drainMs: 2000 } }), { version: '0' })
    let waiting: (() => void)[] = []
    let most = 0
    vi.spyOn(app.turns, 'turn').mockImplementation(
      () =>
        new Promise((resolve) => {
          most = Math.max(most, waiting.push(resolve))
        }),
    )
    const listening = await listen(app, { host: '127.0.0.1', port: 0 })
    open.push(listening)
    const refused = Array.from({ length: 20 }, () => raw(listening.port, ['hello\r\n\r\n']))
    const letting = setInterval(() => {
      if (most < 20) return
      for (const go of waiting) go()
      waiting = []
    }, 5)
    for (const { text } of await Promise.all(refused)) expectEnvelope(text, 400)
    clearInterval(letting)
    expect(most).toBe(20)
  })

  test('a backslash in the path, an absolute address, an authority', async () => {
    for (const target of [
      '/a\\b',
      '//',
      '/%zz',
      '/%00',
      '/../../etc/passwd',
      '/healthz/',
      '/HEALTHZ',
      'http://x/nope',
      '*',
    ]) {
      const { text } = await raw(port, [`GET ${target} HTTP/1.1\r\nHost: x\r\n${last}`])
      const { status } = parse(text)
      expect([400, 404], `${target}: ${text.slice(0, 80)}`).toContain(status)
      expectEnvelope(text, status)
    }
  })

  test('a connection that says nothing is closed', async () => {
    const { text } = await raw(hasty, [])
    if (text !== '') expectEnvelope(text, 408)
  })

  test('slow headers are cut', async () => {
    const pieces = ['GET /healthz HTTP/1.1\r\n', ...Array.from({ length: 40 }, (_, index) => `X-${index}: 1\r\n`)]
    const { text, written } = await raw(hasty, pieces, 100)
    expect(written).toBeLessThan(pieces.length)
    expectEnvelope(text, 408)
  })

  test('a slow body is cut', async () => {
    const pieces = [head(body.length), ...body.split('')]
    const { text, written } = await raw(hasty, pieces, 50)
    expect(written).toBeLessThan(pieces.length)
    expectEnvelope(text, 408)
  })

  test('a body in chunks is read', async () => {
    const chunks = [
      `POST ${SEARCH} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n${last}`,
      `${body.length.toString(16)}\r\n${body}\r\n`,
      '0\r\n\r\n',
    ]
    expect((await raw(port, chunks, 20)).text).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a body in thousands of small chunks is read, in as many tiny ones refused', async () => {
    const chunked = (pieceBytes: number): string => {
      const padded = body.padEnd(5000 * pieceBytes)
      const chunks = Array.from({ length: 5000 }, (_, i) => {
        return `${pieceBytes.toString(16)}\r\n${padded.slice(i * pieceBytes, (i + 1) * pieceBytes)}\r\n`
      })
      return `POST ${SEARCH} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n${last}${chunks.join('')}0\r\n\r\n`
    }
    const [small, tiny] = [await raw(port, [chunked(10)]), await raw(port, [chunked(1)])]
    expect(small.text).toMatch(/^HTTP\/1\.1 200 /)
    expect(tiny.text).toMatch(/^HTTP\/1\.1 400 /)
    expect(tiny.text).toContain('its body comes in pieces of a few bytes')
  })

  test('chunks beyond the limit are refused while they arrive', async () => {
    const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`
    const { text } = await raw(port, [
      `POST ${SEARCH} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 12 }, () => chunk),
    ])
    expectEnvelope(text, 413)
  })

  test('Expect: 100-continue gets its 100', async () => {
    const { text } = await raw(
      port,
      [`POST ${SEARCH} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n${last}`, body],
      50,
    )
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  test('requests in a row on one connection', async () => {
    const request = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { text } = await raw(port, [request + request, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${last}`])
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(3)
  })

  test('a connection on which hundreds are sent ahead is ended, and its neighbours are served', async () => {
    const { port } = await start()
    const ahead = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text } = await raw(port, [ahead.repeat(5000)])
    expect(text.split('HTTP/1.1 200').length - 1).toBeLessThan(500)
    const last = ahead.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    const { text: few } = await raw(port, [ahead.repeat(40) + last])
    expect(few.split('HTTP/1.1 200').length - 1).toBe(41)
  })

  test('good requests work beside all of this', async () => {
    const response = await fetch(`http://127.0.0.1:${port}${SEARCH}`, {
      method: 'POST',
      headers: { Authorization: KEY, 'Content-Type': 'application/json' },
      body,
    })
    expect([response.status, await response.text()]).toEqual([200, '[]'])
  })
})

describe('streams over a connection', () => {
  test('a reader that leaves stops the query', async () => {
    let onStop = (): void => {}
    const stopped = new Promise<void>((resolve) => {
      onStop = resolve
    })
    const search = {
      search: (request: Parameters<GivenRows['search']>[0]) => {
        request.signal.addEventListener('abort', onStop)
        return Promise.resolve({
          isAggregate: false,
          diagnostics: [],
          async *batches() {
            while (!request.signal.aborted) {
              yield batchOf([row({ n: 1 })])
              await new Promise((resolve) => setTimeout(resolve, 5))
            }
          },
        })
      },
    }
    const { port } = await start({}, { search })
    const controller = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}${SEARCH}`, {
      method: 'POST',
      headers: { Authorization: KEY, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ ...searchBody, enableStream: true }),
      signal: controller.signal,
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('"n":1')
    controller.abort()
    await stopped
  })

  test('answers of many blocks arrive as they were made, while others are read and left', async () => {
    const letters = 'abcdefgh'
    const search = {
      search: (request: Parameters<GivenRows['search']>[0]) =>
        new GivenRows([Array.from({ length: 700 }, () => row({ text: (request.query ?? '').repeat(1000) }))]).search(
          request,
        ),
    }
    const app = createApp(contextOf({ search }), { version: '0' })
    const listening = await listen(app, { host: '127.0.0.1', port: 0 })
    open.push(listening)
    const { port } = listening
    const ask = (query: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${SEARCH}`, {
        method: 'POST',
        headers: { Authorization: KEY, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...searchBody, query }),
        signal: signal ?? null,
      })
    for (let round = 0; round < 4; round++) {
      const leaving = Array.from(letters, async (letter) => {
        const controller = new AbortController()
        const response = await ask(letter, controller.signal)
        await response.body?.getReader().read()
        controller.abort()
      })
      const answers = await Promise.all(Array.from(letters, async (letter) => (await ask(letter)).text()))
      await Promise.all(leaving)
      for (const [i, text] of answers.entries())
        expect(JSON.parse(text)).toEqual(Array.from({ length: 700 }, () => ({ text: letters.charAt(i).repeat(1000) })))
    }
    const answerBytes = async (): Promise<string> =>
      /^sluice_answer_bytes (\d+)$/m.exec(await app.telemetry.registry.metrics())?.[1] ?? ''
    await expect.poll(answerBytes).toBe('0')
  })

  test('a reader that takes nothing holds back the query, not the memory', async () => {
    const wide = Array.from({ length: 1000 }, () => row({ text: 'x'.repeat(1000) }))
    const search = new GivenRows(Array.from({ length: 200 }, () => wide))
    const { port } = await start({}, { search })
    const socket = connect(port, '127.0.0.1')
    const streamed = JSON.stringify({ ...searchBody, enableStream: true })
    socket.pause()
    socket.write(
      `POST ${SEARCH} HTTP/1.1\r\n${headers}Accept: application/x-ndjson\r\nContent-Length: ${streamed.length}\r\n\r\n${streamed}`,
    )
    await expect.poll(() => search.taken).toBeGreaterThan(0)
    for (let before = 0; before !== search.taken; await new Promise((resolve) => setTimeout(resolve, 50)))
      before = search.taken
    // A batch is 1 MB. Batches are read only until the buffers of both sockets are full.
    expect(search.taken).toBeLessThan(30)
    socket.destroy()
  })

  test('a reader that takes nothing for too long is cut off', async () => {
    const wide = Array.from({ length: 1000 }, () => row({ text: 'x'.repeat(1000) }))
    const search = new GivenRows(Array.from({ length: 200 }, () => wide))
    const { port } = await start({ idleMs: 300 }, { search })
    const socket = connect(port, '127.0.0.1')
    const streamed = JSON.stringify({ ...searchBody, enableStream: true })
    socket.pause()
    socket.write(
      `POST ${SEARCH} HTTP/1.1\r\n${headers}Accept: application/x-ndjson\r\nContent-Length: ${streamed.length}\r\n\r\n${streamed}`,
    )
    const isCut = (): boolean => search.requests.at(0)?.signal.aborted ?? false
    await expect.poll(isCut).toBe(true)
    socket.destroy()
  })

  test('a query that takes longer than that is waited for', async () => {
    const search = {
      search: async (request: Parameters<GivenRows['search']>[0]) => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        return new GivenRows([[row({ n: 1 })]]).search(request)
      },
    }
    const { port } = await start({ idleMs: 300 }, { search })
    const { text } = await raw(port, [`${head(body.length)}${body}`])
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('an error in a stream of lines breaks the connection', async () => {
    const search = new GivenRows([[row({ n: 1 })]], { error: new Error('secret') })
    const { port } = await start({}, { search })
    const streamed = JSON.stringify({ ...searchBody, enableStream: true })
    const { text } = await raw(port, [
      `POST ${SEARCH} HTTP/1.1\r\n${headers}Accept: application/x-ndjson\r\nContent-Length: ${streamed.length}\r\n\r\n${streamed}`,
    ])
    expect(text).toContain('{"n":1}')
    expect(text).toContain('server/internal')
    expect(text).not.toContain('secret')
    // A complete answer would end with this last chunk.
    expect(text.endsWith('0\r\n\r\n')).toBe(false)
  })
})

/** More clients than a stopping server accepts before it closes its port, at one turn of the event loop per client. */
const WAITING_CLIENTS = 100

/** More bytes than the operating system buffers for a connection that is not read. */
const SLOW_BYTES = 16 * 2 ** 20

/** True if the port accepts a connection. */
const isOpen = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  )

describe('stopping', () => {
  test('lets running requests end and takes no new ones', async () => {
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const search = {
      search: async (request: Parameters<GivenRows['search']>[0]) => {
        begun.resolve()
        await finish.promise
        return new GivenRows([[row({ n: 1 })]]).search(request)
      },
    }
    const listening = await start({ drainMs: 600_000 }, { search })
    const url = `http://127.0.0.1:${listening.port}`
    const answer = fetch(url + SEARCH, {
      method: 'POST',
      headers: { Authorization: KEY, 'Content-Type': 'application/json' },
      body,
    })
    await begun.promise
    const stopped = listening.stop()
    await expect.poll(() => isOpen(listening.port)).toBe(false)
    finish.resolve()
    const response = await answer
    expect([response.status, response.headers.get('connection'), await response.text()]).toEqual([
      200,
      'close',
      '[{"n":1}]',
    ])
    await stopped
    expect(listening.stop()).toBe(listening.stop())
  })

  test('answers connections that wait to be taken, however long a turn of the event loop is', async () => {
    const { port, stop } = await start({ drainMs: 600_000 })
    const written = new Int32Array(new SharedArrayBuffer(4))
    const clients = new Worker(new URL('../harness/waiting-clients.ts', import.meta.url), {
      workerData: { port, count: WAITING_CLIENTS, written },
    })
    const told = once(clients, 'message')
    await once(clients, 'online')
    expect(Atomics.wait(written, 0, 0, PATIENCE_MS)).not.toBe('timed-out')
    let isLong = true
    const longTurn = (): void => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4)
      if (isLong) setImmediate(longTurn)
    }
    longTurn()
    const stopped = stop()
    const [statuses] = (await told) as [readonly string[]]
    isLong = false
    expect(statuses).toEqual(Array.from({ length: WAITING_CLIENTS }, () => 'HTTP/1.1 200 OK'))
    await stopped
  })

  test('answers what was sent ahead on one connection', async () => {
    const { port, stop } = await start({ drainMs: 600_000 })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
    await new Promise((resolve) => socket.write(health.repeat(3), resolve))
    const stopped = stop()
    expect((await textOf(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
    await stopped
  })

  test('waits for a reader that is slow', async () => {
    const app = createApp(contextOf({ limits: { ...defaultServerLimits, drainMs: 600_000 } }), { version: '0' })
    const answer = (): Promise<SentAnswer> =>
      Promise.resolve({ status: 200, headers: {}, body: 'x'.repeat(SLOW_BYTES) })
    const { port, stop } = await listen({ ...app, answer }, { host: '127.0.0.1', port: 0 })
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'readable')
    const stopped = stop()
    // The server closes the port only after it has closed idle connections once.
    await expect.poll(() => isOpen(port)).toBe(false)
    expect((await textOf(socket)).length).toBeGreaterThan(SLOW_BYTES)
    await stopped
  })

  test('cuts what does not end in time', async () => {
    const begun = Promise.withResolvers<void>()
    const search = {
      search: (request: Parameters<GivenRows['search']>[0]) =>
        new Promise<never>((_, reject) => {
          begun.resolve()
          request.signal.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    }
    const listening = await start({ drainMs: 100 }, { search })
    const answer = fetch(`http://127.0.0.1:${listening.port}${SEARCH}`, {
      method: 'POST',
      headers: { Authorization: KEY, 'Content-Type': 'application/json' },
      body,
    })
    await begun.promise
    await listening.stop()
    expect([(await answer).status, (await answer).headers.get('connection')]).toEqual([503, 'close'])
  })
})
