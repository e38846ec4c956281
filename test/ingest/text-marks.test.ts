import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Bytes } from '../../src/base/index.ts'
import { textMarks, TextRecords } from '../../src/ingest/text/index.ts'

const context = { nowNs: 1_767_225_600_000_000_000n }
const STAMP = '2026-03-17T10:00:00.5Z stdout F '

const word = fc.oneof(
  fc.constantFrom('order', 'placed', 'é', 'worker-1', 'a', 'I', 'x'.repeat(60), 'payments-api', 'a.b.C', '90%', '2026'),
  fc.constantFrom(
    'error',
    'ERROR',
    'ERR',
    'Info',
    'WRN',
    'fail',
    'FINE',
    'errors',
    'INFORMATION',
    'trce',
    'FTL',
    'alert',
  ),
  fc.constantFrom('Error', 'IOException', 'Caused by', 'at', 'main()', 'panic', 'goroutine', "thread 'a'", 'Traceback'),
  fc.constantFrom('Jan', 'Monday', 'mar', 'May', '2', '12', '10:00:00', '2026-03-17', '2026-03-17T10:00:00Z', 'I0317'),
  fc.constantFrom('a=1', 'b=2', 'level=error', '%LINK-3-UP', 'D/tag(1)', '[10]', '(error)', '{"a":1}', 'Start-Date'),
  fc.constantFrom('PHP Warning', 'Started', 'https', 'node=a', 'type=A', 'Warning', 'Notice', 'GET', 'runtime'),
  fc.string({ maxLength: 8 }),
)
const separator = fc.constantFrom(
  ' ',
  ' ',
  ': ',
  '  ',
  ' - ',
  ', ',
  '\t',
  ' "',
  ':',
  '=',
  ' [',
  '] ',
  '|',
  '\u00a0',
  '/',
)
const lines = fc
  .array(fc.tuple(word, separator), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.flat().join('').replaceAll('\n', ' '))

/** A record to which further lines could be added, and its line. */
const before = ['plain text', 'ERROR: it failed', 'Unhandled exception', '']

describe('lines without marks', () => {
  test.prop([lines, fc.constantFrom(...before)], { numRuns: 500 })('are records of their text alone', (line, open) => {
    const bytes = Bytes.from(line)
    fc.pre(!textMarks().finds(bytes, 0, bytes.length))
    const records = new TextRecords(context)
    if (open !== '') records.push(STAMP + open)
    records.push(STAMP + line)
    records.flush()
    const [last, ...others] = records.take().toReversed()
    expect(others).toHaveLength(open === '' ? 0 : 1)
    const { _time, ...fields } = Object.fromEntries(last ?? [])
    expect(_time).toBeDefined()
    expect(fields).toEqual({ stream: 'stdout', content: line })
  })

  test.each([
    ['order 12 placed for user 7', false],
    ['payments-api: request GET /orders a=1 took 9 ms (retried)', false],
    ['monitoring-api: an error, 90% of 2026', false],
    ['order 12: error', true],
    ['order ERROR', true],
    ['mar 17 10:00:00 order', true],
    ['order=12', true],
    ['  order', true],
    ['order [12]', true],
    ['order\tplaced', true],
  ])('%j has marks: %j', (line, hasMarks) => {
    const bytes = Bytes.from(line)
    expect(textMarks().finds(bytes, 0, bytes.length)).toBe(hasMarks)
  })
})
