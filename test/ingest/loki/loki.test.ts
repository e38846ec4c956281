import { describe, expect, test } from 'vitest'
import { SluiceError, runToEnd } from '../../../src/base/index.ts'
import { parseJsonPlain } from '../../../src/data/index.ts'
import { readPushJson, readPushProtobuf } from '../../../src/ingest/loki/index.ts'
import type { ReadRecords } from '../../../src/ingest/otlp/index.ts'
import { readStreamLabels } from '../../../src/ingest/loki/labels.ts'
import { unpackSnappy } from '../../../src/ingest/metrics/index.ts'
import { encodePush, jsonPush, type PushedStream } from './encode.ts'

/** Reads the same push in both encodings, which must give the same records. */
function read(streams: readonly PushedStream[]): ReadRecords {
  const fromBytes = runToEnd(readPushProtobuf(unpackSnappy(encodePush(streams), 2 ** 26), false))
  const fromJson = runToEnd(readPushJson(parseJsonPlain(JSON.stringify(jsonPush(streams))), false))
  expect(fromJson).toEqual(fromBytes)
  return fromBytes
}

const json = (text: string): ReadRecords => runToEnd(readPushJson(parseJsonPlain(text), false))

test('labels and structured metadata are fields, the line is the text as it came, the time is exact', () => {
  const { rows: records, leftOut } = read([
    {
      labels: { job: 'a"b', host: 'ü' },
      entries: [
        {
          ns: '1700000000123456789',
          line: '{"level":"warn"}',
          metadata: { trace_id: 'ab', host: 'other' },
        },
        { line: 'without a time' },
      ],
    },
    { labels: {}, entries: [{ ns: '1', line: '' }] },
  ])
  expect(leftOut.rejected).toBe(0)
  expect(records.map((record) => Object.fromEntries(record))).toMatchObject([
    {
      job: 'a"b',
      host: 'ü',
      host_extracted: 'other',
      trace_id: 'ab',
      content: '{"level":"warn"}',
      _time: { ns: 1700000000123456789n },
    },
    { job: 'a"b', host: 'ü', content: 'without a time' },
    { content: '', _time: { ns: 1n } },
  ])
})

test('the form of the first versions', () => {
  const { rows: records } = json(
    '{"streams":[{"labels":"{a=\\"b\\"}","entries":[{"ts":"2026-01-01T00:00:00.000000001+01:00","line":"x"}]}]}',
  )
  expect(records.map((record) => Object.fromEntries(record))).toMatchObject([
    { a: 'b', content: 'x', _time: { ns: 1767222000000000001n } },
  ])
})

test.each([
  ['{}', []],
  [' { a = "b" } ', undefined],
  [
    '{a="b",c="d",}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '{a="b" , c=`d\\e`}',
    [
      ['a', 'b'],
      ['c', 'd\\e'],
    ],
  ],
  ['{a="x\\n\\"}"}', [['a', 'x\n"}']]],
  ['a="b"', undefined],
  ['{a=b}', undefined],
  ['{="b"}', undefined],
])('labels %s', (text, expected) => {
  const found = readStreamLabels(text)
  if (expected === undefined) expect(typeof found).toBe('string')
  else expect(found).toEqual(expected)
})

test('lines are refused one by one, with their number', () => {
  const { rows: records, leftOut } = json(
    '{"streams":[{"stream":{"a":"b"},"values":[["1","x"],["soon","y"],["99999999999999999999","z"]]},{"labels":"{","entries":[{"line":"v"}]}]}',
  )
  expect(records).toHaveLength(1)
  expect(leftOut.rejected).toBe(3)
  expect(leftOut.errors).toEqual([
    { line: 2, reason: 'its time is not one in nanoseconds', text: 'y' },
    { line: 3, reason: 'its time is not one in nanoseconds', text: 'z' },
    { line: 4, reason: 'its labels are not in braces', text: 'v' },
  ])
})

describe('what is not a push', () => {
  test.each([
    '[]',
    '{"streams":5}',
    '{"streams":[5]}',
    '{"streams":[{"stream":5}]}',
    '{"streams":[{"stream":{"a":1}}]}',
  ])('%s', (text) => {
    expect(() => json(text)).toThrow(/is not/)
  })
  test.each([[[10, 200, 1, 2]], [[0, 0]], [[10, 2, 18, 5]]])('bytes %j', (bytes) => {
    expect(() => runToEnd(readPushProtobuf(Uint8Array.from(bytes), false))).toThrow()
  })
  test('a line with more metadata than there may be', () => {
    const bytes = new Uint8Array(200_000)
    for (let i = 0; i < bytes.length; i += 2) bytes[i] = 26
    const nested = (content: Uint8Array, tag: number): Uint8Array => {
      const { length } = content
      return Buffer.concat([
        Uint8Array.from([tag, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14]),
        content,
      ])
    }
    const body = nested(nested(bytes, 18), 10)
    let code = ''
    try {
      runToEnd(readPushProtobuf(body, false))
    } catch (error) {
      code = error instanceof SluiceError ? error.code : String(error)
    }
    expect(code).toBe('ingest/too-many-parts-in-one')
  })
})

test('times of another unit are distinguished by their digits', () => {
  const values = ['1714557600123456789', '1714557600123456', '1714557600123', 1714557600, '1000'].map((time) => [
    time,
    '',
  ])
  const { rows: records } = json(JSON.stringify({ streams: [{ stream: {}, values }] }))
  expect(records.map((record) => record.get('_time'))).toMatchObject([
    { ns: 1714557600123456789n },
    { ns: 1714557600123456000n },
    { ns: 1714557600123000000n },
    { ns: 1714557600000000000n },
    { ns: 1000n },
  ])
})
