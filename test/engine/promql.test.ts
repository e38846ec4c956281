import { describe, expect, test } from 'vitest'
import { Budget, SluiceError } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import {
  compilePromql,
  promqlErrorText,
  promqlErrorType,
  promqlJson,
  queryPromql,
  queryPromqlRange,
  type PromqlOptions,
} from '../../src/engine/metrics/promql.ts'
import type { LabelPredicate } from '../../src/plan/series/index.ts'
import { SampleStore } from '../../src/store/samples/index.ts'
import { histogram } from '../backends/columnar/series/metrics.ts'

const store = new SampleStore()
for (const zone of ['eu', 'us']) {
  const labels = Labels.of({ __name__: 'load', zone })
  for (let i = 0; i < 20; i++) store.writer.append(labels, { timeMs: i * 15_000, value: zone === 'eu' ? i : -i / 8 })
}
store.writer.append(Labels.of({ __name__: 'native' }), {
  timeMs: 0,
  value: 0,
  histogram: histogram({ count: 4, sum: 5, buckets: [1, 2, 1], zeroCount: 0 }),
})

function budget(limits: Partial<Budget['limits']> = {}, nowMs: () => number = () => 0, signal?: AbortSignal): Budget {
  return new Budget({ memoryBytes: 2 ** 30, timeoutMs: 1000, scanRows: Infinity, ...limits }, nowMs, signal)
}

function options(more: Partial<PromqlOptions> = {}): PromqlOptions {
  return { source: store.reader, budget: budget(), ...more }
}

function textOf(chunks: Iterable<Uint8Array>): string {
  const decoder = new TextDecoder()
  return [...chunks].map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

async function codeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return 'answered'
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return `${error.code} ${promqlErrorType(error)}`
  }
}

const times = { startMs: 0, endMs: 60_000, stepMs: 30_000 }

describe('the envelope', () => {
  test('a vector', async () => {
    const result = await queryPromql('load / 8', 30_500, options())
    expect(textOf(promqlJson(result))).toBe(
      '{"status":"success","data":{"resultType":"vector","result":[' +
        '{"metric":{"zone":"eu"},"value":[30.500,"0.25"]},{"metric":{"zone":"us"},"value":[30.500,"-0.03125"]}]}}',
    )
  })

  test('a matrix with warnings', async () => {
    const result = await queryPromqlRange('sort(load{zone="eu"})', times, options())
    expect(textOf(promqlJson(result))).toBe(
      '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"load","zone":"eu"},' +
        '"values":[[0,"0"],[30,"2"],[60,"4"]]}]},"warnings":["PromQL warning: sort is ineffective for range queries ' +
        'since results are always ordered by labels (1:1)"]}',
    )
  })

  test('a scalar, a text, a histogram', async () => {
    const data = async (query: string): Promise<unknown> =>
      (JSON.parse(textOf(promqlJson(await queryPromql(query, 1000, options())))) as { data: unknown }).data
    expect(await data('1e21 * 10')).toEqual({ resultType: 'scalar', result: [1, '10000000000000000000000'] })
    expect(await data('"ä"')).toEqual({ resultType: 'string', result: [1, 'ä'] })
    expect(await data('native')).toEqual({
      resultType: 'vector',
      result: [
        {
          metric: { __name__: 'native' },
          histogram: [
            1,
            {
              count: '4',
              sum: '5',
              buckets: [
                [0, '0.5', '1', '1'],
                [0, '1', '2', '2'],
                [0, '2', '4', '1'],
              ],
            },
          ],
        },
      ],
    })
  })

  test.each([
    ['0 * -1', '-0'],
    ['1 / 0', '+Inf'],
    ['-1 / 0', '-Inf'],
    ['0 / 0', 'NaN'],
    ['0.0000001', '0.0000001'],
    ['123456789012345678', '123456789012345680'],
    ['-2147483648', '-2147483648'],
    ['1e-300 / 10', `0.${'0'.repeat(300)}1`],
  ])('%s prints as %s', async (query, text) => {
    const result = await queryPromql(query, 0, options())
    expect(JSON.parse(textOf(promqlJson(result)))).toMatchObject({ data: { result: [0, text] } })
  })

  test('large answers come in chunks and are whole', async () => {
    const wide = new SampleStore()
    for (let s = 0; s < 200; s++)
      wide.writer.append(Labels.of({ __name__: 'w', id: `ü${s}` }), { timeMs: 0, value: s / 3 })
    const result = await queryPromqlRange(
      'w',
      { startMs: 0, endMs: 290_000, stepMs: 1000 },
      options({ source: wide.reader }),
    )
    const chunks = [...promqlJson(result)]
    expect(chunks.length).toBeGreaterThan(10)
    const parsed = JSON.parse(textOf(chunks)) as { data: { result: { values: unknown[] }[] } }
    expect(parsed.data.result).toHaveLength(200)
    expect(parsed.data.result.every(({ values }) => values.length === 291)).toBe(true)
  })
})

