// @module-tag slow
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { createServer, printKeyFile, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { SALT, SEARCH, key } from '../harness/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-identities-'))
const ADMIN = 'the key of who makes policies'
const range = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z' }
const logs = ['prod', 'dev', 'prod'].map((cluster, i) => ({ _time: `2026-03-10T11:20:0${i}Z`, cluster, content: 'x' }))

const opened: SluiceServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serverOf(options: Partial<ServerOptions> & object = {}): Promise<SluiceServer> {
  const server = await createServer({ tables: { logs }, keys: [ADMIN], ...options })
  opened.push(server)
  return server
}

async function ask(server: SluiceServer, given: string, path: string, body?: unknown) {
  const headers = { Authorization: `Bearer ${given}`, 'Content-Type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await server.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

const counted = async (server: SluiceServer, given: string): Promise<unknown> =>
  (await ask(server, given, SEARCH, { ...range, query: '* | stats count() n' })).body

/** Applies a policy to a user that shows only rows of the cluster `prod`. */
async function restrict(server: SluiceServer, email: string): Promise<void> {
  const filters = [{ op: 'match', value: 'prod' }]
  const conditions = [{ key: 'cluster', origin: 'root', type: 'string', filters }]
  const dataScope = { simple: { conditions } }
  const made = await ask(server, ADMIN, '/api/rbac/policy/create', {
    name: `p-${email}`,
    role: { read: null },
    dataScope,
  })
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  const applied = await ask(server, ADMIN, '/api/rbac/policy/apply', {
    emails: [email],
    policyUUIDs: [made.body['uuid']],
  })
  expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300)
}

describe('one user under all spellings of a name', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['admin@x', 'ａdmin@x'],
    ['ａｄｍｉｎ@x', 'ADMIN@X'],
    ['admin@x', 'admin＠x'],
    ['é@x', 'e\u0301@x'],
    ['ﬁ@x', 'FI@x'],
    ['Ⅳ@x', 'iv@x'],
    ['admin@x', '𝒶𝒹𝓂𝒾𝓃@x'],
    ['admin@x', 'ⓐdmin@x'],
    ['Å@x', '\u212b@x'],
    [' admin@x ', 'admin@x'],
    ['가@x', '\u1100\u1161@x'],
  ]
  test.each(spellings)('a policy of %j holds for a key of %j', async (applied, email) => {
    const server = await serverOf({ keys: [ADMIN, { key: 'theirs', email }] })
    await restrict(server, applied)
    expect(await counted(server, 'theirs')).toEqual([{ n: 2 }])
  })

  const hidden: readonly (readonly [string, string, number])[] = [
    ['ad\u200bmin@x', 'U+200B', 3],
    ['admin\u200d@x', 'U+200D', 6],
    ['\ufeffadmin@x', 'U+FEFF', 1],
    ['ad\u00admin@x', 'U+00AD', 3],
    ['\u202eadmin@x', 'U+202E', 1],
    ['ad\u2066min@x', 'U+2066', 3],
    ['ad\u061cmin@x', 'U+061C', 3],
    ['ad\0min@x', 'U+0000', 3],
    ['ad\u001b[2Jmin@x', 'U+001B', 3],
    ['ad\u0085min@x', 'U+0085', 3],
    ['ad\u2060min@x', 'U+2060', 3],
    ['ad\u3164min@x', 'U+3164', 3],
    ['𝒶d\ufe0fmin@x', 'U+FE0F', 3],
  ]
  test.each(hidden)('%j is refused where policies and keys are made', async (email, code, position) => {
    const server = await serverOf()
    const refused = await ask(server, ADMIN, '/api/rbac/policy/apply', { emails: ['a@b', email], policyUUIDs: [] })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain(`Character ${position} of this name is ${code}`)
    expect(refused.body).toMatchObject({ details: { diagnostics: [{ path: '$.emails[1]' }] } })
    const inSettings: unknown = await serverOf({ keys: [ADMIN, { key: 'theirs', email }] }).catch(
      (error: unknown) => error,
    )
    expect(inSettings).toBeInstanceOf(SluiceError)
    expect((inSettings as SluiceError).message).toContain(`its character ${position} is ${code}`)
    const path = join(folder, 'hidden.json')
    writeFileSync(path, printKeyFile(SALT, [key('one', { email })]), { mode: 0o600 })
    const inFile: unknown = await serverOf({ keys: { file: path } }).catch((error: unknown) => error)
    expect((inFile as SluiceError).diagnostics[0]?.code).toBe('setup/key-user')
  })
})

