import { describe, expect, test } from 'vitest'
import { ITEMS_PER_CHECKPOINT } from '../../src/base/index.ts'
import { expositionFormat, parseExposition, readExposition } from '../../src/ingest/metrics/index.ts'

const options = { format: 'text', defaultTimeMs: 5000 } as const

function shown(text: string, format: 'text' | 'open-metrics' = 'text'): string[] {
  return parseExposition(text, { ...options, format }).samples.map(
    ({ labels, timeMs, value }) => `${String(labels)} ${value} @${timeMs}`,
  )
}

describe('samples', () => {
  test('a name, labels, a value, a time in milliseconds', () => {
    expect(shown('requests_total{code="200", method="GET",} 12.5 1700000000123')).toEqual([
      '{__name__="requests_total", code="200", method="GET"} 12.5 @1700000000123',
    ])
  })

  test('without a time the default counts', () => {
    expect(shown('up 1')).toEqual(['{__name__="up"} 1 @5000'])
  })

  test('OpenMetrics times are seconds, exemplars are passed over, `# EOF` ends', () => {
    expect(shown('a_total 3 1.5 # {trace_id="x"} 0.2 1.4\n# EOF\nb 1', 'open-metrics')).toEqual([
      '{__name__="a_total"} 3 @1500',
    ])
  })

  test('escapes, quoted names, special values', () => {
    const text = '{"a.b", "x y"="q\\"\\\\\\n"} +Inf\nc NaN\nd -inf\ne 1e3'
    expect(shown(text)).toEqual([
      '{__name__="a.b", x y="q\\"\\\\\\n"} Infinity @5000',
      '{__name__="c"} NaN @5000',
      '{__name__="d"} -Infinity @5000',
      '{__name__="e"} 1000 @5000',
    ])
  })
})

test('metadata of a metric is put together', () => {
  const text = '# HELP a What it\\n is\n# TYPE a counter\n# UNIT a seconds\n# just a remark\na 1'
  expect(parseExposition(text, options).metadata).toEqual([
    { name: 'a', type: 'counter', help: 'What it\n is', unit: 'seconds' },
  ])
})

test('bad lines are left out, with their numbers and reasons', () => {
  const text = 'good 1\nbad{x="1" 2\nbad{x="1",x="2"} 2\nbad abc\nbad 1 2 3\n{x="1"} 1\nbad{x="1'
  const { samples, bad, badCount } = parseExposition(text, options)
  expect(samples).toHaveLength(1)
  expect(badCount).toBe(6)
  expect(bad.map(({ position }) => position)).toEqual([2, 3, 4, 5, 6, 7])
  expect(bad[1]?.reason).toBe('the label `x` is given twice')
  expect(bad[2]?.reason).toBe('`abc` is not a number')
})

test('the content type says the format', () => {
  expect(expositionFormat('application/openmetrics-text; version=1.0.0')).toBe('open-metrics')
  expect(expositionFormat('text/plain; version=0.0.4')).toBe('text')
})

test('a long text is read in turns, and any number of metrics may be described', () => {
  const count = 200_000
  const text = Array.from({ length: count }, (_, i) => `# HELP m${i} What it is.`).join('\n')
  let turns = 0
  const reading = readExposition(`${text}\nlast 1`, options)
  let next = reading.next()
  for (; next.done !== true; next = reading.next()) turns++
  expect(turns).toBe(Math.floor(count / ITEMS_PER_CHECKPOINT))
  expect([next.value.metadata.length, next.value.samples.length]).toEqual([count, 1])
})
