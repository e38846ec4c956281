import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { rowsBackend } from '../../../src/backends/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { Expr } from '../../../src/plan/index.ts'
import { createMetricService } from '../../../src/server/index.ts'
import { SampleStore } from '../../../src/store/index.ts'
import { answerFaults } from '../harness/contract.ts'
import { appOf, post, type Sent } from '../harness/harness.ts'

const path = '/api/metrics/query'
/** 2026-01-01T00:00:00Z */
const startMs = 1_767_225_600_000
const iso = (second: number): string => new Date(startMs + second * 1000).toISOString()

const source = new SampleStore()
for (const [zone, pod] of [
  ['eu', 'api-1'],
  ['eu', 'api-2'],
  ['us', 'db-1'],
  ['Us', 'db-2'],
] as const) {
  const labels = Labels.of({ __name__: 'load', zone, pod })
  for (let i = 0; i <= 40; i++) source.writer.append(labels, { timeMs: startMs + i * 15_000, value: i })
}

const engine = new Engine({
  backends: [rowsBackend(new Map(), standardFunctions)],
  clock: { nowMs: () => performance.now(), nowNs: () => BigInt(startMs + 600_000) * 1_000_000n },
})
const limits = { memoryBytes: 2 ** 26, timeoutMs: 120_000, scanRows: Number.MAX_SAFE_INTEGER }
const metrics = createMetricService({ sourceOf: () => source.reader, engine, limits })

async function postQuery(body: unknown, app = appOf({ metrics })): Promise<Sent> {
  const sent = await post(app, path, body)
  if (sent.status < 500) expect(answerFaults(path, 'POST', sent.status, 'application/json', sent.body)).toBeUndefined()
  return sent
}

interface Vector {
  readonly data: {
    readonly resultType: string
    readonly result: readonly { metric: Record<string, string>; value: [number, string]; values: unknown[] }[]
  }
}

/** Returns the sorted `pod` labels of an instant answer. */
async function pods(body: object, app?: ReturnType<typeof appOf>): Promise<readonly string[]> {
  const { status, text, body: answer } = await postQuery({ Promql: 'load', End: iso(60), ...body }, app)
  expect(status, text).toBe(200)
  return (answer as Vector).data.result.map(({ metric }) => metric['pod'] ?? '')
}

async function warnings(app: ReturnType<typeof appOf>): Promise<unknown> {
  const { body } = await postQuery({ Promql: 'load', End: iso(60) }, app)
  return (body as { warnings?: unknown }).warnings
}

const fault = async (body: unknown): Promise<unknown> => {
  const { status, body: answer } = await postQuery(body)
  const { code, details } = answer as { code: string; details: { diagnostics: readonly { path?: string }[] } }
  return [status, code, present(details.diagnostics[0]).path]
}

describe('times', () => {
  test('an instant query at End, else at Start, else now', async () => {
    const at = async (body: object): Promise<unknown> =>
      ((await postQuery({ Promql: 'time()', ...body })).body as { data: { result: unknown } }).data.result
    expect(await at({ End: iso(60) })).toEqual([1767225660, '1767225660'])
    expect(await at({ QueryType: 'instant', Start: iso(30) })).toEqual([1767225630, '1767225630'])
    expect(await at({})).toEqual([1767226200, '1767226200'])
  })

  test('a range query, with and without a step', async () => {
    const count = async (body: object): Promise<number> => {
      const { body: answer } = await postQuery({ Promql: 'load{pod="api-1"}', Start: iso(0), End: iso(600), ...body })
      return present((answer as Vector).data.result[0]).values.length
    }
    expect(await count({ QueryType: 'range', Step: '60' })).toBe(11)
    expect(await count({ querytype: 'RANGE', step: '1m' })).toBe(11)
    expect(await count({ Step: 30 })).toBe(21)
    expect(await count({})).toBe(41)
  })

  test('what cannot be', async () => {
    expect(await fault({ Promql: 'load', QueryType: 'range', Start: iso(0) })).toEqual([
      400,
      'wire/missing-member',
      '$.End',
    ])
    expect(await fault({ Promql: 'load', Start: iso(0), End: iso(60), Step: '0' })).toEqual([
      400,
      'wire/bad-format',
      '$.Step',
    ])
    expect(await fault({ Promql: 'load', Start: iso(0), End: iso(60), Step: 'soon' })).toEqual([
      400,
      'wire/bad-format',
      '$.Step',
    ])
    expect(await fault({ Promql: 'load', Start: iso(0), End: iso(60), Step: '1ms' })).toEqual([
      400,
      'series/too-many-steps',
      undefined,
    ])
  })
})

