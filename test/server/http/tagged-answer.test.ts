import { expect, test } from 'vitest'
import { wholeApp } from '../app/bad-requests/whole-app.ts'
import { post, send } from '../harness/harness.ts'
import { KEY_HEADER } from '../app/bad-requests/operations.ts'

const app = wholeApp([])
const lists = ['/api/monitors/silences', '/api/rbac/policies/list']

test.each(lists)('%s answers 304 until it changes', async (path) => {
  const first = await send(app, path, { headers: KEY_HEADER })
  const tag = first.headers.get('etag') ?? ''
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  const again = await send(app, path, { headers: { ...KEY_HEADER, 'If-None-Match': tag } })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
  const range = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }
  await post(app, '/api/monitors/silences', { ...range, comment: 'x', matchers: [{ name: 'a', value: 'b' }] })
  await post(app, '/api/rbac/policy/create', { name: `p ${path}` })
  const changed = await send(app, path, { headers: { ...KEY_HEADER, 'If-None-Match': tag } })
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
})

test('the list of monitors, which is asked for by POST, has a tag too', async () => {
  const list = '/api/monitors/list'
  const tag = (await post(app, list, {})).headers.get('etag') ?? ''
  expect((await post(app, list, {}, { 'If-None-Match': tag })).status).toBe(304)
  expect((await post(app, list, { limit: 5 }, { 'If-None-Match': '"other"' })).status).toBe(200)
  await post(app, '/api/monitors', { title: 'm', model: { queries: [{ name: 'q', expression: '*' }] } })
  expect((await post(app, list, {}, { 'If-None-Match': tag })).status).toBe(200)
})

test('a tag is worth nothing without a key', async () => {
  for (const path of lists) expect((await send(app, path, { headers: { 'If-None-Match': '*' } })).status).toBe(401)
})

test('errors have no tag', async () => {
  const sent = await send(app, '/api/rbac/policies/list?limit=x', { headers: { ...KEY_HEADER, 'If-None-Match': '*' } })
  expect([sent.status, sent.headers.get('etag')]).toEqual([400, null])
})
