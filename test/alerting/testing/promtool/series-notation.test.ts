// @module-tag slow
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { present, spanOf } from '../../../../src/base/index.ts'
import { renderPromqlError } from '../../../../src/lang/promql/index.ts'
import { printHistogramNotation } from '../../../../src/alerting/testing/promtool/series/histogram-notation.ts'
import {
  hasStartMark,
  parseSeriesNotation,
  parseStartTimes,
  type SeriesPoint,
} from '../../../../src/alerting/testing/promtool/series/notation.ts'

function show(point: SeriesPoint): unknown {
  if (point.kind === 'float') return point.value
  return point.kind === 'histogram' ? printHistogramNotation(point.histogram) : point.kind
}

function points(values: string): readonly unknown[] {
  const { series, diagnostics } = parseSeriesNotation(`a ${values}`)
  return series === undefined ? diagnostics.map((d) => d.message) : series.points.map((point) => show(point))
}

describe('labels', () => {
  test.each([
    ['up 1', { __name__: 'up' }],
    ['{} 1', {}],
    ['{"a b", c="d"} 1', { __name__: 'a b', c: 'd' }],
    ['up{ a = "b" , "c.d"=\'e\', } 1', { __name__: 'up', a: 'b', 'c.d': 'e' }],
    ['sum{by="x"} 1', { __name__: 'sum', by: 'x' }],
    ['{__name__="q", a=""} 1', { __name__: 'q' }],
  ])('%s', (text, labels) => {
    expect(parseSeriesNotation(text).series?.labels.toRecord()).toEqual(labels)
  })
})

describe('points', () => {
  test.each([
    ['1 -2 +3 .5 1e3', [1, -2, 3, 0.5, 1000]],
    ['_ _x2 stale', ['omitted', 'omitted', 'omitted', 'stale']],
    ['1x2', [1, 1, 1]],
    ['1+2x3', [1, 3, 5, 7]],
    ['0.1+0.1x2', [0.1, 0.2, 0.30000000000000004]],
    ['-1-1x1', [-1, -2]],
    ['NaN Inf -Inf', [NaN, Infinity, -Infinity]],
    ['5m 1hx1', [300, 3600, 3600]],
    ['  1   2  ', [1, 2]],
    ['', []],
    ['{{sum:1 count:2}}x1', ['{{count:2 sum:1}}', '{{count:2 sum:1}}']],
    ['{{schema:-53 custom_values:[1 2] buckets:[1 0 3]}}', ['{{schema:-53 custom_values:[1 2] buckets:[1 0 3]}}']],
    ['{{sum:Inf count:1e6 buckets:[-1 2]}}', ['{{count:1e+06 sum:+Inf buckets:[-1 2]}}']],
    [
      '{{z_bucket:1 z_bucket_w:0.5 n_offset:2 n_buckets:[1]}}',
      ['{{z_bucket:1 z_bucket_w:0.5 n_offset:2 n_buckets:[1]}}'],
    ],
  ])('%s', (text, wanted) => {
    expect(points(text)).toEqual(wanted)
  })

  test('a hint counts only when it is written', () => {
    const { series } = parseSeriesNotation('a {{}} {{counter_reset_hint:unknown}} {{counter_reset_hint:not_reset}}')
    expect(series?.points).toMatchObject([
      { hasHint: false, histogram: { hint: 'unknown' } },
      { hasHint: true, histogram: { hint: 'unknown' } },
      { hasHint: true, histogram: { hint: 'not-reset' } },
    ])
  })
})

describe('faults', () => {
  test.each([
    ['a 1 foo', '1:5: parse error: unexpected identifier "foo" in series values, expected number or "stale"'],
    ['a 1x', '1:5: parse error: unexpected end of input in series values'],
    [
      'a 1x1.5',
      '1:5: parse error: invalid repetition in series values: strconv.ParseUint: parsing "1.5": invalid syntax',
    ],
    ['a 1+2', '1:6: parse error: unexpected end of input in series values'],
    ['a x', '1:3: parse error: unexpected "x"'],
    ['a €', `1:3: parse error: unexpected character in series sequence: '€'`],
    ['a{b}', '1:4: parse error: unexpected "}" in label set, expected "="'],
    ['a{b=c}', '1:5: parse error: unexpected identifier "c" in label set, expected string'],
    ['a{', '1:3: parse error: unexpected end of input inside braces'],
    ['a {{sum:1 sum:2}}', '1:1: parse error: duplicate key "sum" in histogram'],
    ['a {{sum:1', `1:10: parse error: histogram description incomplete unexpected: '�'`],
    [
      'a {{schema:0}}+{{schema:-53}}x1',
      '1:31: parse error: error combining histograms: cannot merge from schema -53 to 0',
    ],
    ['a 1x99999999', '1:13: parse error: a series has at most 1000000 points'],
  ])('%s', (text, wanted) => {
    const { series, diagnostics } = parseSeriesNotation(text)
    expect(series).toBeUndefined()
    expect(renderPromqlError(present(diagnostics[0]), text)).toBe(wanted)
  })

  test('never throws, and points into the text', () => {
    const pieces = [
      'a',
      '{',
      '}',
      '{{',
      '}}',
      '"b"',
      '=',
      ',',
      ' ',
      '1',
      'x',
      '+',
      '-',
      '_',
      'sum:',
      '[',
      ']',
      '5m',
      'stale',
    ]
    const rows = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((row) => row.join(''))
    fc.assert(
      fc.property(fc.oneof(rows, fc.string({ unit: 'binary' })), (text) => {
        const { series, diagnostics } = parseSeriesNotation(text)
        expect(series === undefined).toBe(diagnostics.length > 0)
        for (const { origin } of diagnostics) expect(spanOf(origin)!.end).toBeLessThanOrEqual(text.length)
      }),
      { seed: 5, numRuns: 1000 },
    )
  })
})

test('lines of start times', () => {
  const line = 'up{a="@st"}@st   _ 0-1mx2 -59999ms'
  expect(hasStartMark(line)).toBe(true)
  expect(hasStartMark('up{a="@st "} 1')).toBe(false)
  expect(parseStartTimes(line).series?.points.map((point) => show(point))).toEqual(['omitted', 0, -60, -120, -59.999])
})

test('a printed histogram reads back as the same', () => {
  const count = fc.integer({ min: -3, max: 9 })
  const side = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.array(count, { maxLength: 5 }))
  const histograms = fc
    .tuple(
      fc.integer({ min: -4, max: 8 }),
      side,
      side,
      fc.constantFrom('unknown', 'reset', 'not_reset', 'gauge'),
      count,
    )
    .map(([schema, [offset, buckets], [nOffset, nBuckets], hint, sum]) => {
      const positive = buckets.length === 0 ? '' : ` offset:${offset} buckets:[${buckets.join(' ')}]`
      const negative = nBuckets.length === 0 ? '' : ` n_offset:${nOffset} n_buckets:[${nBuckets.join(' ')}]`
      return `{{schema:${schema} sum:${sum} counter_reset_hint:${hint}${positive}${negative}}}`
    })
  fc.assert(
    fc.property(histograms, (text) => {
      const [first] = points(text)
      expect(points(first as string)).toEqual([first])
    }),
    { seed: 9, numRuns: 200 },
  )
})
