import { describe, expect, test } from 'vitest'
import { toText } from '../../src/data/index.ts'
import { MAX_RECORD_CHARS, MAX_RECORD_LINES, plainText, TextRecords } from '../../src/ingest/index.ts'
import { isBadLine } from '../../src/ingest/index.ts'

const nowNs = 1_767_225_600_000_000_000n

function texts(lines: readonly string[], multiline?: boolean): readonly unknown[] {
  const records = new TextRecords({ nowNs, multiline })
  for (const line of lines) records.push(line)
  records.flush()
  return records.take().map((row) => row.get('content'))
}

describe('lines of one record', () => {
  test('are joined however they come, and given once', () => {
    const records = new TextRecords({ nowNs })
    records.push('2025-11-30T10:11:12Z ERROR failed')
    expect(records.take()).toEqual([])
    records.push('\tat a.b(c)')
    records.flush()
    expect(records.take().map((row) => row.get('content'))).toEqual(['2025-11-30T10:11:12Z ERROR failed\n\tat a.b(c)'])
    expect(records.isOpen).toBe(false)
    records.flush()
    expect(records.take()).toEqual([])
  })

  test('stay apart when that is asked for', () => {
    const lines = ['2025-11-30T10:11:12Z ERROR failed', '\tat a.b(c)', 'and more']
    expect(texts(lines, false)).toEqual(lines)
  })

  test('lines without a time are records of their own where none has one', () => {
    expect(texts(['one', 'two', '  indented'])).toEqual(['one', 'two\n  indented'])
  })

  test('blank lines belong to a record only if more of it follows', () => {
    expect(texts(['2025-11-30T10:11:12Z one', '', '  two', '', '', '2025-11-30T10:11:13Z three'])).toEqual([
      '2025-11-30T10:11:12Z one\n\n  two',
      '2025-11-30T10:11:13Z three',
    ])
  })

  test('are at most so many, and the rest is a record of the same time and level', () => {
    const records = new TextRecords({ nowNs })
    records.push('2025-11-30T10:11:12Z ERROR failed')
    for (let i = 0; i < MAX_RECORD_LINES + 10; i++) records.push(`  at ${i}`)
    records.flush()
    const rows = records.take()
    expect(rows.map((row) => toText(row.get('content') ?? null).split('\n').length)).toEqual([MAX_RECORD_LINES, 11])
    expect(rows.map((row) => row.get('level'))).toEqual(['error', 'error'])
    expect(rows[1]?.get('_time')).toEqual(rows[0]?.get('_time'))
  })

  test('have at most so many characters', () => {
    const line = `  ${'x'.repeat(99_998)}`
    const found = texts(['2025-11-30T10:11:12Z a', ...Array.from({ length: 10 }, () => line)]).map(
      (text) => String(text).length,
    )
    expect(Math.max(...found)).toBeLessThan(MAX_RECORD_CHARS + 100_002)
    expect(found.length).toBeGreaterThan(2)
  })

  test('parts of a container that never end are given in pieces', () => {
    const part = `2025-11-30T10:11:12Z stdout P ${'x'.repeat(100_000)}`
    const found = texts(Array.from({ length: 10 }, () => part))
    expect(found.map((text) => String(text).length).reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(1_000_000)
    expect(Math.max(...found.map((text) => String(text).length))).toBeLessThan(MAX_RECORD_CHARS + 200_000)
  })
})

describe('hostile lines', () => {
  const starts = [
    '',
    '[',
    '<34>',
    '<165>1 2025-11-30T10:11:12Z a b c d [x y="',
    '192.0.2.7 - - [30/Nov/2025:10:11:12 +0000] "',
    '2025-11-30 10:11:12.345 UTC,"',
    '2025-11-30 10:11:12.345 UTC [1] ',
    '2025/11/30 10:11:12 [error] 1#1: ',
    '[Sun Nov 30 10:11:12 2025] [error] [client ',
    '[2025-11-30T10:11:12.345Z] "GET ',
    'https 2025-11-30T10:11:12.345678Z a b c 0 0 0 200 200 0 0 "',
    'Nov 30 10:11:12 lb haproxy[1]: 1.2.3.4:5 [30/Nov/2025:10:11:12.345] a b/c 1/2/3/4/5 ',
    'Started GET "',
    '# User@Host: ',
    '#Fields: ',
    'panic: ',
    '{"log":"',
    '{"',
    'a="',
  ]
  const fills = ['"', '\\', ' ', '[', ']', '"" ', ', client: "', 'a=', '\0', '\uFFFD', '1', ':', '=" ', '\t', '/', '-']
  const LENGTH = 100_000

  test.each(starts)('of 100,000 characters behind %j become records', (start) => {
    for (const fill of fills) {
      const line = start + fill.repeat(Math.ceil(LENGTH / fill.length))
      expect(texts([line, `  ${line}`]).length).toBeGreaterThanOrEqual(0)
      expect(isBadLine(plainText({ nowNs }).decode(line))).toBe(false)
    }
  })
})
