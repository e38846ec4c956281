import { expect, test } from 'vitest'
import { createServer, openToWords, type OpenTo } from '../../../src/server/index.ts'
import { JSON_HEADERS, appOf } from '../harness/harness.ts'

type Peer = 'local' | 'remote' | 'proxied' | 'in process'

const KEYED = ['/metrics', '/openapi.json']

/** Returns the statuses of the two paths, first without a key, then with an unknown key, then with a known one. */
async function statuses(openTo: OpenTo | undefined, peer: Peer): Promise<readonly number[]> {
  const app = appOf({ openTo })
  const transport = peer === 'in process' ? undefined : { isLocal: () => peer !== 'remote' }
  const found: number[] = []
  for (const path of KEYED) {
    for (const key of [undefined, 'unknown', JSON_HEADERS.Authorization]) {
      const headers = new Headers(peer === 'proxied' ? { 'X-Forwarded-For': '203.0.113.7' } : {})
      if (key !== undefined) headers.set('Authorization', key)
      const response = await app.fetch(new Request(`http://localhost${path}`, { headers }), transport)
      await response.text()
      found.push(response.status)
    }
  }
  return found
}

const OPEN = [200, 200, 200, 200, 200, 200]
const ASKED = [401, 401, 200, 401, 401, 200]

test.each<[OpenTo | undefined, Peer, readonly number[]]>([
  [undefined, 'local', OPEN],
  ['loopback', 'local', OPEN],
  ['loopback', 'proxied', ASKED],
  ['loopback', 'remote', ASKED],
  ['loopback', 'in process', ASKED],
  ['everyone', 'remote', OPEN],
  ['nobody', 'local', ASKED],
])('metrics and the description, open to %s, from a peer that is %s', async (openTo, peer, expected) => {
  expect(await statuses(openTo, peer)).toEqual(expected)
})

test('health is open to all, and the document says who is asked', async () => {
  for (const openTo of openToWords) {
    const app = appOf({ openTo })
    for (const path of ['/healthz', '/readyz'])
      expect((await app.fetch(new Request(`http://localhost${path}`))).status).toBe(200)
    const response = await app.fetch(new Request('http://localhost/openapi.json', { headers: JSON_HEADERS }))
    const { paths } = (await response.json()) as { paths: Record<string, { get: { security: readonly object[] } }> }
    const key = [{ bearer: [] }, { plain: [] }, { basic: [] }, { header: [] }, { session: [] }]
    const expected = { loopback: [{}, ...key], everyone: [], nobody: key }[openTo]
    expect(KEYED.map((path) => paths[path]?.get.security)).toEqual([expected, expected])
    expect(paths['/healthz']?.get.security).toEqual([])
  }
})

test('over a socket of this machine no key is asked', async () => {
  const server = await createServer({ keys: ['secret'] })
  const { address } = await server.listen()
  expect((await fetch(`${address}/metrics`)).status).toBe(200)
  expect((await fetch(`${address}/metrics`, { headers: { 'X-Forwarded-For': '203.0.113.7' } })).status).toBe(401)
  await server.close()
})