describe('the guard reaches every selector', () => {
  const isEu: LabelPredicate = { kind: 'matcher', matcher: { label: 'zone', op: '=', value: 'eu' } }
  test.each([
    'load',
    'sum(load)',
    'rate(load[1m])',
    'max_over_time(sum(load)[1m:15s])',
    'load or load{zone="us"}',
    'absent(load{zone="us"})',
    'load and on () load{zone="us"}',
    'scalar(load{zone="us"})',
    'count_values("v", load)',
    'topk(5, load)',
    'info(load, {__name__="load"})',
  ])('%s answers as over the visible series alone', async (query) => {
    const visible = new SampleStore()
    const labels = Labels.of({ __name__: 'load', zone: 'eu' })
    for (let i = 0; i < 20; i++) visible.writer.append(labels, { timeMs: i * 15_000, value: i })
    const guarded = await queryPromqlRange(query, times, options({ guard: isEu }))
    const wanted = await queryPromqlRange(query, times, options({ source: visible.reader }))
    expect(textOf(promqlJson(guarded))).toBe(textOf(promqlJson(wanted)))
  })
})

describe('refusals', () => {
  test.each([
    ['load[1m]', 'series/bad-range-type bad_data'],
    ['"x"', 'series/bad-range-type bad_data'],
    ['load +', 'promql/unexpected bad_data'],
    ['load + ignoring (zone) load', 'series/duplicate-series execution'],
    ['label_replace(load, "zone", "x", "", "")', 'series/same-labels execution'],
    ['topk(0 / 0, load)', 'series/bad-parameter execution'],
    ['max_over_time(load[step() - 30s])', 'series/bad-duration bad_data'],
  ])('%s: %s', async (query, wanted) => {
    expect(await codeOf(async () => queryPromqlRange(query, times, options()))).toBe(wanted)
  })

  const nothing = 'duration must be greater than 0'
  test.each([
    ['rate(load[step()])', `1:11: ${nothing}`],
    ['rate(load[range()])', `1:11: ${nothing}`],
    ['count_over_time(load[1m - 2m])', `1:22: ${nothing}`],
    ['count_over_time(load[-step()])', `1:22: ${nothing}`],
    ['count_over_time(load[min_of(step(), 1m)])', `1:22: ${nothing}`],
    ['max_over_time(load[5m:step()])', `1:23: ${nothing}`],
    ['max_over_time(load[step():1m])', `1:20: ${nothing}`],
    ['sum(\n  rate(load[1m % 1m]))', `2:13: ${nothing}`],
    ['{"ü"} or rate(load[step()])', `1:21: ${nothing}`],
    ['load offset (1m / step())', '1:14: division by zero'],
    ['rate(load[1m % (2m - 120)])', '1:11: modulo by zero'],
    ['load offset (292y * 2)', '1:14: duration is out of range'],
    ['rate(load[(0 - 1) ^ 0.5])', '1:12: duration is out of range'],
    // The node is an error even if its result would never be used.
    ['max_over_time(rate(load[step()])[1ms:1h])', `1:25: ${nothing}`],
  ])('durations that are none are faults of the request: %s', async (query, text) => {
    const failure: unknown = await queryPromql(query, 60_000, options()).catch((error: unknown) => error)
    expect([promqlErrorType(failure), promqlErrorText(failure, query)]).toEqual(['bad_data', text])
  })

  test.each([
    'load offset -step()',
    'load offset (step() - 1m)',
    'rate(load[max_of(step(), 1m)])',
    'load offset step()',
  ])('offsets may be nothing or less: %s', async (query) => {
    expect((await queryPromql(query, 60_000, options())).answer.type).toBe('vector')
  })

  test.each([
    [10_999, 1, 'answered'],
    [11_000, 1, 'answered'],
    [11_001, 1, 'series/too-many-steps bad_data'],
    [21_998, 2, 'answered'],
    [21_999, 2, 'answered'],
    [22_000, 2, 'answered'],
    [22_001, 2, 'answered'],
    [22_002, 2, 'series/too-many-steps bad_data'],
    [0, 1, 'answered'],
    [10, 0, 'series/bad-step bad_data'],
    [-10, 1, 'series/bad-ends bad_data'],
  ])('at most 11,000 steps of more than nothing, forwards: %d ms by %d ms', async (endMs, stepMs, wanted) => {
    expect(await codeOf(async () => queryPromqlRange('1', { startMs: 0, endMs, stepMs }, options()))).toBe(wanted)
  })

  test('11,000 steps have 11,001 points', async () => {
    const { answer } = await queryPromqlRange('time()', { startMs: 0, endMs: 11_000, stepMs: 1 }, options())
    expect(answer.type === 'matrix' && answer.series[0]?.timesMs.length).toBe(11_001)
  })

  test('limits of samples, memory, time, and cancelling', async () => {
    const run = async (more: Partial<PromqlOptions>, query = 'sum(load)'): Promise<string> =>
      codeOf(async () => queryPromqlRange(query, times, options(more)))
    expect(await run({ limitSamples: 9 })).toBe('series/too-many-samples execution')
    expect(await run({ budget: budget({ memoryBytes: 100 }) })).toBe('budget/memory execution')
    let now = 0
    expect(await run({ budget: budget({}, () => (now += 600)) })).toBe('budget/deadline timeout')
    expect(await run({ budget: budget({}, () => 0, AbortSignal.abort()) })).toBe('budget/cancelled canceled')
    // A subquery of a billion steps is rejected before it allocates memory.
    expect(await run({}, 'max_over_time(load[100d:1ms])')).toBe('budget/memory execution')
  })

  test('memory that inputs held is given back', async () => {
    const own = budget()
    const deep = Array.from({ length: 40 }, () => 'load').join(' + ')
    await queryPromqlRange(deep, times, options({ budget: own }))
    expect(own.peakBytes).toBeLessThan(12_000)
  })
})

