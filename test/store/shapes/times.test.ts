import { describe, expect, test } from 'vitest'
import { formatRfc3339 } from '../../../src/base/index.ts'
import { parseJsonExact, isJsonObject, type MutableRow } from '../../../src/data/index.ts'
import { flattenRecord, logsTable, placeFields } from '../../../src/store/index.ts'

function place(text: string) {
  const value = parseJsonExact(text)
  const record: MutableRow = new Map()
  if (isJsonObject(value)) flattenRecord(record, value)
  const { row, timeNs, unreadableTime } = placeFields(logsTable, record, { nowNs: 1_767_225_600_000_000_000n })
  return { row, unreadableTime, time: timeNs === undefined ? undefined : formatRfc3339(timeNs) }
}

const ISO = '2025-11-30T10:11:12Z'
const at = '2025-11-30T10:11:12.000000000Z'

describe('the time of a record', () => {
  test.each([
    't',
    'T',
    'Time',
    'TIMESTAMP',
    'TimeStamp',
    'EventTime',
    'eventtime',
    '@time',
    '_ts',
    'time_stamp',
    '_timestamp',
    'created_at',
    'createdAt',
    'CreatedAt',
    'published_date',
    'dt',
    'date',
    'Date',
    'TimeCreated',
  ])('is found as `%s`, which stays a field', (name) => {
    const { time, row } = place(`{"${name}":"${ISO}","msg":"x"}`)
    expect([time, row.get(name)]).toEqual([at, ISO])
  })

  test.each([
    ['MongoDB', `{"timestamp":{"$date":"${ISO}"}}`],
    ['MongoDB, a number', '{"created_at":{"$date":{"$numberLong":"1764497472000"}}}'],
    ['MongoDB, milliseconds', '{"ts":{"$date":1764497472000}}'],
    ['PHP', '{"datetime":{"date":"2025-11-30 10:11:12.000000","timezone_type":3,"timezone":"UTC"}}'],
    ['protobuf', '{"timestamp":{"seconds":1764497472,"nanos":0}}'],
    ['protobuf, texts', '{"time":{"seconds":"1764497472","nanos":0}}'],
    ['Firestore', '{"createdAt":{"_seconds":1764497472,"_nanoseconds":0}}'],
    ['date and time', '{"date":"2025-11-30","time":"10:11:12"}'],
    ['date and time, capitals', '{"Date":"2025/11/30","Time":"10:11:12"}'],
    ['date, time and zone', '{"date":"2025-11-30","time":"11:11:12","tz":"+0100"}'],
    ['digits', '{"t":"1764497472","msg":"x"}'],
    ['milliseconds', '{"dt":1764497472000}'],
  ])('is found in an object or two members: %s', (_, text) => {
    expect(place(text).time).toBe(at)
    expect(place(text).unreadableTime).toBeUndefined()
  })

  test.each([
    ['the usual name wins', `{"created_at":"2001-01-01T00:00:00Z","timestamp":"${ISO}"}`, at],
    ['the usual name in capitals wins', `{"created_at":"2001-01-01T00:00:00Z","TIMESTAMP":"${ISO}"}`, at],
    ['another takes the place of a duration', `{"time":12,"created_at":"${ISO}"}`, at],
    ['a small number is none', '{"t":12,"dt":0.5}', undefined],
    ['a word is none', '{"date":"tomorrow","t":"x"}', undefined],
    ['a date with a duration is a date', '{"date":"2025-11-30","time":12}', '2025-11-30T00:00:00.000000000Z'],
  ])('%s', (_, text, expected) => {
    expect(place(text).time).toBe(expected)
  })

  test('a member that is not the time keeps its name', () => {
    const { row } = place(`{"timestamp":"${ISO}","date":"2025-01-01","created_at":"2024-01-01T00:00:00Z"}`)
    expect([row.get('date'), row.get('created_at')]).toEqual(['2025-01-01', '2024-01-01T00:00:00Z'])
  })
})
