import { describe, expect, test } from 'vitest'
import { BodyEnd } from '../../bench/body-end.ts'
import { metricDifference, type MetricAnswer } from '../../bench/suites/metrics-peers/answers.ts'
import { metricQuestions } from '../../bench/suites/metrics-peers/questions.ts'
import { metricStanding } from '../../bench/suites/metrics-peers/standing.ts'
import { parsePromql } from '../../src/lang/promql/index.ts'

describe('the end of a body', () => {
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked'

  /** At which of the pieces a body is whole. */
  function wholeAt(head: string, body: string, pieceBytes: number): number {
    const end = new BodyEnd(head)
    const bytes = Buffer.from(body, 'latin1')
    for (let at = 0, piece = 0; at < bytes.length; at += pieceBytes, piece++)
      if (end.take(bytes, at, Math.min(at + pieceBytes, bytes.length))) return piece
    return -1
  }

  test('is told by its length', () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 7'
    expect(wholeAt(head, '0123456', 1)).toBe(6)
    expect(wholeAt(head, '0123456', 7)).toBe(0)
    expect(wholeAt(head, '012345', 1)).toBe(-1)
    expect(new BodyEnd('HTTP/1.1 200 OK\r\nContent-Length: 0').take(Buffer.alloc(0), 0, 0)).toBe(true)
  })

  test('is told by the lengths of its chunks, wherever they are cut', () => {
    const body = `1\r\n\n\r\n10\r\n0\r\n\r\n0123456789.\r\n0\r\n\r\n`
    for (let pieceBytes = 1; pieceBytes <= body.length; pieceBytes++)
      expect(wholeAt(CHUNKED, body, pieceBytes)).toBe(Math.ceil(body.length / pieceBytes) - 1)
    expect(wholeAt(CHUNKED, body.slice(0, -1), 1)).toBe(-1)
  })

  test('is refused where nothing tells it', () => {
    expect(() => new BodyEnd('HTTP/1.1 200 OK\r\nDate: today')).toThrow('no length of the body')
  })
})

describe('answers of two servers', () => {
  type Series = readonly [metric: Readonly<Record<string, string>>, ...numbers: readonly string[]]

  const answer = (...series: readonly Series[]): MetricAnswer => ({
    status: 'success',
    data: {
      result: series.map(([metric, ...numbers]) => ({ metric, values: numbers.map((value, i) => [i * 15, value]) })),
    },
  })

  test('are equal whatever the order of series and labels, and the last digits', () => {
    const ours = answer([{ a: '1', b: '2' }, '0.1', '+Inf'], [{ a: '3' }, 'NaN'])
    expect(metricDifference(ours, answer([{ a: '3' }, 'NaN'], [{ b: '2', a: '1' }, '0.10000000001', '+Inf']))).toBe(
      undefined,
    )
  })

  test.each<[what: string, theirs: MetricAnswer, difference: string]>([
    ['a number', answer([{ a: '1' }, '1', '2.001']), '[["a","1"]]: [15,"2"] against [15,"2.001"]'],
    ['a number that is none', answer([{ a: '1' }, '1', 'NaN']), '[["a","1"]]: [15,"2"] against [15,"NaN"]'],
    ['a point', answer([{ a: '1' }, '1']), '[["a","1"]]: 2 points against 1'],
    ['labels', answer([{ a: '2' }, '1', '2']), '[["a","1"]] is not there'],
    ['series', answer(), '1 series against 0'],
  ])('differ by %s', (_, theirs, difference) => {
    expect(metricDifference(answer([{ a: '1' }, '1', '2']), theirs)).toBe(difference)
  })

  test('are compared without names, or added up, only where that is said', () => {
    const [named, bare] = [answer([{ __name__: 'x', a: '1' }, '100']), answer([{ a: '1' }, '100'])]
    expect(metricDifference(bare, named)).toBe('[["a","1"]] is not there')
    expect(metricDifference(bare, named, { withoutNames: true })).toBe(undefined)
    const otherwise = { share: 0.05, reason: 'another rule' }
    expect(metricDifference(bare, answer([{ b: '1' }, '104']), { otherwise })).toBe(undefined)
    expect(metricDifference(bare, answer([{ b: '1' }, '106']), { otherwise })).toContain(
      'the sum 100 against 1 with 106',
    )
    expect(metricDifference(bare, answer([{ b: '1' }, '50', '50']), { otherwise })).toContain('1 numbers')
  })
})

describe('the standing beside a peer', () => {
  test('is a geometric mean of times, and which are far slower', () => {
    const { mean, slower } = metricStanding([
      { id: 'A', ownMs: 20, peerMs: 10 },
      { id: 'B', ownMs: 5, peerMs: 10 },
      { id: 'C', ownMs: 15, peerMs: 10 },
    ])
    expect(mean).toBeCloseTo(1.5 ** (1 / 3), 12)
    expect(slower).toEqual(['A'])
  })

  test('below 0.3 ms a question counts as equal', () => {
    expect(metricStanding([{ id: 'A', ownMs: 0.3, peerMs: 0.1 }]).slower).toEqual([])
  })
})

test.each(metricQuestions.map(({ id, query }) => [id, query]))('%s is a query', (_, query) => {
  expect(parsePromql(query).diagnostics).toEqual([])
})