describe('what is asked', () => {
  test('a text, with places of its faults', async () => {
    expect(await pods({})).toEqual(['api-1', 'api-2', 'db-1', 'db-2'])
    const { body } = await postQuery({ Promql: 'sum(load{)' })
    expect(body).toMatchObject({ details: { diagnostics: [{ path: '$.Promql', span: { line: 1 } }] } })
  })

  test('parts', async () => {
    const Pipeline = {
      function: {
        name: 'sum_by',
        args: ['zone'],
        pipelines: [{ metric: 'load', conditions: [{ key: 'zone', filters: [{ op: 'eq', value: 'eu' }] }] }],
      },
    }
    const { body } = await postQuery({ Pipeline, End: iso(60) })
    expect((body as Vector).data).toEqual({
      resultType: 'vector',
      result: [{ metric: { zone: 'eu' }, value: [1767225660, '8'] }],
    })
    const templated = await postQuery({ Pipeline: { template: 'a' }, SubPipelines: { a: Pipeline }, End: iso(60) })
    expect(templated.body).toEqual(body)
  })

  test('neither or both', async () => {
    expect(await fault({})).toEqual([400, 'wire/missing-member', '$.Promql'])
    expect(await fault({ Promql: 'load', Pipeline: { metric: 'load' } })).toEqual([400, 'wire/one-of', undefined])
  })
})

describe('what every selector must pass', () => {
  test('conditions', async () => {
    expect(await pods({ Conditions: [{ key: 'zone', filters: [{ op: 'eq', value: 'us' }] }] })).toEqual(['db-1'])
    expect(
      await fault({ Promql: 'load', Conditions: [{ key: 'zone', filters: [{ op: 'near', value: 'us' }] }] }),
    ).toEqual([400, 'promql/condition-operator', '$.Conditions[0].filters[0]'])
  })

  test.each([
    ['zone:us', ['db-1', 'db-2']],
    ['zone:=us', ['db-1']],
    ['zone:us OR pod:=api-2', ['api-2', 'db-1', 'db-2']],
    ['-zone:us', ['api-1', 'api-2']],
    ['pod:api*', ['api-1', 'api-2']],
    ['pod:*-2', ['api-2', 'db-2']],
    ['pod:~"^db"', ['db-1', 'db-2']],
    ['pod:in(api-1, db-1)', ['api-1', 'db-1']],
    ['pod:api-1 pod:db-1', ['api-1', 'db-1']],
    ['gone:""', ['api-1', 'api-2', 'db-1', 'db-2']],
    ['zone:"*"', ['api-1', 'api-2', 'db-1', 'db-2']],
    ['*', ['api-1', 'api-2', 'db-1', 'db-2']],
  ])('filter %s', async (Filters, expected) => {
    expect(await pods({ Filters })).toEqual(expected)
  })

  test('filters that labels cannot answer, and broken ones', async () => {
    expect(await fault({ Promql: 'load', Filters: 'value:>5' })).toEqual([400, 'server/no-label-filter', '$.Filters'])
    expect(await fault({ Promql: 'load', Filters: 'zone:us | limit 5' })).toEqual([
      400,
      'server/pipes-in-filter',
      '$.Filters',
    ])
    expect(await fault({ Promql: 'load', Filters: 'zone:(' })).toEqual([400, 'log/expected-filter', '$.Filters'])
  })

  test("the caller's scope, whatever the query says", async () => {
    const nowhere = { kind: 'none' } as const
    const zone: Expr = { kind: 'column', name: 'zone', origin: nowhere }
    const seen: Expr = {
      kind: 'test',
      arg: zone,
      test: { kind: 'equals', value: 'eu', isFolded: false, isTyped: false },
      origin: nowhere,
    }
    const access = {
      accessOf: () => ({ roles: undefined, scope: (table: string) => (table === 'samples' ? seen : undefined) }),
    }
    const app = appOf({ metrics, access })
    expect(await pods({}, app)).toEqual(['api-1', 'api-2'])
    expect(await pods({ Promql: 'load or load{zone="us"}', Filters: 'zone:us OR zone:eu' }, app)).toEqual([
      'api-1',
      'api-2',
    ])
    const unclear: Expr = {
      kind: 'test',
      arg: zone,
      test: { kind: 'compare-text', op: 'lt', text: 'x' },
      origin: nowhere,
    }
    const closed = appOf({ metrics, access: { accessOf: () => ({ roles: undefined, scope: () => unclear }) } })
    expect(await pods({}, closed)).toEqual([])
    // A policy that labels cannot decide does not restrict what other policies allow, and the answer warns about
    // missing data.
    const some: Expr = { kind: 'or', args: [unclear, seen], origin: nowhere }
    const half = appOf({ metrics, access: { accessOf: () => ({ roles: undefined, scope: () => some }) } })
    expect(await pods({}, half)).toEqual(['api-1', 'api-2'])
    const neither: Expr = { kind: 'not', arg: some, origin: nowhere }
    const none = appOf({ metrics, access: { accessOf: () => ({ roles: undefined, scope: () => neither }) } })
    expect(await pods({}, none)).toEqual([])
    expect(await warnings(app)).toBeUndefined()
    for (const narrowed of [closed, half, none])
      expect(await warnings(narrowed)).toEqual([expect.stringContaining('cannot be decided by labels')])
  })
})
