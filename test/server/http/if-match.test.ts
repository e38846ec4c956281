import { expect, test } from 'vitest'
import { KEY_HEADER } from '../app/bad-requests/operations.ts'
import { wholeApp } from '../app/bad-requests/whole-app.ts'
import { JSON_HEADERS, post, send } from '../harness/harness.ts'

const app = wholeApp([])

const change = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(app, path, {
    method,
    headers: { ...JSON_HEADERS, ...KEY_HEADER, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const tagAt = async (path: string): Promise<string> =>
  (await send(app, path, { headers: KEY_HEADER })).headers.get('etag') ?? ''

interface Kind {
  readonly create: () => Promise<string>
  readonly mine: object
  readonly theirs: object
}

const range = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }

const kinds: readonly (readonly [string, Kind])[] = [
  [
    'monitor',
    {
      create: async () => {
        const { text } = await post(app, '/api/monitors', { title: 'm', team: 'a' })
        return `/api/monitors/${(JSON.parse(text) as { monitorId: string }).monitorId}`
      },
      mine: { team: 'mine' },
      theirs: { team: 'theirs' },
    },
  ],
  [
    'silence',
    {
      create: async () => {
        const body = { ...range, comment: 'x', matchers: [{ name: 'a', value: 'b' }] }
        const { text } = await post(app, '/api/monitors/silences', body)
        return `/api/monitors/silences/${(JSON.parse(text) as { id: string }).id}`
      },
      mine: { comment: 'mine' },
      theirs: { comment: 'theirs' },
    },
  ],
  [
    'policy',
    {
      create: async () => {
        const { text } = await post(app, '/api/rbac/policy/create', { name: 'p' })
        return `/api/rbac/policy/${(JSON.parse(text) as { uuid: string }).uuid}`
      },
      mine: { name: 'p', description: 'mine' },
      theirs: { name: 'p', description: 'theirs' },
    },
  ],
]

test.each(kinds)('a %s that someone else has changed is neither changed nor deleted', async (_, kind) => {
  const path = await kind.create()
  const first = await tagAt(path)
  expect((await change('PUT', path, kind.theirs, { 'If-Match': first })).status).toBeLessThan(300)
  const read = (await send(app, path, { headers: KEY_HEADER })).text
  for (const refused of [
    await change('PUT', path, kind.mine, { 'If-Match': first }),
    await change('PUT', path, kind.mine, { 'If-Match': '"other", W/"another"' }),
    await change('DELETE', path, undefined, { 'If-Match': first }),
  ]) {
    expect(refused.status).toBe(412)
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'server/version-changed', type: 'precondition_failed' })
  }
  expect((await send(app, path, { headers: KEY_HEADER })).text).toBe(read)
  const second = await tagAt(path)
  expect((await change('PUT', path, kind.mine, { 'If-Match': `"other", ${second}` })).status).toBeLessThan(300)
  expect((await send(app, path, { headers: KEY_HEADER })).text).toContain('mine')
  expect((await change('PUT', path, kind.theirs)).status).toBeLessThan(300)
  expect((await change('PUT', path, kind.mine, { 'If-Match': '*' })).status).toBeLessThan(300)
  expect((await change('DELETE', path, undefined, { 'If-Match': await tagAt(path) })).status).toBe(200)
  expect((await change('DELETE', path, undefined, { 'If-Match': '*' })).status).toBe(404)
})

test('with `replace`, members that the body lacks are removed, else they stay', async () => {
  const path = await kinds[0]?.[1].create()
  const yaml = async (): Promise<string> => (await send(app, path ?? '', { headers: KEY_HEADER })).text
  await change('PUT', path ?? '', { category: 'c', labels: { a: 'b' }, isPaused: true })
  expect(await yaml()).toContain('team: a')
  expect((await change('PUT', `${path}?replace=true`, { title: 'm', category: '', isPaused: true })).status).toBe(202)
  expect(await yaml()).toBe('title: m\nisPaused: true\n')
  expect((await change('PUT', `${path}?replace=maybe`, { title: 'm' })).status).toBe(400)
})
