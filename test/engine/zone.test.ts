import { describe, expect, test } from 'vitest'
import { collect, parseRfc3339, present } from '../../src/base/index.ts'
import { Instant, type Value } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { columnarOver, rowsOver, sqliteOver } from './data.ts'

const times = [
  '2026-10-24T21:59:59Z',
  '2026-10-24T22:00:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-10-25T22:59:59Z',
  '2026-10-25T23:00:00Z',
]
const rows = times.map((time, sequence) => {
  const timeNs = present(parseRfc3339(time))
  return {
    timeNs,
    sequence,
    row: new Map<string, Value>([
      ['_time', new Instant(timeNs)],
      ['n', sequence],
    ]),
  }
})

describe.each([
  ['columnar', columnarOver(rows)],
  ['rows', rowsOver(rows)],
  ['sqlite', await sqliteOver(rows)],
])('the zone of a query, by %s', (_, backend) => {
  const engine = createEngine({ backends: [backend] })
  const answer = async (text: string, zone?: string): Promise<readonly string[]> =>
    (await collect(engine.query(text, zone === undefined ? {} : { zone }).rows())).map((row) => JSON.stringify(row))
  const found = async (filter: string, zone?: string): Promise<string> =>
    (await answer(`${filter} | sort by (n) | fields n`, zone))
      .map((row) => (JSON.parse(row) as { n: number }).n)
      .join('')

  test.each([
    ['_time:2026-10-25', 'Europe/Berlin', '1234'],
    ['_time:2026-10-25', '+02:00', '123'],
    ['_time:2026-10-25', undefined, '2345'],
    ['_time:2026-10-25T02', 'Europe/Berlin', '23'],
    ['_time:2026-10-25T02:30', 'Europe/Berlin', '23'],
    ['_time:2026-10-25T02:30+02:00', 'Europe/Berlin', '2'],
    ['_time:[2026-10-25, 2026-10-25]', 'Europe/Berlin', '1234'],
    ['_time:>=2026-10-26', 'Europe/Berlin', '5'],
    ['_time:<2026-10-25', 'Europe/Berlin', '0'],
    ['_time:day_range[00:00, 01:00)', 'Europe/Berlin', '15'],
    ['_time:day_range[00:00, 01:00)', 'UTC', '2'],
    ['_time:day_range[22:00, 23:00) zone "UTC"', 'Europe/Berlin', '14'],
    ['_time:week_range[Sun, Sun]', 'Europe/Berlin', '1234'],
  ])('%s in %s', async (filter, zone, expected) => {
    expect(await found(filter, zone)).toBe(expected)
  })

  test.each([
    ['by (_time:1d)', 'Europe/Berlin', ['23T22:00:00Z 1', '24T22:00:00Z 4', '25T23:00:00Z 1']],
    ['by (_time:day)', 'GMT+01:00', ['23T23:00:00Z 2', '24T23:00:00Z 3', '25T23:00:00Z 1']],
    ['by (_time:1d zone "UTC")', 'Europe/Berlin', ['24T00:00:00Z 2', '25T00:00:00Z 4']],
    ['by (_time:week)', 'Europe/Berlin', ['18T22:00:00Z 5', '25T23:00:00Z 1']],
  ])('stats %s in %s', async (by, zone, expected) => {
    const found = await answer(`* | stats ${by} count() c | sort by (_time)`, zone)
    const shown = found.map((row) => {
      const { _time, c } = JSON.parse(row) as { _time: string; c: number }
      return `${_time.slice(8).replace(/\.0+Z/, 'Z')} ${c}`
    })
    expect(shown).toEqual(expected)
  })

  test('an unknown zone is refused', () => {
    expect(() => engine.query('*', { zone: 'Mars/Olympus' })).toThrow(
      'The option `zone` needs a time zone, not `Mars/Olympus`.',
    )
  })
})
