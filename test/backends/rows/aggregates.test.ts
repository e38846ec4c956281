import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelFunctions, type ModelCall } from '../../../src/backends/rows/aggregates.ts'
import { valueMeter } from '../../../src/base/index.ts'
import { Instant, JsonText, type Value } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'

const plain: ModelCall = {
  params: [],
  limit: undefined,
  hasArgs: true,
  directions: [],
  seconds: 1,
  maker: 'test',
  meter: valueMeter(),
}

function namesOf(values: readonly Value[]): string[] {
  return values.map((_, i) => `f${i}`)
}

/** Returns the value of an aggregate after each row. */
function running(fn: string, rows: readonly (readonly Value[])[], call: Partial<ModelCall> = {}): Value[] {
  const state = modelFunctions.get(fn)?.({ ...plain, ...call })
  if (state === undefined) throw new Error(`the model has no ${fn}`)
  return rows.map((values) => {
    state.add({ values, names: namesOf(values), keys: [] })
    return state.value()
  })
}

function over(fn: string, values: readonly Value[], call: Partial<ModelCall> = {}): Value {
  return running(
    fn,
    values.map((value) => [value]),
    call,
  ).at(-1)
}

const time = new Instant(0n)

function paramsOf(type: string | undefined): Value[][] {
  if (type === undefined) return [[]]
  return type === 'integer' ? [[0], [1], [3]] : [[-1], [0], [0.5], [0.9], [1], [2]]
}

describe("the model's own stats functions", () => {
  test.each<[string, readonly Value[], Value]>([
    ['sum', [2 ** 53, 1, 1], 9007199254740994n],
    ['sum', [2 ** 53 - 1, 1], 2 ** 53],
    ['sum', [1e308, 1e308, -1e308], 1e308],
    ['sum', [1e16, 1.5, -1e16], 1.5],
    ['sum', [0.1, 0.2, 0.3], 0.6],
    ['sum', ['1KB', '1.5', NaN, 'x', true, time, null], 1001.5],
    ['sum', [Infinity, -Infinity], NaN],
    ['sum', ['x'], NaN],
    ['sum', [-0.5, 0.5], 0],
    ['avg', [2n ** 60n, 1], 576460752303423500],
    ['avg', [5e-324, 0], 0],
    ['avg', [5e-324, 5e-324, 0], 5e-324],
    ['avg', [1, 2, -Infinity], -Infinity],
    ['avg', [1e308, 1e308], 1e308],
    ['stddev', [2, 4, 4, 4, 5, 5, 7, 9], 2],
    ['stddev', [1e200, -1e200], 1e200],
    ['stddev', [2 ** 53, 9007199254740993n, 9007199254740994n], Math.sqrt(2 / 3)],
    ['stddev', [1, Infinity], NaN],
    ['min', [NaN, 'b', 3, '2', null], '2'],
    ['max', [NaN, Infinity, 3], NaN],
    ['max', ['\uffff', '\u{1f600}', '\ud83d'], '\u{1f600}'],
    ['max', [9007199254740993n, 2 ** 53, '9007199254740992'], 9007199254740993n],
    ['min', [null, ''], null],
    ['min-with-empty', [1, ''], null],
    ['median', [3, 1, 2], 2],
    ['median', [4, 1, 3, 2], 3],
    ['quantile-with-empty', [null, null, 1], null],
    ['count', [1, null, '', 'x'], 2],
    ['count_empty', [1, null, '', 'x'], 2],
    ['count_uniq', [1, '1', 1, 1n, null, '', true, 'true'], 5],
    ['any', [null, '', 'x', 'y'], 'x'],
    ['first', [null, 'x'], null],
    ['last', ['x', null], null],
    ['values', [1, null, '\ud800', NaN], new JsonText('[1,null,"\\ud800",null]')],
    ['uniq_values', ['b', 1, NaN, '', '1', 'b', '\u{1f600}', '\uffff'], new JsonText('[1,"1",null,"b","\uffff","😀"]')],
    ['values-as-texts', [1, null, NaN, true], new JsonText('["1","","NaN","true"]')],
    ['uniq_values-as-texts', ['b', 1, '', '1'], new JsonText('["1","b"]')],
    ['sum_len', ['é', null, 12, '\ud800', time], 2 + 2 + 3 + 20],
    ['rate', [1, 1, 1], 3],
    ['rate_sum', ['x', 1, 2], 3],
    ['row_max', [1, NaN, 2], new JsonText('{}')],
    ['field_min', [1], null],
    [
      'histogram',
      [0, 1, -1, 1e19, 'x'],
      new JsonText(
        '[{"vmrange":"0...1.000e-09","hits":1},{"vmrange":"8.799e-01...1.000e+00","hits":1},{"vmrange":"1.000e+18...+Inf","hits":1}]',
      ),
    ],
  ])('%s, case %#', (fn, values, expected) => {
    expect(over(fn, values)).toEqual(expected)
  })

  test('values after each row', () => {
    expect(running('sum', [[1], [0.5], ['x'], [Infinity]])).toEqual([1, 1.5, 1.5, Infinity])
    expect(running('quantile', [[5], [1], [null], [3]], { params: [0.5] })).toEqual([5, 5, 5, 3])
    expect(running('first', [['a'], ['b'], ['c']], { params: [1] })).toEqual([null, 'b', 'b'])
    expect(running('last', [['a'], ['b'], ['c']], { params: [1] })).toEqual([null, 'a', 'b'])
    expect(
      running('row_min', [
        [2, 'x'],
        [1, null],
        [1, 'z'],
      ]),
    ).toEqual(['{"f1":"x"}', '{}', '{}'].map((json) => new JsonText(json)))
  })

  const value: fc.Arbitrary<Value> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom<Value>('', null, NaN, 0, 1, -1, 2 ** 53, 2n ** 53n + 1n, 2n ** 64n, Infinity),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Value>('1', '1.0', '1KB', 'NaN', 'true', true, '5ms', '\ud83d', '😀', '\uffff'),
    },
    fc.constantFrom<Value>(time, '1970-01-01T00:00:00Z', new JsonText('[1]'), '[1]', -Infinity, 5e-324, 1e308, 0.1),
    fc.double(),
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -20, max: 20 }).map((n) => n / 4),
  )

  test('the model has all but sketches and templates of its own', () => {
    const missing = standardFunctions.stats.all.map(({ name }) => name).filter((name) => !modelFunctions.has(name))
    expect(missing).toEqual(['count_uniq_approx', 'pattern', 'quantile_approx'])
  })

  test.each([...modelFunctions.keys()])('%s agrees with the accumulator of the backends, after every row', (name) => {
    const fn = standardFunctions.stats.get(name)
    if (fn === undefined) throw new Error(name)
    const { signature } = fn
    const width = Math.max(signature.minArgs, Math.min(2, signature.maxArgs))
    const rows = fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 })
    const limit = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
    const params = fc.constantFrom<Value[]>(...paramsOf(signature.params[0]?.type))
    fc.assert(
      fc.property(rows, limit, params, fc.constantFrom(1, 60), (seen, most, given, seconds) => {
        const state = fn.accumulator({
          params: given,
          limit: most,
          argNames: Array.from({ length: width }, (_, i) => `f${i}`),
          orderDirections: [],
          context: { rangeSeconds: seconds },
          meter: valueMeter(),
        })
        const expected = seen.map((values) => {
          state.add(values)
          return state.finish()
        })
        expect(running(name, seen, { params: given, limit: most, hasArgs: width > 0, seconds })).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})