describe('keys whose user has no policy', () => {
  const keys = [ADMIN, { key: 'with', email: 'with@x' }, { key: 'without', email: 'without@x' }, 'nobody of all']

  test('see everything unless a policy is required', async () => {
    const server = await serverOf({ keys })
    await restrict(server, 'with@x')
    expect(await counted(server, 'with')).toEqual([{ n: 2 }])
    expect(await counted(server, 'without')).toEqual([{ n: 3 }])
    expect(await counted(server, 'nobody of all')).toEqual([{ n: 3 }])
  })

  test('see nothing where one is required, and a first key still makes policies', async () => {
    const server = await serverOf({ keys, requirePolicy: true })
    expect(await counted(server, 'without')).toEqual([{ n: 0 }])
    await restrict(server, 'with@x')
    expect(await counted(server, 'with')).toEqual([{ n: 2 }])
    for (const given of ['without', 'nobody of all', ADMIN]) {
      expect(await counted(server, given)).toEqual([{ n: 0 }])
      const rows = await ask(server, given, SEARCH, { ...range, query: '*' })
      expect(rows.body).toEqual([])
      const values = await ask(server, given, SEARCH, { ...range, query: '* | uniq by (cluster)' })
      expect(values.body).toEqual([])
    }
  })

  test('see nothing of what query threads read and of metrics', async () => {
    const server = await createServer({ keys: [ADMIN], requirePolicy: true, workers: 1 })
    opened.push(server)
    await server.loaded
    const sent = await ask(server, ADMIN, '/api/ingest/logs', logs[0])
    expect(sent.status).toBe(200)
    for (let tries = 0; ; tries++) {
      const { status, body } = await ask(server, ADMIN, SEARCH, { ...range, query: '* | stats count() n' })
      if (status === 503 && tries < 100) await sleep(50)
      else {
        expect(body).toEqual([{ n: 0 }])
        break
      }
    }
    const labels = await ask(server, ADMIN, '/api/v1/labels')
    expect(labels.body['data']).toEqual([])
  })
})

/**
 * Sends a request. Returns everything received until the answer is complete or the connection closes. `then` returns
 * what to send after a 100.
 */
async function exchange(port: number, text: string, isWhole: (got: string) => boolean, then?: (got: string) => string) {
  const socket = connect(port, '127.0.0.1')
  let got = ''
  let isSaid = false
  socket.setEncoding('utf8')
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (piece: string) => {
      got += piece
      if (then !== undefined && !isSaid && got.startsWith('HTTP/1.1 100')) {
        isSaid = true
        socket.write(then(got))
      }
      if (isWhole(got)) resolve()
    })
    socket.once('close', () => resolve())
    socket.once('error', reject)
    socket.write(text)
  })
  const isClosed = socket.readableEnded || socket.closed
  socket.destroy()
  return { got, isClosed }
}

const hasAnswer = (got: string): boolean => /HTTP\/1\.1 [2-5]\d\d [\s\S]*\r\n\r\n/.test(got)

