import { describe, expect, test } from 'vitest'
import { SluiceError, collect } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { createEngine, readRows } from '../../src/engine/index.ts'
import { createPromql, promqlJson } from '../../src/engine/metrics/index.ts'
import { SampleStore } from '../../src/store/index.ts'

const NOW_MS = Date.UTC(2026, 0, 1, 12)
const samples = new SampleStore()
for (const pod of ['a', 'b']) {
  const labels = Labels.of({ __name__: 'requests_total', pod })
  for (let i = 0; i <= 10; i++) samples.writer.append(labels, { timeMs: NOW_MS - (10 - i) * 30_000, value: i * 30 })
}
const engine = createEngine({ clock: { nowMs: () => 0, nowNs: () => BigInt(NOW_MS) * 1_000_000n } })
const promql = createPromql(engine, samples.reader)

describe('metric queries in the verbs of an engine', () => {
  test('once, now', async () => {
    const found = await promql.query('rate(requests_total[5m])').toArray()
    expect(found).toEqual(
      ['a', 'b'].map((pod) => ({ _time: '2026-01-01T12:00:00.000000000Z', pod, value: expect.closeTo(1) })),
    )
    expect(await promql.query('1 + 1').toArray()).toEqual([{ _time: '2026-01-01T12:00:00.000000000Z', value: 2 }])
  })

  test('at every step of a range, with statistics and a measured plan', async () => {
    const range = { startMs: NOW_MS - 60_000, endMs: NOW_MS, stepMs: 30_000 }
    const result = promql.query('sum(requests_total)', { range })
    expect((await result.toArray()).map(({ value }) => value)).toEqual([480, 540, 600])
    expect(result.statistics()).toMatchObject({ rows: 3 })
    expect(result.explain().measured?.rows).toBe(1)
    expect((await collect(readRows(result.batches()))).map((row) => row.get('value'))).toEqual([480, 540, 600])
    expect(result.partial()).toBeUndefined()
  })

  test('in the envelope of metric tools', async () => {
    const text = await new Response(
      new Blob([...promqlJson(await promql.query('up').answer())].map((chunk) => new Uint8Array(chunk))),
    ).text()
    expect(JSON.parse(text)).toEqual({ status: 'success', data: { resultType: 'vector', result: [] } })
  })

  test('are checked, laid out, planned and explained without samples being read', () => {
    expect(promql.check('sum(up)')).toEqual([])
    expect(promql.check('sum(up')[0]).toMatchObject({ severity: 'error' })
    expect(promql.parse('up{').ast).toBeUndefined()
    expect(promql.format('sum  by(pod)(up)')).toBe('sum by (pod) (up)')
    expect(() => promql.query('rate(up)')).toThrow()
    expect(() => promql.query('up', { range: { startMs: 0, endMs: 1, stepMs: 0 } })).toThrow()
    expect(promql.plan('up').kind).toBe('series-select')
    expect(promql.explain('sum(up)').inputs).toHaveLength(1)
  })

  test('limits and cancelling hold', async () => {
    const cancelled = promql.query('requests_total', { signal: AbortSignal.abort() })
    await expect(cancelled.toArray()).rejects.toMatchObject({ code: 'budget/cancelled' })
    const few = createPromql(engine, samples.reader, { limitSamples: 3 })
    await expect(few.query('requests_total[5m]').toArray()).rejects.toMatchObject({ code: 'series/too-many-samples' })
  })
})

test.each([
  { kind: 'none-of', args: [{ kind: 'matcher', matcher: { lable: 't', op: '=', value: 'b' } }] },
  { kind: 'matcher', matcher: { label: 't', op: '!=', valeu: 'b' } },
  { kind: 'none-of', args: [{ kind: 'matcher', matcher: { label: 't', op: '=', value: 5 } }] },
  { kind: 'matcher', matcher: { label: 't', op: '==', value: 'b' } },
  { kind: 'some', args: [] },
  { t: 'a' },
])('a guard that is not understood opens nothing: %j', (guard) => {
  const engine = createEngine({ tables: { logs: [] } })
  expect(() => createPromql(engine, new SampleStore(), { guard: guard as never })).toThrow(SluiceError)
})
