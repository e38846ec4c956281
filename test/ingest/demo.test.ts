import { expect, test } from 'vitest'
import { Instant } from '../../src/data/index.ts'
import { demoLogs, demoSpans } from '../../src/ingest/demo/index.ts'

const options = { seed: 7, nowNs: 1_700_000_000_000_000_000n, rows: 3000, hours: 6 }
const rows = demoLogs(options)

test('the same seed tells the same story', () => {
  expect(demoLogs(options)).toEqual(rows)
  expect(demoLogs({ ...options, seed: 8 })).not.toEqual(rows)
})

test('rows are in time order and end by now', () => {
  const times = rows.map((row) => (row.get('_time') as Instant).ns)
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  expect(times[times.length - 1]).toBeLessThanOrEqual(options.nowNs)
  expect(times[0]).toBeGreaterThanOrEqual(options.nowNs - 6n * 3_600_000_000_000n)
})

test('the incident shows: checkout errors in the broken phase far above the calm', () => {
  const share = (fromMinutes: number, toMinutes: number): number => {
    const within = rows.filter((row) => {
      const minutes = Number(options.nowNs - (row.get('_time') as Instant).ns) / 60e9
      return row.get('workload') === 'checkout-api' && minutes < fromMinutes && minutes >= toMinutes
    })
    return within.filter((row) => row.get('level') === 'error').length / within.length
  }
  expect(share(46, 23)).toBeGreaterThan(0.2)
  expect(share(360, 60)).toBeLessThan(0.05)
})

test('records name traces of the story, errors those that failed', () => {
  const spans = demoSpans({ ...options, requests: 6000 })
  const failed = new Set(spans.filter((span) => span.get('status') === 'error').map((span) => span.get('trace_id')))
  const known = new Set(spans.map((span) => span.get('trace_id')))
  const traced = demoLogs({ ...options, spans })
  const late = traced.slice(200)
  expect(late.filter((row) => !known.has(row.get('trace_id')))).toEqual([])
  const errors = traced.filter((row) => row.get('level') === 'error')
  expect(errors.filter((row) => failed.has(row.get('trace_id'))).length).toBeGreaterThan(errors.length / 2)
  expect(traced.map((row) => row.get('content'))).toEqual(rows.map((row) => row.get('content')))
})
