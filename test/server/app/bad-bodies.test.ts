import { describe, expect, test } from 'vitest'
import { GivenRows, JSON_HEADERS, appOf, post, type Logged } from '../harness/harness.ts'
import { badClasses, endpoints, type BadRequest } from './bad-bodies.ts'

const logged: Logged[] = []
const search = new GivenRows([])
const unused = {
  query: () => Promise.reject(new Error('a bad body reached the service')),
  list: () => Promise.reject(new Error('a bad body reached the service')),
}
const app = appOf({ search, metrics: unused, eventList: unused, clusters: unused, workloads: unused }, logged)

/** Sends one bad request and returns every deviation of its answer from the documented form. */
async function sendBad(path: string, bad: BadRequest): Promise<readonly string[]> {
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: bad.body,
    }),
  )
  const text = await response.text()
  const faults: string[] = []
  if (response.status !== 400) faults.push(`status ${response.status} instead of 400: ${text.slice(0, 200)}`)
  if (response.headers.get('content-type') !== 'application/json') faults.push('no JSON')
  if (Buffer.byteLength(text) > 16 * 1024) faults.push(`${text.length} characters`)
  if (/node_modules|\.ts:\d|at \w+ \(|SELECT /.test(text)) faults.push('tells internals')
  if (text.includes(JSON_HEADERS.Authorization.slice(7))) faults.push('tells the key')
  const body = JSON.parse(text) as Record<string, unknown>
  const { diagnostics } = body['details'] as { diagnostics: readonly { code: string; message: string }[] }
  if (diagnostics.length < 1 || diagnostics.length > 20) faults.push(`${diagnostics.length} diagnostics`)
  if (diagnostics.some(({ message }) => message.length > 600)) faults.push('a long message')
  if (Object.keys(body).join() !== 'message,code,type,details,trace_id')
    faults.push(`members ${Object.keys(body).join()}`)
  if (body['trace_id'] !== response.headers.get('x-request-id')) faults.push('trace id')
  if (typeof body['code'] !== 'string' || !/^[a-z]+\/[a-z0-9-]+$/.test(body['code']))
    faults.push(`code ${String(body['code'])}`)
  return faults
}

const counts: number[] = []

describe('bad requests', () => {
  test('the good bodies are good', async () => {
    for (const { path, good } of endpoints) {
      const { status, text } = await post(app, path, good)
      // Only searches have a service in this app. For other endpoints the error status shows that the body was
      // accepted.
      expect([200, 500], text).toContain(status)
    }
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(4)
    logged.length = 0
  })

  test.each(badClasses.map((badClass) => [badClass.name, badClass] as const))('%s', async (_, badClass) => {
    let count = 0
    const faults: string[] = []
    for (const endpoint of endpoints) {
      for (const bad of badClass.of(endpoint)) {
        count++
        faults.push(...(await sendBad(endpoint.path, bad)).map((fault) => `${endpoint.path} ${bad.name}: ${fault}`))
      }
    }
    counts.push(count)
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(0)
  })

  test('none of them reached a service or was logged as an internal error', () => {
    expect(search.requests).toHaveLength(3)
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('there are enough of them', () => {
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(counts.length).toBeGreaterThanOrEqual(25)
    expect(total).toBeGreaterThanOrEqual(700)
  })
})
