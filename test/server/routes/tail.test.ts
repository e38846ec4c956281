// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { main } from '../../../src/cli/main.ts'
import { run, testTerminal } from '../../cli/terminal.ts'

const ADMIN = 'admin'
const EMAIL = 'someone@example.com'

function request(path: string, key: string, body?: unknown): Request {
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  return new Request(
    `http://localhost${path}`,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  )
}

interface Message {
  readonly data?: readonly { readonly [name: string]: unknown }[]
  readonly dropped?: number
  readonly done: boolean
  readonly error?: string
}

/** Yields the messages of an answer in order. */
async function* messages(response: Response): AsyncGenerator<Message> {
  let text = ''
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as Message
  }
}

describe.each([0, 1])('logs as they arrive, %s workers', (workers) => {
  let server: SluiceServer

  beforeAll(async () => {
    server = await createServer({
      keys: [ADMIN, { key: 'someone', email: EMAIL, roles: ['read'] }],
      ...(workers === 0 ? {} : { workers }),
    })
    const dataScope = {
      simple: {
        conditions: [{ key: 'namespace', type: 'string', origin: 'root', filters: [{ op: 'match', value: 'theirs' }] }],
      },
    }
    const policy = { name: 'theirs', role: { read: null }, dataScope }
    const made = await server.fetch(request('/api/rbac/policy/create', ADMIN, policy))
    const { uuid } = (await made.json()) as { readonly uuid: string }
    const apply = { emails: [EMAIL], policyUUIDs: [uuid], override: true }
    expect((await server.fetch(request('/api/rbac/policy/apply', ADMIN, apply))).status).toBe(200)
    await put([{ content: 'before', namespace: 'theirs' }])
  })
  afterAll(() => server.close())

  async function put(records: readonly object[]): Promise<void> {
    expect((await server.fetch(request('/api/ingest/logs', ADMIN, records))).status).toBe(200)
  }

  function tail(query: string, key = ADMIN, more = ''): Promise<Response> {
    return server.fetch(request(`/api/logs/tail?query=${encodeURIComponent(query)}${more}`, key))
  }

  test('matching rows, whatever their times, and no earlier ones', async () => {
    const response = await tail('content:row* | fields content, n')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const rows = messages(response)
    await put([
      { content: 'row', n: 1, _time: '2001-01-01T00:00:00Z' },
      { content: 'other', n: 2 },
      { content: 'row', n: 3 },
    ])
    expect((await rows.next()).value).toMatchObject({
      data: [{ content: 'row' }, { content: 'row', n: 3 }],
      done: false,
    })
    await put([{ content: 'row', n: 4 }])
    expect((await rows.next()).value).toEqual({ data: [{ content: 'row', n: 4 }], done: false })
    await rows.return(undefined)
  })

  test('only what the caller may see', async () => {
    const rows = messages(await tail('* | fields content', 'someone'))
    await put([
      { content: 'hidden', namespace: 'ours' },
      { content: 'shown', namespace: 'theirs' },
    ])
    expect((await rows.next()).value).toEqual({ data: [{ content: 'shown' }], done: false })
    await rows.return(undefined)
  })

  test('of very many rows the newest, and how many were left out', async () => {
    const rows = messages(await tail('burst'))
    const start = Date.parse('2026-03-10T00:00:00Z')
    await put(
      Array.from({ length: 6000 }, (_, n) => ({ content: 'burst', n, _time: new Date(start + n).toISOString() })),
    )
    let dropped = 0
    let last: unknown
    let count = 0
    while (count + dropped < 6000) {
      const { value } = await rows.next()
      const message = value as Message
      dropped += message.dropped ?? 0
      count += message.data?.length ?? 0
      last = message.data?.at(-1)
    }
    expect(last).toMatchObject({ n: 5999 })
    expect(count).toBeGreaterThanOrEqual(1000)
    expect(dropped).toBeGreaterThan(0)
    expect(count + dropped).toBe(6000)
    await rows.return(undefined)
  })

  test('ends when it was asked to', async () => {
    const all: Message[] = []
    for await (const message of messages(await tail('nothing', ADMIN, '&for=50ms'))) all.push(message)
    expect(all).toEqual([{ done: true }])
  })

  test.each([
    ['* | stats count() n', 400, 'server/not-tailed'],
    ['* | sort by (content)', 400, 'server/not-tailed'],
    ['* | limit 5', 400, 'server/not-tailed'],
    ['level:in(level:error | fields level)', 400, 'server/not-tailed'],
    ['level:', 400, 'log/'],
    ['', 400, 'server/missing-parameter'],
  ])('%s is refused', async (query, status, code) => {
    const response = await tail(query)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(`"code":"${code}`)
  })

  test('without a key, or with too many streams of one', async () => {
    expect((await tail('*', 'nobody')).status).toBe(401)
    const open = await Promise.all(Array.from({ length: 16 }, () => tail('nothing', 'someone')))
    expect((await tail('nothing', 'someone')).status).toBe(429)
    for (const response of open) await response.body?.cancel()
    const again = await tail('nothing', 'someone')
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })

  test('sluice tail', async () => {
    const listening = await server.listen({ port: 0 })
    const { address } = listening as unknown as { readonly address: string }
    const args = ['tail', 'told | fields n', '--server', address, '--key', ADMIN]
    const leaving = new AbortController()
    const { terminal, told } = testTerminal({ signal: leaving.signal })
    const ran = main(args, terminal)
    // The subscription may not be active yet.
    await expect
      .poll(async () => {
        await put([{ content: 'told', n: 9007199254740993n.toString() }])
        return told.out
      })
      .toContain('{"n":"9007199254740993"}\n')
    leaving.abort()
    expect(await ran).toBe(130)
    expect((await run(...args, '--for', '1s')).code).toBe(0)
    const refused = await run('tail', '* | stats count() n', '--server', address, '--key', ADMIN)
    expect(refused.error).toContain('400: This query cannot follow logs as they arrive.')
    expect(refused.code).toBe(1)
  })
})
