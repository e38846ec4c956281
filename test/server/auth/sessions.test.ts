import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { Sessions } from '../../../src/server/auth/sessions.ts'
import {
  KeyRing,
  createServer,
  printKeyFile,
  type KeyRecord,
  type ServerOptions,
  type SluiceServer,
} from '../../../src/server/index.ts'
import { KEY, SALT, SEARCH, key, searchBody } from '../harness/harness.ts'
import { answersByWorker } from '../harness/loopback.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-sessions-'))
const built = join(folder, 'console')
mkdirSync(built)
writeFileSync(join(built, 'index.html'), '<!doctype html>')

const servers: SluiceServer[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serverOf(options: Partial<ServerOptions> & object = {}): Promise<SluiceServer> {
  const server = await createServer({ keys: [KEY], console: built, ...options } as ServerOptions)
  servers.push(server)
  return server
}

interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(server: SluiceServer, path: string, { method = 'GET', body, headers = {} }: Asked = {}) {
  const type: Readonly<Record<string, string>> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const init = { method, headers: { ...type, ...headers }, body: body === undefined ? null : JSON.stringify(body) }
  const sent = await server.fetch(new Request(`http://localhost:7400${path}`, init))
  const text = await sent.text()
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: sent.status, body: json, code: json['code'], cookie: sent.headers.get('set-cookie') ?? '' }
}

