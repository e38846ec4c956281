import { describe, expect, test } from 'vitest'
import { applyFix, isError, span } from '../../../../src/base/index.ts'
import { canon, parse } from '../../../../src/lang/log/index.ts'
import { foreignForm, habitTokens, stageHabits } from '../../../../src/lang/log/habits/index.ts'
import { mistakes } from '../mistakes/index.ts'

const isOwn = (text: string): boolean => !parse(text).diagnostics.some(isError)

function canonical(text: string): string {
  return isOwn(text) ? canon(parse(text).ast, 'native') : text
}

/** Applies the first suggestion to a text; returns the text itself if there is none. */
function mended(text: string): string {
  const fix = parse(text).diagnostics.find(({ fixes }) => fixes.length > 0)?.fixes[0]
  return fix === undefined ? text : applyFix(text, fix)
}

describe('habits of other languages', () => {
  test.each(mistakes.filter(({ kind }) => kind !== 'fields' && kind !== 'values'))('$query', ({ query, meant }) => {
    expect(meant.map(canonical)).toContain(canonical(mended(query)))
  })

  test.each(stageHabits.map(({ example: [written, meant] }) => ({ written, meant })))(
    'the stage $written',
    ({ written, meant }) => {
      expect(isOwn(`* | ${meant}`), meant).toBe(true)
      expect(foreignForm(`level:eq(1) | ${written}`, (text) => text === 'level:eq(1)')?.text).toBe(
        `level:eq(1) | ${meant}`,
      )
    },
  )

  test('a query with errors that is of another language has one error, over all of it', () => {
    const text = '  fetch logs | filter level == "error" | summarize count(), by:{workload} '
    const { diagnostics } = parse(text)
    expect(diagnostics).toMatchObject([
      {
        code: 'log/foreign-form',
        severity: 'error',
        message: 'This is DQL.',
        origin: { span: span(2, text.length - 1) },
      },
    ])
  })

  test('one that reads has a warning, and reads on', () => {
    const { ast, diagnostics } = parse('SELECT * FROM logs')
    expect(diagnostics).toMatchObject([
      { severity: 'warning', message: 'This is SQL, and its words are searched for here.' },
    ])
    expect(ast.filter).toBeDefined()
    expect(parse('content contains "pool"').diagnostics[0]?.message).toBe(
      '`contains` is of another query language, and its words are searched for here.',
    )
  })

  test('a pipe in place of the filter is reported as what it is', () => {
    expect(parse('stats count by level').diagnostics).toMatchObject([
      { code: 'log/missing-pipe', severity: 'warning', origin: { span: span(0, 20) } },
    ])
    expect(parse('stats count() by level').diagnostics).toMatchObject([{ code: 'log/missing-pipe', severity: 'error' }])
    expect(parse('* | fields -content').diagnostics[0]?.message).toBe(
      '`-content` is of another query language, and is a name of a field here.',
    )
  })

  test.each([
    'level:error like this',
    'last of all',
    'order of events',
    'the index has a gap',
    '{workload="payments"} timeout',
    'logs',
    'logs | limit 5',
    'select a seat',
    'between us',
    'content:"select * from orders"',
    '"SELECT * FROM logs"',
    'in the last resort',
    'since yesterday',
    'path:"/a/b" https://x',
    'limit exceeded',
    'stats failed',
    'fields missing',
    'sort:failed',
    'top level module',
    'where is it',
    'join and left',
    '"stats count by level"',
  ])('%s is as it should be', (text) => {
    expect(
      parse(text).diagnostics.filter(({ code }) => code === 'log/foreign-form' || code === 'log/missing-pipe'),
    ).toEqual([])
  })

  test('long texts, many stages and deep parentheses are left alone', () => {
    for (const text of [
      `SELECT * FROM logs WHERE ${'a = 1 OR '.repeat(5000)}b = 2`,
      `logs ${'| take 1 '.repeat(200)}`,
      `fetch logs | filter ${'('.repeat(1000)}a == 1${')'.repeat(1000)}`,
      `${'not '.repeat(900)} a == 1 | summarize count()`,
    ])
      expect(parse(text).diagnostics.filter(({ code }) => code === 'log/foreign-form')).toEqual([])
  })

  test('pieces know what they mean and where they stand', () => {
    expect(habitTokens(`a=='b c' "d\\"\\d"`)?.map(({ kind, value, touches }) => [kind, value, touches])).toEqual([
      ['word', 'a', false],
      ['mark', '==', true],
      ['text', 'b c', true],
      ['text', 'd"\\d', false],
    ])
    expect(habitTokens('a "b')).toBeUndefined()
  })
})
