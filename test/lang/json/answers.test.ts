import { describe, expect, test } from 'vitest'
import { interval, parseRfc3339, present } from '../../../src/base/index.ts'
import { Instant, type StoredRow, type Value } from '../../../src/data/index.ts'
import { answerOf } from '../../../src/fuzz/answer.ts'
import { planOfPipeline, pipelineFunctions } from '../../../src/fuzz/pipeline/pipeline-plan.ts'
import { makeSubject } from '../../../src/fuzz/subject.ts'
import { pipelineToText, readPipeline } from '../../../src/lang/json/index.ts'
import { firstCrashes } from './first-crashes.ts'

function stored(rows: readonly (Readonly<Record<string, Value>> & { readonly _time: string })[]): StoredRow[] {
  return rows.map((row, sequence) => {
    const timeNs = parseRfc3339(row._time) ?? 0n
    return { timeNs, sequence, row: new Map(Object.entries({ ...row, _time: new Instant(timeNs) })) }
  })
}

/** Returns the rows for a JSON body and for its text form on every backend. Fails unless all are equal. */
async function answers(body: unknown, rows: readonly StoredRow[], hour?: string): Promise<readonly string[]> {
  const subject = await makeSubject(rows)
  const startNs = parseRfc3339(`2026-03-10T${hour ?? '00'}:00:00Z`) ?? 0n
  const options = hour === undefined ? {} : { range: interval(startNs, startNs + 3_600_000_000_000n) }
  const plans = [planOfPipeline(body), subject.lowered(pipelineToText(readPipeline(body), pipelineFunctions).text)]
  const found = new Set<string>()
  for (const plan of plans) {
    for (const backend of ['rows', 'columnar', 'sqlite'] as const) {
      found.add(JSON.stringify(await answerOf(() => subject.queryPlan(plan, backend, options))))
    }
  }
  await subject.close()
  expect(found.size).toBe(1)
  return (JSON.parse(present([...found][0])) as { rows: string[] }).rows
}

// 2024-12-30 is a Monday in the first week of 2025, and day 365 of a leap year. 1969-12-31 was a Wednesday. 2027-01-01
// is a Friday, still in week 53 of 2026. 01:30 at +05:30 is 20:00 UTC of the day before, Monday 2026-03-09.
const parts = {
  year: [2024, 1969, 2027, 2026],
  quarter: [4, 4, 1, 1],
  month: [12, 12, 1, 3],
  week: [1, 1, 53, 11],
  day: [30, 31, 1, 9],
  day_of_week: [1, 3, 5, 1],
  dayOfYear: [365, 365, 1, 68],
  hour: [23, 23, 0, 20],
  minute: [59, 59, 0, 0],
  second: [58, 59, 0, 0],
  millisecond: [987, 999, 0, 0],
} as const

describe('datetime_extract', () => {
  const at = [
    '2024-12-30T23:59:58.987654321Z',
    '1969-12-31T23:59:59.999Z',
    '2027-01-01T00:00:00Z',
    '2026-03-10T01:30:00+05:30',
  ]
  const rows = stored(at.map((when, i) => ({ _time: '2026-03-10T11:00:00Z', n: i, when })))

  test.each(Object.entries(parts))('%s', async (part, expected) => {
    const body = {
      transforms: [{ type: 'datetime_extract', alias: 'p', sourceColumn: 'when', args: [part] }],
      selectors: [{ key: 'n' }, { key: 'p' }],
      orderBy: [{ selector: { key: 'n' } }],
    }
    expect(await answers(body, rows)).toEqual(expected.map((value, i) => `"n": #${i}, "p": #${value}`))
  })

  test('a value that is not a time has no date part', async () => {
    const none = stored([{ _time: '2026-03-10T11:00:00Z', when: 'noon' }])
    const body = {
      transforms: [{ type: 'datetime_extract', alias: 'p', sourceColumn: 'when', args: ['hour'] }],
      selectors: [{ key: 'p' }],
    }
    expect(await answers(body, none)).toEqual(['"p": null'])
  })
})

test('timeOffset reads an earlier range, and times of rows stay', async () => {
  const rows = stored(
    ['09:59:59', '10:00:00', '10:59:59', '11:00:00', '11:30:00'].map((time, i) => ({
      _time: `2026-03-10T${time}Z`,
      n: i,
    })),
  )
  const selectors = [{ key: 'n' }]
  // The range from 11:00 to 12:00 contains rows 3 and 4, the hour before it rows 1 and 2. The newest come first.
  expect(await answers({ selectors }, rows, '11')).toEqual(['"n": #4', '"n": #3'])
  expect(await answers({ timeOffset: '1h', selectors }, rows, '11')).toEqual(['"n": #2', '"n": #1'])
  const side = (timeOffset: string): object => ({ timeOffset, selectors })
  const union = { leftPipeline: side('1 hour'), rightPipeline: side('2 hours') }
  expect(await answers({ union }, rows, '11')).toEqual(['"n": #2', '"n": #1', '"n": #0'])
  const hours = { timeOffset: '1h', selectors: [{ key: '_time', processors: [{ op: 'max' }] }] }
  expect(await answers(hours, rows, '11')).toEqual([`"max": @${parseRfc3339('2026-03-10T10:59:59Z')}`])
})

test('two levels: crashes per five minutes, by the first crash of each workload', async () => {
  const at = [
    ['a', '11:01'],
    ['a', '11:07'],
    ['b', '11:04'],
    ['c', '11:06'],
    ['c', '11:09'],
    ['d', '11:16'],
  ] as const
  const rows = stored(
    at.map(([workload, time]) => ({ _time: `2026-03-10T${time}:00Z`, workload, type: 'container_crash' })),
  )
  // First crashes: a 11:01, b 11:04, c 11:06, d 11:16. So slot 11:00 has a and b, 11:05 has c, and 11:15 has d.
  const slot = (time: string): bigint | undefined => parseRfc3339(`2026-03-10T${time}:00Z`)
  expect(await answers(firstCrashes('Container_Crash'), rows)).toEqual([
    `"_bucket_timestamp": @${slot('11:00')}, "workloads": #2`,
    `"_bucket_timestamp": @${slot('11:05')}, "workloads": #1`,
    `"_bucket_timestamp": @${slot('11:15')}, "workloads": #1`,
  ])
})
