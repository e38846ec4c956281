import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { createService } from './service.ts'

const service = createService()
const logs = [
  { time: '2026-03-10T11:20:00Z', level: 'error', msg: 'pool exhausted', ms: 12 },
  { time: '2026-03-10T11:21:00Z', level: 'info', msg: 'pool restored', ms: 7, customer: 'other' },
]
await service.inject({ method: 'POST', url: '/acme/logs', payload: logs })

async function search(customer: string, query: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const { statusCode, body } = await service.inject({ url: `/${customer}/search`, query: { query } })
  return { status: statusCode, body: JSON.parse(body) as unknown }
}

test('a customer finds its records, whatever they call themselves', async () => {
  const { body } = await search('acme', 'pool | stats count() as n, sum(ms) as ms')
  deepEqual(body, [{ n: 2, ms: 19 }])
})

test('another customer finds nothing', async () => {
  deepEqual((await search('other', '*')).body, [])
  deepEqual((await search('x" or *', '*')).body, [])
})

test('a mistake is answered with its place and a fix', async () => {
  const { status, body } = await search('acme', '* | limt 5')
  equal(status, 400)
  match(JSON.stringify(body), /no pipe named `limt`.*Write `limit`/)
})
