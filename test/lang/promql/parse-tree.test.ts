import { expect, test } from 'vitest'
import { parsePromqlOrThrow, toParseTree } from '../../../src/lang/promql/index.ts'

function tree(text: string): unknown {
  return toParseTree(parsePromqlOrThrow(text))
}

test('a selector with everything', () => {
  expect(tree('a{b!~"c"} @ end() smoothed offset 5m')).toEqual({
    type: 'vectorSelector',
    name: 'a',
    matchers: [
      { name: 'b', type: '!~', value: 'c' },
      { name: '__name__', type: '=', value: 'a' },
    ],
    offset: 300_000,
    offsetExpr: null,
    anchored: false,
    smoothed: true,
    timestamp: null,
    startOrEnd: 'end',
  })
})

test('durations that are worked out later', () => {
  expect(tree('a[(5m) + step()]')).toMatchObject({
    range: 0,
    rangeExpr: {
      type: 'durationExpr',
      op: '+',
      lhs: { op: '+', lhs: null, rhs: { type: 'numberLiteral', val: '300', duration: true }, wrapped: true },
      rhs: { op: 'step', lhs: null, rhs: null },
      wrapped: false,
    },
  })
})

test('operators, calls, aggregations', () => {
  expect(tree('sum by (x) (rate(a[1m])) / on (x) fill (0) b')).toMatchObject({
    type: 'binaryExpr',
    matching: { card: 'one-to-one', on: true, labels: ['x'], include: [], fillValues: { lhs: 0, rhs: 0 } },
    lhs: {
      type: 'aggregation',
      op: 'sum',
      grouping: ['x'],
      without: false,
      param: null,
      expr: { func: { name: 'rate', argTypes: ['matrix'], returnType: 'vector', variadic: 0 } },
    },
  })
})

test('what JSON cannot hold becomes null or the replacement character', () => {
  expect(tree('a + fill (NaN) b')).toMatchObject({ matching: { fillValues: { lhs: null, rhs: null } } })
  expect(tree('"\\xff"')).toEqual({ type: 'stringLiteral', val: '\ufffd' })
  expect(tree('-Inf')).toEqual({ type: 'numberLiteral', val: '-Inf' })
})
