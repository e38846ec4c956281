import { describe, expect, test } from 'vitest'
import { Instant } from '../../src/data/index.ts'
import { emptyReport, readRecords } from '../../src/ingest/index.ts'

const nowNs = 1_767_225_600_000_000_000n

/** Reads a file. Returns content, level and time of each record, and the number of bad lines. */
async function read(text: string) {
  const report = emptyReport()
  const records: unknown[][] = []
  const chunks = (async function* () {
    yield Buffer.from(text)
  })()
  for await (const some of readRecords(chunks, { format: 'auto', nowNs, report }))
    for (const row of some) records.push(['content', 'level', '_time'].map((name) => row.get(name)))
  return { records, badLines: report.badLines }
}

const DIM = '\u001b[2m'
const RED = '\u001b[1;31m'
const OFF = '\u001b[0m'

test('colours of a terminal hide neither time nor level, and are no part of the text', async () => {
  const plain = await read('2026-01-02T03:04:05Z ERROR my_app: no\n2026-01-02T03:04:06Z INFO my_app: yes\n')
  const colored = `${DIM}2026-01-02T03:04:05Z${OFF} ${RED}ERROR${OFF} my_app: no\r\n2026-01-02T03:04:06Z ${RED}INFO${OFF} my_app: yes\n`
  expect(plain.records).toHaveLength(2)
  expect(plain.records.map(([, level]) => level)).toEqual(['error', 'info'])
  expect(await read(colored)).toEqual(plain)
  const logfmt = 'level=error msg="one two"\nlevel=info msg=three\n'
  expect(await read(logfmt.replaceAll('level', `${DIM}level${OFF}`))).toEqual(await read(logfmt))
})

test.each(['level=info msg="the next"', '2026-01-02T03:04:06Z INFO next', '{"level":"info","msg":"next"}'])(
  'a quoted value of logfmt that was cut takes no record along: %s',
  async (next) => {
    const ready = 'level=info msg=ready n=1\n'
    const { records, badLines } = await read(`${ready.repeat(20)}level=error msg="cut\n${next}\n`)
    expect(records).toHaveLength(22)
    expect(records[20]?.slice(0, 2)).toEqual(['level=error msg="cut', 'error'])
    expect(badLines).toBeGreaterThan(0)
  },
)

test('a text with some lines of JSON is read line by line', async () => {
  const lines = ['2026-01-02T03:04:05Z ERROR one', '{"time":"2026-01-02T03:04:06Z","msg":"two"}', 'three', 'four']
  const { records, badLines } = await read(lines.join('\n'))
  expect(badLines).toBe(0)
  expect(records).toHaveLength(4)
})

describe('JSON lines with others among them', () => {
  const first = '{"time":"2026-01-02T03:04:05Z","msg":"one"}'
  const last = '{"time":"2026-01-02T03:04:09Z","msg":"two"}'
  const before = new Instant(1_767_323_045_000_000_000n)

  /**
   * Reads lines placed between two records. Returns the strings and times of all records, and the number of bad lines.
   */
  async function between(...lines: readonly string[]) {
    const { records, badLines } = await read([...Array<string>(9).fill(first), ...lines, last, ''].join('\n'))
    const found = records.slice(9, -1)
    return { texts: found.map(([text]) => text), times: found.map(([, , time]) => time), badLines }
  }

  test.each([
    ['a line that is cut', ['{"msg":"no end'], ['{"msg":"no end'], 1],
    ['a line that is cut in a name', ['{"ms'], ['{"ms'], 1],
    ['text', ['Listening on port 80'], ['Listening on port 80'], 1],
    ['several lines of text', ['one', 'two'], ['one', 'two'], 2],
    ['a list', ['[1,2]'], ['[1,2]'], 1],
    [
      'a panic',
      ['panic: no', '', 'goroutine 1 [running]:', '\t/a.go:1'],
      ['panic: no\n\ngoroutine 1 [running]:\n\t/a.go:1'],
      1,
    ],
    [
      'a failure of Python',
      ['Traceback (most recent call last):', '  File "a.py"', 'ValueError: no'],
      ['Traceback (most recent call last):\n  File "a.py"\nValueError: no'],
      1,
    ],
    ['zero bytes alone', ['\0\0\0'], [], 1],
  ])('%s gets the time of the record before, and is counted', async (_, lines, texts, badLines) => {
    expect(await between(...lines)).toEqual({ texts, times: texts.map(() => before), badLines })
  })

  test.each([
    [
      'two objects in one line',
      '{"msg":"a","n":1}{"msg":"b"}',
      [
        ['a', 1],
        ['b', undefined],
      ],
    ],
    [
      'three objects with commas',
      '{"msg":"a"}, {"msg":"b"},{"msg":"}{"}',
      [
        ['a', undefined],
        ['b', undefined],
        ['}{', undefined],
      ],
    ],
    ['NaN', '{"msg":"NaN","n":NaN}', [['NaN', 'NaN']]],
    ['infinities', '{"msg":"a","n":-Infinity}', [['a', '-Infinity']]],
    ['a tab in a string', '{"msg":"a\tb","n":1}', [['a\tb', 1]]],
    ['a mark of byte order', '\uFEFF{"msg":"a"}', [['a', undefined]]],
    ['a prefix', '2026-01-02T03:04:07Z {"msg":"a"}', [['a', undefined]]],
  ])('%s is read, and is not bad', async (_, line, expected) => {
    const report = emptyReport()
    const found: unknown[][] = []
    const chunks = (async function* () {
      yield Buffer.from(`${first}\n${line}\n${last}\n`)
    })()
    for await (const some of readRecords(chunks, { format: 'auto', nowNs, report }))
      for (const row of some) found.push([row.get('msg'), row.get('n')])
    expect(found.slice(1, -1)).toEqual(expected)
    expect(report.badLines).toBe(0)
  })

  test('named as JSON, a line that is no object is refused', async () => {
    const report = emptyReport()
    const chunks = (async function* () {
      yield Buffer.from(`${first}\nno object\n`)
    })()
    for await (const _ of readRecords(chunks, { format: 'json', nowNs, report }));
    expect([report.records, report.badLines]).toEqual([1, 1])
  })
})
