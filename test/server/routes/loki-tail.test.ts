// @module-tag slow
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, type RawData } from 'ws'
import { keysOf } from '../../../src/server/auth/server-keys.ts'
import { ADMIN, KEYS, LogServer, READER } from '../harness/log-server.ts'

const GUEST = 'key-of-a-guest-who-has-to-go'

interface Entry {
  readonly stream: Readonly<Record<string, string>>
  readonly values: readonly (readonly unknown[])[]
}

interface Message {
  readonly streams: readonly Entry[]
  readonly dropped_entries?: readonly { readonly labels: unknown; readonly timestamp: string }[]
}

/** A WebSocket client that records the lines it receives. */
class Client {
  readonly #socket: WebSocket
  readonly messages: Message[] = []
  pings = 0
  /** Resolves when the WebSocket is open; rejects with the HTTP status otherwise. */
  readonly opened: Promise<void>
  readonly closed: Promise<string>

  constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.#socket = new WebSocket(address, { headers })
    this.#socket.on('message', (data: RawData) => {
      this.messages.push(JSON.parse((data as Buffer).toString()) as Message)
    })
    this.#socket.on('ping', () => this.pings++)
    this.opened = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve)
      this.#socket.once('error', reject)
      this.#socket.once('unexpected-response', (_, response) => {
        let text = ''
        response.on('data', (piece) => (text += String(piece)))
        response.on('end', () => reject(new Error(`${response.statusCode} ${text.trimEnd()}`)))
      })
    })
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', (code, reason) => resolve(`${code} ${String(reason)}`))
    })
  }

  get lines(): readonly string[] {
    return this.messages.flatMap(({ streams }) => streams.map(({ values }) => String(values[0]?.[1])))
  }

  /** Resolves with the lines once at least `count` have arrived. */
  async until(count: number): Promise<readonly string[]> {
    await expect.poll(() => this.lines.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count)
    return this.lines
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): Promise<string> {
    this.#socket.close()
    return this.closed
  }
}