describe('plans of texts', () => {
  test('are kept for those asked last', () => {
    const plan = compilePromql('sum(load)', {})
    expect(compilePromql('sum(load)', {})).toBe(plan)
    for (let i = 0; i < 100; i++) compilePromql(`load + ${i}`, {})
    expect(compilePromql('sum(load)', {})).toBe(plan)
    for (let i = 0; i < 127; i++) compilePromql(`load - ${i}`, {})
    expect(compilePromql('sum(load)', {})).toBe(plan)
    for (let i = 0; i < 128; i++) compilePromql(`load * ${i}`, {})
    expect(compilePromql('sum(load)', {})).not.toBe(plan)
  })

  test('depend on what stands for parameters, and on features', async () => {
    const valueOf = async (more: Partial<PromqlOptions>) => {
      const { answer } = await queryPromql('load{zone="eu"} * $n', 60_000, options(more))
      return answer.type === 'vector' ? answer.samples.map(({ value }) => value) : []
    }
    expect(await valueOf({ parameters: { n: 2 } })).toEqual([8])
    expect(await valueOf({ parameters: { n: 3 } })).toEqual([12])
    expect(compilePromql('load', { features: {} })).not.toBe(compilePromql('load', {}))
  })

  test('of long texts, and texts with faults, are not kept', () => {
    const long = `load${' '.repeat(600)}`
    expect(compilePromql(long, {})).not.toBe(compilePromql(long, {}))
    for (let i = 0; i < 2; i++) expect(() => compilePromql('sum(', {})).toThrow(SluiceError)
  })
})