const bearer = (given = KEY): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${given}` })

async function signIn(server: SluiceServer, given = KEY, sent: Readonly<Record<string, string>> = {}): Promise<string> {
  const headers = { ...bearer(given), ...sent }
  const { status, cookie } = await ask(server, '/api/session', { method: 'POST', headers })
  expect(status).toBe(200)
  return present(cookie.split(';')[0])
}

const CONSOLE = { 'X-Sluice-Console': '1' }

async function search(server: SluiceServer, headers: Readonly<Record<string, string>>) {
  return ask(server, SEARCH, { method: 'POST', body: searchBody, headers })
}

function started(sessions: Sessions, record: KeyRecord | undefined): string {
  return present(sessions.start(present(record)))
}

describe('sessions and codes', () => {
  const records = [key('a'), key('b')]
  const [first, second] = records.map((record) => present(record))
  function sessionsOver(ring: { records: () => readonly KeyRecord[] } = { records: () => records }) {
    let nowMs = 0
    let count = 0
    const find = (): undefined => undefined
    const sessions = new Sessions({ size: 2, find, ...ring }, { nowMs: () => nowMs }, (bytes) => {
      const made = new Uint8Array(bytes)
      new DataView(made.buffer).setUint32(0, ++count)
      return made
    })
    const after = (ms: number): void => {
      nowMs += ms
    }
    return { sessions, after }
  }
  const HOUR = 3_600_000

  test('a session ends after 12 hours without use, and after 7 days with it', () => {
    const { sessions, after } = sessionsOver()
    const idle = started(sessions, first)
    const used = started(sessions, first)
    for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
      expect(sessions.find(used)).toBe(first)
      after(10 * HOUR)
    }
    expect(sessions.find(idle)).toBeUndefined()
    expect(sessions.find(used)).toBe(first)
    after(10 * HOUR)
    expect(sessions.find(used)).toBeUndefined()
    expect(sessions.size).toBe(0)
  })

  test('a key has at most 16 sessions; the one unused longest ends', () => {
    const { sessions } = sessionsOver()
    const other = started(sessions, second)
    const own = Array.from({ length: 16 }, () => started(sessions, first))
    expect(sessions.find(present(own[0]))).toBe(first)
    started(sessions, first)
    expect(sessions.size).toBe(17)
    expect(sessions.find(present(own[1]))).toBeUndefined()
    expect(sessions.find(present(own[0]))).toBe(first)
    expect(sessions.find(other)).toBe(second)
  })

  test('all keys together have at most 10,000 sessions', () => {
    const many = Array.from({ length: 700 }, (_, i) => ({ ...key(''), hash: String(i) }))
    const { sessions } = sessionsOver({ records: () => many })
    const tokens = many.flatMap((record) => Array.from({ length: 16 }, () => started(sessions, record)))
    expect(sessions.size).toBe(10_000)
    expect(sessions.find(present(tokens[0]))).toBeUndefined()
    expect(sessions.find(present(tokens.at(-1)))).toBe(many.at(-1))
  })

  test.each<[string, readonly KeyRecord[]]>([
    ['is removed', [key('b')]],
    ['gets another user', [key('a', { email: 'x@y' })]],
    ['loses a role', [key('a', { roles: new Set(['read']) })]],
    ['is limited to a backend', [key('a', { backends: new Set(['one']) })]],
  ])('a session and a code end when their key %s', (_, later) => {
    let now: readonly KeyRecord[] = records
    const { sessions } = sessionsOver({ records: () => now })
    const token = started(sessions, first)
    const code = present(sessions.newCode())
    now = later
    expect(sessions.find(token)).toBeUndefined()
    expect(sessions.useCode(code)).toBeUndefined()
    now = records
    expect(sessions.find(token)).toBeUndefined()
  })

  test('a code works once, within 10 minutes', () => {
    const { sessions, after } = sessionsOver()
    const [once, late] = [present(sessions.newCode()), present(sessions.newCode())]
    expect(sessions.useCode(once)).toBe(first)
    expect(sessions.useCode(once)).toBeUndefined()
    expect(sessions.find(late)).toBeUndefined()
    after(10 * 60_000)
    expect(sessions.useCode(late)).toBeUndefined()
  })

  test('a code signs in as the first key that may read', () => {
    const writer = key('w', { roles: new Set(['write']) })
    const { sessions } = sessionsOver({ records: () => [writer, ...records] })
    expect(sessions.useCode(present(sessions.newCode()))).toBe(first)
    expect(sessionsOver({ records: () => [writer] }).sessions.newCode()).toBeUndefined()
  })
})

describe('POST /api/session', () => {
  test('with a key it sets a cookie that scripts and other sites cannot use', async () => {
    const server = await serverOf()
    const { status, body, cookie } = await ask(server, '/api/session', { method: 'POST', headers: bearer() })
    expect(cookie).toMatch(/^sluice_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
    expect([status, body]).toEqual([
      200,
      {
        key: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
        signedIn: 'session',
        backends: ['default'],
        roles: ['read', 'write', 'admin'],
        isScoped: false,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
        features: expect.arrayContaining(['logs', 'metrics', 'ingest', 'monitors']) as string[],
      },
    ])
  })

  test.each([{ 'X-Forwarded-Proto': 'https' }, { Origin: 'https://localhost:7400' }])(
    'behind TLS (%j) the cookie is Secure',
    async (headers) => {
      const asked = { method: 'POST', headers: { ...bearer(), ...headers } }
      expect((await ask(await serverOf(), '/api/session', asked)).cookie).toContain('; Secure')
    },
  )

  test('two servers of one host name have cookies of their own', async () => {
    const [one, other] = [await serverOf(), await serverOf()]
    const at = async (server: SluiceServer, host: string, given: Readonly<Record<string, string>> = {}) =>
      (await ask(server, '/api/session', { method: 'POST', headers: { ...bearer(), Host: host, ...given } })).cookie
    const first = await at(one, 'localhost:7400')
    expect(first).toMatch(/^sluice_session_7400=/)
    const second = await at(other, '[::1]:7401')
    expect(second).toMatch(/^sluice_session_7401=/)
    const Cookie = [first, second].map((cookie) => cookie.split(';')[0]).join('; ')
    for (const [server, Host] of [[one, 'localhost:7400'] as const, [other, '[::1]:7401'] as const])
      expect((await ask(server, '/api/session', { headers: { Cookie, Host } })).status).toBe(200)
    expect((await ask(one, '/api/session', { headers: { Cookie, Host: 'localhost' } })).code).toBe('server/no-key')
  })

  test('over TLS the cookie is of this host alone, and counts before one without TLS', async () => {
    const server = await serverOf()
    const tls = { 'X-Forwarded-Proto': 'https', Host: 'logs.example:8443' }
    const { cookie } = await ask(server, '/api/session', { method: 'POST', headers: { ...bearer(), ...tls } })
    expect(cookie).toMatch(/^__Host-sluice_session_8443=[\w-]{43}; .*Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const own = cookie.split(';')[0] ?? ''
    const planted = `sluice_session_8443=${'A'.repeat(43)}`
    const sent = { Cookie: `${planted}; ${own}`, ...tls }
    expect((await ask(server, '/api/session', { headers: sent })).status).toBe(200)
    const out = await ask(server, '/api/session', { method: 'DELETE', headers: { ...sent, ...CONSOLE } })
    expect(out.cookie).toMatch(/^__Host-sluice_session_8443=; Max-Age=0;/)
    expect((await ask(server, '/api/session', { headers: sent })).code).toBe('server/session-ended')
  })

  test('each sign-in makes a new token, and ends the session of the cookie that was sent', async () => {
    const server = await serverOf()
    const planted = { Cookie: `sluice_session=${'A'.repeat(43)}` }
    const { cookie } = await ask(server, '/api/session', { method: 'POST', headers: { ...bearer(), ...planted } })
    const first = present(cookie.split(';')[0])
    expect(first).not.toBe(planted.Cookie)
    const again = { method: 'POST', headers: { ...bearer(), Cookie: first } }
    expect((await ask(server, '/api/session', again)).status).toBe(200)
    expect((await ask(server, '/api/session', { headers: { Cookie: first } })).code).toBe('server/session-ended')
  })

  test('of two exchanges of one code at once, one wins', async () => {
    const server = await serverOf()
    const body = { code: server.consoleCode() }
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => ask(server, '/api/session', { method: 'POST', body })),
    )
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 401),
    ])
    const refused = present(sent.find(({ status }) => status === 401))
    expect([refused.code, refused.cookie]).toEqual(['server/used-code', ''])
  })

  test.each<[string, Asked, number, string]>([
    ['nothing', {}, 401, 'server/no-key'],
    ['an unknown key', { headers: bearer('nobody') }, 401, 'server/unknown-key'],
    ['an unknown code', { body: { code: 'A'.repeat(43) } }, 401, 'server/used-code'],
    ['no code', { body: {} }, 400, 'wire/missing-member'],
    ['a code that is no text', { body: { code: { length: 1 } } }, 400, 'wire/wrong-type'],
    ['a huge code', { body: { code: 'x'.repeat(4000) } }, 400, 'wire/out-of-range'],
    ['a huge body', { body: { code: 'x'.repeat(1_000_000) } }, 413, 'server/body-too-large'],
    ['a form', { body: { code: 'x' }, headers: { 'Content-Type': 'text/plain' } }, 415, 'server/wrong-content-type'],
    ['another origin', { headers: { ...bearer(), Origin: 'http://evil.example' } }, 403, 'server/foreign-origin'],
    ['another port', { headers: { ...bearer(), Origin: 'http://localhost:3000' } }, 403, 'server/foreign-origin'],
    ['a sandboxed page', { headers: { ...bearer(), Origin: 'null' } }, 403, 'server/foreign-origin'],
    ['another site', { headers: { ...bearer(), 'Sec-Fetch-Site': 'cross-site' } }, 403, 'server/foreign-origin'],
  ])('%s is refused', async (_, asked, status, code) => {
    const server = await serverOf()
    const sent = await ask(server, '/api/session', { method: 'POST', ...asked })
    expect([sent.status, sent.code, sent.cookie]).toEqual([status, code, ''])
  })

  test('without a page there is no code', async () => {
    expect((await serverOf({ console: join(folder, 'missing') })).consoleCode()).toBeUndefined()
    expect((await serverOf({ console: undefined })).consoleCode()).toBeUndefined()
  })
})

describe('requests with a session', () => {
  test('have the rights of its key in every route, and choose a backend', async () => {
    const keys = [KEY, { key: 'of-a', email: 'a@b', roles: ['read'], backends: ['a'] }] as const
    const server = await serverOf({ keys, backends: { a: {}, b: {} } })
    const cookie = await signIn(server, 'of-a')
    const own = { Cookie: cookie, ...CONSOLE }
    expect((await search(server, { ...own, 'X-Backend-Id': 'a' })).status).toBe(200)
    expect((await search(server, { ...own, 'X-Backend-Id': 'b' })).code).toBe('server/no-backend')
    const write = { method: 'POST', body: { x: 1 }, headers: { ...own, 'X-Backend-Id': 'a' } }
    expect((await ask(server, '/api/ingest/logs', write)).code).toBe('server/no-role')
    const { body } = await ask(server, '/api/session', { headers: own })
    expect(body).toMatchObject({ user: 'a@b', backends: ['a'], roles: ['read'], isScoped: false })
    expect((await ask(server, '/api/session', { headers: { ...own, 'X-Backend-Id': 'b' } })).status).toBe(403)
  })

  test('see the rows that the policies of its user show', async () => {
    const logs = ['prod', 'dev'].map((cluster) => ({ _time: '2026-01-01T12:00:00Z', cluster }))
    const keys = [KEY, { key: 'theirs', email: 'a@b' }]
    const server = await serverOf({ tables: { logs }, keys })
    const conditions = [{ key: 'cluster', origin: 'root', type: 'string', filters: [{ op: 'match', value: 'prod' }] }]
    const policy = { name: 'p', role: { read: '' }, dataScope: { simple: { conditions } } }
    const made = await ask(server, '/api/rbac/policy/create', { method: 'POST', body: policy, headers: bearer() })
    const body = { emails: ['a@b'], policyUUIDs: [made.body['uuid']] }
    await ask(server, '/api/rbac/policy/apply', { method: 'POST', body, headers: bearer() })
    const own = { Cookie: await signIn(server, 'theirs'), ...CONSOLE }
    expect((await search(server, own)).body).toHaveLength(1)
    const { body: me } = await ask(server, '/api/session', { headers: own })
    expect(me).toMatchObject({ backends: ['default'], roles: ['read'], isScoped: true })
  })

  test('need the header of the console unless they only read', async () => {
    const server = await serverOf()
    const Cookie = await signIn(server)
    expect((await search(server, { Cookie })).code).toBe('server/no-console-header')
    expect((await search(server, { Cookie, 'X-Sluice-Console': '2' })).status).toBe(403)
    expect((await search(server, { Cookie, ...CONSOLE })).status).toBe(200)
    expect((await ask(server, '/api/session', { headers: { Cookie } })).status).toBe(200)
    expect((await ask(server, '/api/session', { method: 'DELETE', headers: { Cookie } })).status).toBe(403)
  })

  test.each([{ Origin: 'http://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'same-site' }])(
    'are refused from pages of other origins (%j), also to read',
    async (foreign) => {
      const server = await serverOf()
      const headers = { Cookie: await signIn(server), ...CONSOLE, ...foreign }
      expect((await search(server, headers)).code).toBe('server/foreign-origin')
      expect((await ask(server, '/api/session', { headers })).code).toBe('server/foreign-origin')
      expect((await ask(server, '/api/logs/tail?query=*', { headers })).code).toBe('server/foreign-origin')
    },
  )

  test('with a key in a header too, the key counts', async () => {
    const server = await serverOf({ keys: [KEY, { key: 'reader', roles: ['read'] }] })
    const Cookie = await signIn(server)
    const { body } = await ask(server, '/api/session', { headers: { Cookie, ...bearer('reader') } })
    expect(body).toMatchObject({ signedIn: 'key', roles: ['read'] })
    expect((await search(server, { Cookie, ...CONSOLE, ...bearer('nobody') })).code).toBe('server/unknown-key')
    expect((await search(server, { Cookie, Origin: 'http://evil.example', ...bearer() })).status).toBe(200)
  })

  test('two cookies of the name are none', async () => {
    const server = await serverOf()
    const own = await signIn(server)
    const headers = { Cookie: `sluice_session=planted; ${own}`, ...CONSOLE }
    expect((await search(server, headers)).code).toBe('server/no-key')
  })

  test('end at the logout', async () => {
    const server = await serverOf()
    const headers = { Cookie: await signIn(server), ...CONSOLE }
    const out = await ask(server, '/api/session', { method: 'DELETE', headers })
    expect(out.status).toBe(204)
    expect(out.cookie).toBe('sluice_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
    expect((await search(server, headers)).code).toBe('server/session-ended')
    expect((await search(server, bearer())).status).toBe(200)
  })

  test('end with a revoked key, also a stream that is open', async () => {
    const file = join(folder, 'keys.json')
    const write = (...records: readonly KeyRecord[]): void =>
      writeFileSync(file, printKeyFile(SALT, records), { mode: 0o600 })
    write(key(KEY), key('other'))
    const server = await serverOf({ keys: { file } })
    const headers = { Cookie: await signIn(server, 'other'), ...CONSOLE }
    const tail = await server.fetch(new Request('http://localhost:7400/api/logs/tail?query=*', { headers }))
    expect(tail.status).toBe(200)
    write(key(KEY))
    expect((await search(server, headers)).code).toBe('server/session-ended')
    const line = { method: 'POST', body: { _msg: 'secret-word' }, headers: bearer() }
    expect((await ask(server, '/api/ingest/logs', line)).status).toBe(200)
    const text = await tail.text()
    expect(text).toContain('server/session-ended')
    expect(text).not.toContain('secret-word')
  })

  test('are answered by query workers', { skip: answersByWorker, tags: ['slow'] }, async () => {
    const server = await serverOf({ workers: 1 })
    await server.loaded
    expect((await search(server, { Cookie: await signIn(server), ...CONSOLE })).status).toBe(200)
  })

  test('of a source without a list of keys there are none', async () => {
    const ring = new KeyRing(SALT, [key(KEY)])
    const keys = { size: 1, find: (given: string) => ring.find(given), records: () => [] }
    const server = await serverOf({ keys })
    const sent = await ask(server, '/api/session', { method: 'POST', headers: bearer() })
    expect([sent.status, sent.code, sent.cookie]).toEqual([403, 'server/no-sessions', ''])
    expect(server.consoleCode()).toBeUndefined()
  })
})

test('over a socket, the host of the address is the own origin', async () => {
  const server = await serverOf()
  const { address, port } = await server.listen()
  const Cookie = await signIn(server, KEY, { Host: new URL(address).host })
  const statusOf = (Origin: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { Cookie, ...CONSOLE, Origin }
      httpRequest(`${address}/api/session`, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
  expect(await statusOf(address)).toBe(200)
  expect(await statusOf(`http://127.0.0.1:${port + 1}`)).toBe(403)
})