describe.each([0, 1])('the tail of Loki, %s workers', (workers) => {
  let logs: LogServer
  let port: number
  const revoked = new Set<string>()

  async function push(stream: Readonly<Record<string, string>>, ...lines: readonly string[]): Promise<void> {
    const values = lines.map((line) => [String(BigInt(Date.now()) * 1_000_000n), line, { trace_id: 'abc' }])
    expect(await logs.post('/loki/api/v1/push', { streams: [{ stream, values }] })).toMatchObject({ status: 204 })
  }

  const addressOf = (parameters: Readonly<Record<string, string>>, path = '/loki/api/v1/tail'): string =>
    `ws://127.0.0.1:${port}${path}?${new URLSearchParams(parameters).toString()}`

  function tail(
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
    path?: string,
  ): Client {
    return new Client(addressOf(parameters, path), { Authorization: `Bearer ${ADMIN}`, ...headers })
  }

  async function refusalOf(client: Client): Promise<string> {
    return client.opened.then(
      () => 'opened',
      (error: Error) => error.message,
    )
  }

  beforeAll(async () => {
    const log = { info: () => undefined, error: () => undefined }
    const { source } = keysOf([...KEYS, GUEST], log)
    const keys = {
      size: source.size,
      find: (key: string) => (revoked.has(key) ? undefined : source.find(key)),
      records: () => source.records(),
    }
    logs = await LogServer.open({ keys, limits: { drainMs: 200 }, ...(workers === 0 ? {} : { workers }) })
    await logs.restrictReader()
    port = (await logs.server.listen({ port: 0 })).port
  })
  afterAll(() => logs.server.close())

  test('sends the last entries, then those that arrive', async () => {
    await push({ app: 'live', namespace: 'theirs' }, 'one', 'two', 'three')
    const client = tail({ query: '{app="live"} !~ "four"', limit: '2' })
    await client.opened
    expect(await client.until(2)).toEqual(['two', 'three'])
    await push({ app: 'live', namespace: 'theirs' }, 'four', 'five')
    await push({ app: 'else' }, 'six')
    expect(await client.until(3)).toEqual(['two', 'three', 'five'])
    expect(client.messages[0]?.streams[0]).toEqual({
      stream: {
        app: 'live',
        namespace: 'theirs',
        service_name: 'live',
        detected_level: 'unknown',
        trace_id: 'abc',
      },
      values: [[expect.stringMatching(/^\d{19}$/), 'two']],
    })
    expect(await client.close()).toBe('1005 ')
  })

  test('starts where it is asked to, and has labels apart where they are asked for', async () => {
    await push({ app: 'apart' }, 'before')
    const start = String(BigInt(Date.now() + 60_000) * 1_000_000n)
    const headers = { 'X-Loki-Response-Encoding-Flags': 'categorize-labels' }
    const client = tail({ query: '{app="apart"} | logfmt', start }, headers)
    await client.opened
    await push({ app: 'apart' }, 'level=info n=1')
    expect(await client.until(1)).toEqual(['level=info n=1'])
    expect(client.messages[0]?.streams[0]).toEqual({
      stream: { app: 'apart', service_name: 'apart' },
      values: [
        [
          expect.any(String),
          'level=info n=1',
          { structuredMetadata: { trace_id: 'abc', detected_level: 'info' }, parsed: { level: 'info', n: '1' } },
        ],
      ],
    })
    await client.close()
  })

  test('the older form has labels as one text', async () => {
    await push({ app: 'old' }, 'line')
    const client = tail({ query: '{app="old"}' }, {}, '/api/prom/tail')
    await client.opened
    await expect.poll(() => client.messages).toHaveLength(1)
    expect(client.messages[0]).toEqual({
      streams: [
        {
          labels: '{app="old",detected_level="unknown",service_name="old",trace_id="abc"}',
          entries: [{ ts: expect.stringMatching(/^20\d\d-.*Z$/), line: 'line' }],
        },
      ],
    })
    await client.close()
  })

  test('sends only what the caller may see', async () => {
    const client = tail({ query: '{app="scoped"}' }, { Authorization: READER })
    await client.opened
    await push({ app: 'scoped', namespace: 'hidden' }, 'hidden')
    await push({ app: 'scoped', namespace: 'theirs' }, 'shown')
    expect(await client.until(1)).toEqual(['shown'])
    await client.close()
  })

  test('refuses faulty requests before it opens', async () => {
    expect(await refusalOf(tail({ query: '{app=' }))).toBe(
      '400 parse error at line 1, col 6: syntax error: unexpected $end, expecting STRING',
    )
    expect(await refusalOf(tail({}))).toBe('400 parse error : syntax error: unexpected $end')
    expect(await refusalOf(tail({ query: '{a="b"}', limit: '0' }))).toBe('400 limit must be a positive value')
    expect(await refusalOf(tail({ query: '{a="b"}', delay_for: '6' }))).toMatch(/^400 delay_for .* greater than 5$/)
    expect(await refusalOf(tail({ query: '{a="b"}', start: 'x' }))).toMatch(/^400 could not parse 'start'/)
    expect(await refusalOf(tail({ query: '{a="b"}' }, { Authorization: 'unknown' }))).toMatch(/^401 /)
    expect(await refusalOf(tail({ query: '{a="b"}' }, {}, '/loki/api/v1/query_range'))).toMatch(/^200 /)
    expect(await refusalOf(tail({}, {}, '/nowhere'))).toMatch(/^404 /)
  })

  test('answers a request without an upgrade with 400', async () => {
    const answerOf = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
      const path = `http://127.0.0.1:${port}/loki/api/v1/tail?query=${encodeURIComponent(query)}`
      const response = await fetch(path, { headers: { Authorization: ADMIN, ...headers } })
      return `${response.status} ${(await response.text()).trimEnd()}`
    }
    expect(await answerOf('{a="b"}')).toBe('400 Bad Request')
    expect(await answerOf('{a=')).toMatch(/^400 parse error/)
    expect((await logs.sent(`/loki/api/v1/tail?query={a="b"}`, { headers: { Authorization: ADMIN } })).status).toBe(400)
  })

  test('closes the tail of a metric query with the reason', async () => {
    const client = tail({ query: 'rate({app="live"}[1m])' })
    await client.opened
    expect(await client.closed).toBe('1011 only log selector is supported')
  })

  test('pings every second, and ignores what clients send unless it is long', async () => {
    const client = tail({ query: '{app="quiet"}' })
    await client.opened
    client.send('hello')
    await expect.poll(() => client.pings, { timeout: 5000 }).toBeGreaterThanOrEqual(2)
    client.send('x'.repeat(5000))
    expect(await client.closed).toMatch(/^1009|^1006/)
  })

  test('has at most 16 of one key', async () => {
    const clients = Array.from({ length: 16 }, () => tail({ query: '{app="many"}' }, { Authorization: READER }))
    await Promise.all(clients.map(({ opened }) => opened))
    const more = (): Client => tail({ query: '{app="many"}' }, { Authorization: READER })
    expect(await refusalOf(more())).toMatch(/^429 /)
    await Promise.all(clients.map((client) => client.close()))
    await expect.poll(() => refusalOf(more())).toBe('opened')
  })

  test('drops the oldest entries of a slow client, and says which', async () => {
    const client = tail({ query: '{app="burst"}' })
    await client.opened
    client.pause()
    const line = 'x'.repeat(2000)
    for (let n = 0; n < 6; n++)
      await push({ app: 'burst' }, ...Array.from({ length: 1000 }, (_, i) => `${n * 1000 + i} ${line}`))
    client.resume()
    const dropped = (): readonly unknown[] => client.messages.flatMap(({ dropped_entries: lost = [] }) => lost)
    await expect.poll(() => client.lines.at(-1)?.split(' ')[0], { timeout: 10_000 }).toBe('5999')
    expect(client.lines.length).toBeLessThan(6000)
    expect(dropped().length).toBeGreaterThan(0)
    expect(dropped()[0]).toEqual({
      labels: expect.objectContaining({ app: 'burst' }),
      timestamp: expect.stringMatching(/^\d{19}$/),
    })
    await client.close()
  })

  test('opens with the cookie of a session from pages of the server alone', async () => {
    const headers = { Authorization: ADMIN, 'Content-Type': 'application/json' }
    const signedIn = await fetch(`http://127.0.0.1:${port}/api/session`, { method: 'POST', headers })
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    const from = (origin: string): Client =>
      new Client(addressOf({ query: '{app="live"}' }), { Cookie: cookie, Origin: origin })
    expect(await refusalOf(from('https://evil.example'))).toMatch(/^403 /)
    expect(await refusalOf(from('null'))).toMatch(/^403 /)
    const own = from(`http://127.0.0.1:${port}`)
    expect(await refusalOf(own)).toBe('opened')
    const signOut = { method: 'DELETE', headers: { Cookie: cookie, 'X-Sluice-Console': '1' } }
    expect((await fetch(`http://127.0.0.1:${port}/api/session`, signOut)).status).toBe(204)
    expect(await own.closed).toMatch(/^1011 /)
  })

  test('ends when its key is revoked', async () => {
    const client = tail({ query: '{app="scoped"}' }, { Authorization: GUEST })
    await client.opened
    revoked.add(GUEST)
    expect(await client.closed).toMatch(/^1011 The API key in `Authorization` is not known here/)
  })

  test('answers requests for other upgrades as if they did not ask', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (piece) => {
        text += String(piece)
        if (text.includes('accepted')) socket.end()
      })
      socket.on('close', () => resolve(text))
      const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
      const body = '[{"content":"sent with an upgrade"}]'
      socket.write(
        `POST /api/ingest/logs HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${ADMIN}\r\n${upgrade}` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*"accepted":1/)
  })

  test('closes with a reason when the server stops', async () => {
    const client = tail({ query: '{app="live"}' })
    await client.opened
    const closing = logs.server.close()
    expect(await client.closed).toBe('1001 the server is being stopped')
    await closing
  })
})