describe('requests without a key on the loopback address', () => {
  let server: SluiceServer
  let port: number

  beforeAll(async () => {
    server = await createServer({ tables: { logs }, keys: [ADMIN], allowHosts: ['logs.example.com'] })
    port = (await server.listen()).port
  })
  afterAll(() => server.close())

  const status = async (path: string, host: string, more = ''): Promise<number> => {
    const { got } = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`, hasAnswer)
    return Number(got.slice(9, 12))
  }
  const paths = [
    '/metrics',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/ready',
    '/tempo/ready',
    '/-/healthy',
    '/-/ready',
    '/health',
  ]

  test.each([
    'localhost',
    'localhost:7400',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1',
    '127.0.0.1:7400',
    '127.1.2.3',
    '[::1]',
    '[::1]:7400',
    'logs.example.com',
    'LOGS.example.com:443',
  ])('are answered by the name %s', async (host) => {
    for (const path of paths) expect(await status(path, host), path).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:7400',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:7400',
    '0x7f000001',
    '0.0.0.0',
    'logs.example.com.evil.example',
    'xlogs.example.com',
    '[::2]',
    '169.254.169.254',
  ])('are refused by the name %s', async (host) => {
    for (const path of paths) {
      expect(await status(path, host), path).toBe(421)
      expect(await status(path, host, 'Authorization: Bearer wrong\r\n'), path).toBe(421)
      expect(await status(path, host, 'X-Forwarded-For: 1.2.3.4\r\n'), path).toBe(421)
    }
    expect(await status('/metrics', host, `Authorization: Bearer ${ADMIN}\r\n`)).toBe(200)
  })

  test('a refusal names the option', async () => {
    const { got } = await exchange(port, 'GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n', (text) =>
      text.includes('trace_id'),
    )
    expect(got).toContain('`--allow-host NAME`')
    expect(got).toContain('`evil.example`')
    expect(got).toContain('"type":"misdirected"')
  })

  test('a name of HTTP/1.0 and other addresses are left alone', async () => {
    const { got } = await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n', hasAnswer)
    expect(got).toMatch(/^HTTP\/1\.1 200/)
    const response = await server.fetch(new Request('http://evil.example/healthz'))
    expect(response.status).toBe(200)
  })
})

describe('Expect: 100-continue', () => {
  let server: SluiceServer
  let port: number

  beforeAll(async () => {
    server = await createServer({ keys: [ADMIN] })
    port = (await server.listen()).port
    await server.loaded
  })
  afterAll(() => server.close())

  const body = '{"content":"x"}\n'
  const head = (path: string, more: string, length = body.length): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

  test('a body is asked for once the key is known', async () => {
    const { got } = await exchange(
      port,
      head('/api/ingest/logs', `Authorization: Bearer ${ADMIN}\r\n`),
      hasAnswer,
      () => body,
    )
    expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
    expect(got).toContain('"accepted":1')
  })

  test.each([
    ['no key', '/api/ingest/logs', '', 401],
    ['another key', '/api/ingest/logs', 'Authorization: Bearer wrong\r\n', 401],
    ['no such path', '/api/nothing', `Authorization: Bearer ${ADMIN}\r\n`, 404],
    ['another method', '/healthz', '', 405],
    ['a search without a key', SEARCH, '', 401],
    ['OTLP without a key', '/v1/logs', '', 401],
    ['remote write without a key', '/api/v1/write', '', 401],
    ['PromQL without a key', '/api/v1/query', '', 401],
  ])('with %s nothing is asked for, and the connection ends', async (_what, path, more, status) => {
    const { got, isClosed } = await exchange(port, head(path, more), () => false)
    expect(got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(got).not.toContain('100 Continue')
    expect(got.toLowerCase()).toContain('connection: close')
    expect(isClosed).toBe(true)
  })

  test('a request that stands in the place of the body is not answered', async () => {
    const smuggled = `GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { got } = await exchange(port, head('/api/ingest/logs', '', smuggled.length) + smuggled, () => false)
    expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  test('a body that is announced as too long is refused before it is sent', async () => {
    const { got } = await exchange(
      port,
      head('/api/ingest/logs', `Authorization: Bearer ${ADMIN}\r\n`, 10 ** 12),
      () => false,
    )
    expect(got).toMatch(/^HTTP\/1\.1 413/)
    expect(got).not.toContain('100 Continue')
  })

  test('another expectation is refused', async () => {
    const text = head('/api/ingest/logs', '').replace('100-continue', 'a-pony')
    expect((await exchange(port, text, hasAnswer)).got).toMatch(/^HTTP\/1\.1 417/)
  })
})

describe('what a start says of its keys', () => {
  const fileWith = (mode: number): string => {
    const path = join(folder, `keys-${mode.toString(8)}.json`)
    writeFileSync(path, printKeyFile(SALT, [key('one')]))
    chmodSync(path, mode)
    return path
  }

  test.each([0o644, 0o640, 0o660, 0o602, 0o610, 0o666])('a key file of mode %o', async (mode) => {
    const file = fileWith(mode)
    const { warnings } = await serverOf({ keys: { file } })
    expect(warnings).toEqual([
      `Others can read or write the key file ${file} (mode ${mode.toString(8)}); \`chmod 600\` leaves it to its owner.`,
    ])
  })

  test.each([0o600, 0o400])('nothing of a key file of mode %o', async (mode) => {
    expect((await serverOf({ keys: { file: fileWith(mode) } })).warnings).toEqual([])
  })

  test('keys that are short', async () => {
    expect((await serverOf({ keys: ['x'.repeat(22)] })).warnings).toEqual([])
    expect((await serverOf({ keys: ['x'.repeat(21)] })).warnings).toEqual([
      'A key has fewer than 22 characters and could be guessed; `sluice keys add` makes one that cannot.',
    ])
    const keys = ['a', { key: ` ${'b'.repeat(21)} ` }, 'c'.repeat(40)]
    expect((await serverOf({ keys })).warnings).toEqual([
      '2 keys have fewer than 22 characters and could be guessed; `sluice keys add` makes one that cannot.',
    ])
  })
})

test('folders and files of a data folder are for their owner alone', async () => {
  const data = join(folder, 'above', 'data')
  const server = await createServer({ data, keys: [ADMIN] })
  opened.push(server)
  await server.loaded
  expect((await ask(server, ADMIN, '/api/ingest/logs', logs[0])).status).toBe(200)
  await server.close()
  const all = readdirSync(join(folder, 'above'), { recursive: true, withFileTypes: true })
  expect(statSync(join(folder, 'above')).mode & 0o777).toBe(0o700)
  for (const each of all) {
    const { mode } = statSync(join(each.parentPath, each.name))
    expect((mode & 0o777).toString(8), each.name).toBe(each.isDirectory() ? '700' : '600')
  }
  expect(all.length).toBeGreaterThan(2)
})
