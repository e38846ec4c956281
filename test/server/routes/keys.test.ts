import { expect, test } from 'vitest'
import { createServer, type ServerKey } from '../../../src/server/index.ts'

const KEYS: readonly ServerKey[] = [
  { key: 'key-of-the-administrator-0123456789', email: 'ann@example.com' },
  { key: 'key-that-only-reads-0123456789abcdef', roles: ['read'] },
  { key: 'key-of-another-backend-0123456789ab', roles: ['read', 'write'], backends: ['elsewhere'] },
]

const [admin, reader] = KEYS.map(({ key }) => ({ Authorization: `Bearer ${key}` }))

test('an administrator sees the keys of the backend, with their last use and without their secrets', async () => {
  const server = await createServer({ keys: KEYS })
  const list = async () => {
    const answer = await server.fetch(new Request('http://localhost:7400/api/keys', { headers: admin ?? {} }))
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const before = await list()
  expect(JSON.parse(before)).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      user: 'ann@example.com',
      roles: ['read', 'write', 'admin'],
      isOfAllBackends: true,
      usedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    },
    { key: expect.stringMatching(/^[0-9a-f]{8}$/) as string, roles: ['read'], isOfAllBackends: true },
  ])
  for (const { key } of KEYS) expect(before).not.toContain(key)
  const refused = await server.fetch(new Request('http://localhost:7400/api/keys', { headers: reader ?? {} }))
  expect(refused.status).toBe(403)
  expect(JSON.parse(await list())).toMatchObject([{}, { usedAt: expect.any(String) as string }])
  await server.close()
})
