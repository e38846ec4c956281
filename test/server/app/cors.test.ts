import { afterAll, describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { createServer } from '../../../src/server/index.ts'
import { KEY, SEARCH, searchBody } from '../harness/harness.ts'

const ORIGIN = 'https://grafana.example.com'
const server = await createServer({ keys: [KEY], cors: [ORIGIN, 'http://localhost:3000'], openTo: 'everyone' })
const plain = await createServer({ keys: [KEY] })
afterAll(async () => {
  await server.close()
  await plain.close()
})

const bearer = { Authorization: `Bearer ${KEY}` }

async function ask(path: string, init: RequestInit, on = server): Promise<Response> {
  return on.fetch(new Request(`http://localhost${path}`, init))
}

function search(headers: Readonly<Record<string, string>>): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(searchBody),
  }
}

function preflight(origin: string): RequestInit {
  return { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } }
}

describe('a page of an allowed origin', () => {
  test('may ask, without a key', async () => {
    const { status, headers } = await ask(SEARCH, preflight(ORIGIN))
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(headers.get('access-control-allow-methods')).toContain('PUT')
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.get('vary')).toBe('Origin')
  })

  test('reads answers and their headers, errors too, but sends no cookies', async () => {
    for (const [given, status] of [
      [bearer, 200],
      [{}, 401],
    ] as const) {
      const sent = await ask(SEARCH, search({ ...given, Origin: ORIGIN }))
      expect(sent.status).toBe(status)
      expect(sent.headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(sent.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
      expect(sent.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('cannot use a session of the console', async () => {
    const signedIn = await ask('/api/session', { method: 'POST', headers: bearer })
    const Cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const own = { Cookie, 'X-Sluice-Console': '1' }
    expect((await ask(SEARCH, search(own))).status).toBe(200)
    expect((await ask(SEARCH, search({ ...own, Origin: ORIGIN }))).status).toBe(403)
    expect((await ask('/api/session', { method: 'POST', headers: { ...bearer, Origin: ORIGIN } })).status).toBe(403)
  })
})

describe('a page of another origin', () => {
  test.each(['https://evil.example', 'http://grafana.example.com', `${ORIGIN}:8443`, `${ORIGIN}.evil.example`, 'null'])(
    '%s gets no permission',
    async (origin) => {
      for (const init of [preflight(origin), search({ ...bearer, Origin: origin })]) {
        const { headers } = await ask(SEARCH, init)
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('vary')).toContain('Origin')
      }
    },
  )
})

test('without origins no answer speaks of them', async () => {
  for (const init of [preflight(ORIGIN), search({ ...bearer, Origin: ORIGIN })]) {
    const { headers } = await ask(SEARCH, init, plain)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-allow-methods')).toBeNull()
  }
})

test('OPTIONS without a preflight still lists the methods', async () => {
  const sent = await ask(SEARCH, { method: 'OPTIONS', headers: { Origin: ORIGIN } })
  expect([sent.status, sent.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
})

test.each([
  '*',
  'grafana.example.com',
  `${ORIGIN}/`,
  `${ORIGIN}/path`,
  'file:///x',
  'null',
  '',
  'https://*.example.com',
])('%j is refused at the start, with a reason', async (origin) => {
  const error: unknown = await createServer({ keys: [KEY], cors: [origin] }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(SluiceError)
  expect((error as SluiceError).code).toBe('setup/bad-origin')
  if (origin === '*') expect((error as SluiceError).diagnostics[0]?.notes.join(' ')).toContain('every page of the web')
})
