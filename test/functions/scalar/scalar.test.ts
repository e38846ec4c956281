import { describe, expect, test } from 'vitest'
import { Instant, type Value } from '../../../src/data/index.ts'
import { scalarFunctions, standardFunctions } from '../../../src/functions/index.ts'

const time = new Instant(1_767_225_600_000_000_000n)

const cases: readonly (readonly [string, readonly Value[], Value])[] = [
  ['add', [1, '2'], 3],
  ['add', [0.1, 0.2], 0.30000000000000004],
  ['add', [9007199254740991, 2], 9007199254740993n],
  ['add', [2n ** 64n - 1n, 1], 2 ** 64],
  ['add', [time, '1s'], 1_767_225_601_000_000_000n],
  ['add', ['x', 1], NaN],
  ['add', [null, 1], NaN],
  ['add', ['1KB', '1.2.3.4'], 16910060],
  ['sub', [time, 1_767_225_600_000_000_000n], 0],
  ['sub', ['2026-01-01T00:00:00Z', 0.5], 1_767_225_600_000_000_000],
  ['mul', [3_000_000_000, 4_000_000_000], 12_000_000_000_000_000_000n],
  ['mul', [1e200, 1e200], Infinity],
  ['mul', [-1, 0], 0],
  ['div', [1, 3], 1 / 3],
  ['div', [1, 0], Infinity],
  ['div', [0, 0], NaN],
  ['div', [2n ** 60n, 2n ** 58n], 4],
  ['div', [2n ** 60n + 1n, -2], -(2 ** 59)],
  ['div', [2n ** 60n, 0], Infinity],
  ['mod', [7, 3], 1],
  ['mod', [-7, 3], -1],
  ['mod', [2n ** 60n + 1n, 10], 7],
  ['mod', [5, 0], NaN],
  ['mod', [2n ** 60n, 0], NaN],
  ['mod', [5.5, 2], 1.5],
  ['pow', [2, 10], 1024],
  ['pow', [2, 0.5], Math.SQRT2],
  ['neg', ['5m'], -300e9],
  ['neg', [0], 0],
  ['neg', [2n ** 60n], -(2n ** 60n)],
  ['bit_and', [12, 10], 8],
  ['bit_or', [12, 10], 14],
  ['bit_xor', [12, 10], 6],
  ['bit_and', [-1, 255], 255],
  ['bit_or', [-1, 0], 18446744073709551615n],
  ['bit_and', ['x', 1], NaN],
  ['abs', [-3.5], 3.5],
  ['abs', [-(2n ** 60n)], 2n ** 60n],
  ['ceil', [1.2], 2],
  ['ceil', [-0.5], 0],
  ['floor', [-1.2], -2],
  ['floor', [2n ** 60n], 2n ** 60n],
  ['round', [2.5], 3],
  ['round', [-2.5], -3],
  ['round', [1.005, 0.01], 1.01],
  ['round', [1234, 100], 1200],
  ['round', [1.6667, -0.001], 1.667],
  ['round', ['x'], NaN],
  ['round', [Infinity], Infinity],
  ['round', [5, 'x'], NaN],
  ['exp', [0], 1],
  ['ln', [Math.E], 1],
  ['ln', [-1], NaN],
  ['min', ['x', 3, '2'], 2],
  ['max', [null, 9007199254740993n, 5], 9007199254740993n],
  ['max', ['x'], NaN],
  ['default', ['x', 7], 7],
  ['default', [0, 7], 0],
  ['default', ['x', 'y'], NaN],
  ['number', ['1h'], 3600e9],
  ['number', [true], NaN],
  ['eq_field', [1, '1'], true],
  ['eq_field', [null, ''], true],
  ['eq_field', ['a', 'A'], false],
  ['le_field', ['9', 10], true],
  ['le_field', ['b', 'a'], false],
  ['le_field', ['1.2.3.4', '1.2.3.10'], true],
  ['le_field', [5, 5], true],
  ['lt_field', [5, 5], false],
  ['lt_field', ['', 'a'], true],
  ['sorts_after', [5, 5, 'asc', 'b', 'a', 'asc'], true],
  ['sorts_after', [5, '5.0', 'asc'], false],
  ['sorts_after', [4, 5, 'desc'], true],
  ['sorts_after', [null, 5, 'desc'], true],
  ['datetime-extract', ['2026-03-10T11:05:09.5Z', 'hour'], 11],
  ['datetime-extract', ['2026-03-10T11:05:09.5Z', 'day_of_week'], 2],
  ['datetime-extract', ['2026-03-10T11:05:09.5Z', 'dayOfWeek'], 2],
  ['datetime-extract', ['2026-03-10T11:05:09.5Z', 'HOUR'], 11],
  ['datetime-extract', ['1969-12-31T23:59:59.9Z', 'second'], 59],
  ['datetime-extract', ['1969-12-31T23:59:59.9Z', 'day_of_year'], 365],
  ['datetime-extract', ['no time', 'hour'], null],
  ['logql-number', ['12.5'], 12.5],
  ['logql-number', [12.5], 12.5],
  ['logql-number', ['1.5KiB', 'bytes'], 1536],
  ['logql-number', ['1m30s', 'duration'], 90],
  ['logql-number', ['12 apples'], null],
  ['logql-number', [''], null],
  ['stream-label', ['{app="x",pod="say \\"hi\\""}', 'pod'], 'say "hi"'],
  ['stream-label', ['{app="x"}', 'pod'], null],
  ['stream-label', ['no stream', 'pod'], null],
  ['stream-label', [null, 'pod'], null],
  ['stream-name', [null, 'pod', 'p-1', 'env', null], '{pod="p-1"}'],
  ['stream-name', ['{app="x"}', 'pod', 'p-1'], '{app="x"}'],
  ['stream-id', [null, '{app="x"}'], 'd686468d1c60ce37'],
  ['stream-id', ['abc', '{app="x"}'], 'abc'],
  ['stream-id', [null, ''], null],
  ['value_type', [200, 'uint8'], true],
  ['value_type', ['200', 'uint16'], false],
  ['value_type', [time, 'iso8601'], true],
  ['value_type', [1.5, 'float64'], true],
]

describe('scalar functions', () => {
  test.each(cases)('%s %s', (name, args, expected) => {
    expect(standardFunctions.scalar.get(name)?.evaluate(args)).toEqual(expected)
  })

  test('rand is from 0 to 1', () => {
    const value = Number(standardFunctions.scalar.get('rand')?.evaluate([]))
    expect(value >= 0 && value < 1).toBe(true)
  })

  test('every function has a case, and none throws on anything', () => {
    const tested = new Set(cases.map(([name]) => name))
    expect(scalarFunctions.map(({ name }) => name).filter((name) => !tested.has(name) && name !== 'rand')).toEqual([])
    const odd: readonly Value[] = [null, '', 'x', NaN, Infinity, -Infinity, 2n ** 63n, -1.5, true, time, '1e999', '-1h']
    for (const { evaluate, signature } of scalarFunctions) {
      for (const a of odd) {
        for (const b of odd) expect(() => evaluate([a, b].slice(0, signature.maxArgs))).not.toThrow()
      }
    }
  })
})
