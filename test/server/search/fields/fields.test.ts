import { describe, expect, test } from 'vitest'
import { createFieldService, createSearchService } from '../../../../src/server/index.ts'
import { newTenant } from '../../../../src/server/backends/tenant.ts'
import { answerFaults } from '../../harness/contract.ts'
import { appOf, post, type Sent } from '../../harness/harness.ts'
import { column, test as valueTest } from '../../../../src/plan/index.ts'

const T0 = Date.parse('2026-03-10T11:00:00Z')

/** 30 rows, two minutes apart: every third is an error, and every tenth belongs to another team. */
const lines = Array.from({ length: 30 }, (_, i) =>
  JSON.stringify({
    _time: new Date(T0 + i * 120_000).toISOString(),
    level: i % 3 === 0 ? 'error' : 'info',
    workload: i % 10 === 9 ? 'secret' : 'shop',
    code: i % 2,
    content: `row ${i}`,
    ...(i === 9 ? { hidden: 'x' } : {}),
  }),
)

const tenant = newTenant({ nowMs: () => 0, nowNs: () => 0n })
tenant.store.table('logs').writer.appendJsonLines(Buffer.from(lines.join('\n')), { nowNs: 0n })
const search = createSearchService(() => tenant.engine)
const app = appOf({ search, fields: createFieldService(search) })
const guard = valueTest(column('workload'), { kind: 'equals', value: 'shop', isFolded: false, isTyped: false })

const range = { start: '2026-03-10T11:00:00Z', end: '2026-03-10T12:00:00Z' }
const request = async (path: string, body: object): Promise<Sent> => {
  const sent = await post(app, path, { ...range, ...body })
  const type = sent.headers.get('content-type') ?? ''
  expect(answerFaults(path, 'POST', sent.status, type, sent.body)).toBeUndefined()
  return sent
}

describe('hits', () => {
  test('cover the whole range whatever the limit, empty steps included', async () => {
    const sent = await request('/api/hits', { query: 'level:error | sort by (_time) | limit 2', step: '10m' })
    expect(sent.status, sent.text).toBe(200)
    // Errors occur every six minutes; steps contain the minutes 0 6 | 12 18 | 24 | 30 36 | 42 48 | 54.
    expect(sent.body).toEqual({
      step: '10m',
      total: 10,
      timestamps: ['00', '10', '20', '30', '40', '50'].map((minute) => `2026-03-10T11:${minute}:00Z`),
      groups: [{ total: 10, hits: [2, 2, 1, 2, 2, 1] }],
    })
    const wide = await post(app, '/api/hits', {
      start: '2026-03-10T10:59:00Z',
      end: '2026-03-10T13:00:00Z',
      step: '1h',
    })
    expect(wide.body).toMatchObject({ groups: [{ hits: [0, 30, 0] }] })
  })

  test('per value of a field, the largest first, the others together', async () => {
    const sent = await request('/api/hits', { field: 'content', limit: 2, step: '30 minutes' })
    const { groups } = sent.body as { groups: { isRest?: boolean; total: number }[] }
    expect(groups.map(({ isRest = false, total }) => [isRest, total])).toEqual([
      [false, 1],
      [false, 1],
      [true, 28],
    ])
    const levels = await request('/api/hits', { field: 'level', query: '* | stats count()', step: '30m' })
    expect(levels.body).toMatchObject({
      groups: [
        { value: 'info', total: 20, hits: [10, 10] },
        { value: 'error', total: 10, hits: [5, 5] },
      ],
    })
  })

  test('a step is chosen when none is given; bad and too many steps are refused', async () => {
    expect((await request('/api/hits', {})).body).toMatchObject({ step: '2m', total: 30 })
    expect((await request('/api/hits', { step: 'soon' })).body).toMatchObject({ code: 'json/bad-interval' })
    expect((await request('/api/hits', { step: '10ms' })).body).toMatchObject({ code: 'server/too-many-steps' })
    expect((await request('/api/hits', { query: 'level:' })).status).toBe(400)
  })
})

test('names of fields with their hits', async () => {
  const { names } = (await request('/api/fields/names', { query: 'level:error | fields content' })).body as {
    names: { name: string; hits: number }[]
  }
  expect(Object.fromEntries(names.map(({ name, hits }) => [name, hits]))).toMatchObject({
    _time: 10,
    code: 10,
    content: 10,
    hidden: 1,
    level: 10,
    workload: 10,
  })
  expect((await request('/api/fields/names', { contains: 'work' })).body).toEqual({
    names: [{ name: 'workload', hits: 30 }],
  })
})

test('values, the most frequent first, with types', async () => {
  expect((await request('/api/fields/values', { field: 'level' })).body).toEqual({
    values: [
      { value: 'info', hits: 20 },
      { value: 'error', hits: 10 },
    ],
    isLimitReached: false,
  })
  expect((await request('/api/fields/values', { field: 'code', limit: 1 })).body).toEqual({
    values: [{ value: 0, hits: 15 }],
    isLimitReached: true,
  })
  expect((await request('/api/fields/values', { field: 'level', contains: 'ERR' })).body).toMatchObject({
    values: [{ value: 'error' }],
  })
  expect((await request('/api/fields/values', { field: 'missing' })).body).toEqual({
    values: [],
    isLimitReached: false,
  })
  expect((await request('/api/fields/values', {})).status).toBe(400)
})

test('facets of every field', async () => {
  const { facets } = (await request('/api/fields/facets', { query: 'level:error', limit: 1 })).body as {
    facets: { name: string; values: unknown[] }[]
  }
  expect(facets.find(({ name }) => name === 'workload')?.values).toEqual([{ value: 'shop', hits: 9 }])
  expect(facets.find(({ name }) => name === 'level')?.values).toEqual([{ value: 'error', hits: 10 }])
})

test('conditions, filters and other kinds of rows', async () => {
  const sources = [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }]
  expect((await request('/api/hits', { sources, filters: 'code:1' })).body).toMatchObject({ total: 5 })
  expect((await request('/api/hits', { domain: 'events' })).body).toMatchObject({ total: 0 })
  expect((await request('/api/hits', { domain: 'nothing' })).status).toBe(400)
})

test('a data scope hides rows, names and values alike', async () => {
  const scoped = appOf({
    search,
    fields: createFieldService(search),
    access: { accessOf: () => ({ roles: undefined, scope: () => guard }) },
  })
  const names = (await post(scoped, '/api/fields/names', range)).text
  expect(names).toContain('"workload","hits":27')
  expect(names).not.toContain('hidden')
  expect((await post(scoped, '/api/fields/values', { ...range, field: 'workload' })).text).not.toContain('secret')
  expect((await post(scoped, '/api/fields/facets', range)).text).not.toContain('secret')
  expect((await post(scoped, '/api/hits', range)).body).toMatchObject({ total: 27 })
})
