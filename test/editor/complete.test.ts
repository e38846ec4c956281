import { describe, expect, test } from 'vitest'
import { runningForms, pipeDefinitions, statsForms, parse } from '../../src/lang/log/index.ts'
import { complete, type CompletionItem } from '../../src/editor/index.ts'
import type { KnownFields } from '../../src/plan/index.ts'
import { tableOf } from '../../src/editor/known-fields.ts'
import { marked, options } from './options.ts'

function itemsAt(query: string, kind?: CompletionItem['kind']): readonly CompletionItem[] {
  const { text, offset } = marked(query)
  return complete(text, offset, options).items.filter((item) => kind === undefined || item.kind === kind)
}

const textsAt = (query: string, kind?: CompletionItem['kind']): readonly string[] =>
  itemsAt(query, kind).map(({ insertText }) => insertText)

const fieldNames = tableOf(options)?.schema.fields.map(({ name }) => name) ?? []

describe('what rows have', () => {
  const texts = new Map([
    [
      'zone',
      new Map([
        ['eu', 2],
        ['us', 7],
      ]),
    ],
  ])
  const fields = new Map([
    ['zone', 9],
    ['app_version', 3],
    ['level', 9],
  ])
  const known = (table: string): KnownFields | undefined =>
    table === 'logs'
      ? {
          rows: 9,
          isWhole: true,
          has: (name) => fields.has(name),
          fields: () => fields,
          texts: (name) => texts.get(name),
        }
      : undefined
  const offered = (query: string, kind: CompletionItem['kind']): readonly string[] => {
    const { text, offset } = marked(query)
    const given = { ...options, known }
    return complete(text, offset, given)
      .items.filter((item) => item.kind === kind)
      .map(({ insertText }) => insertText)
  }

  test('fields beyond those that are declared, the most frequent first, as long as rows have any field', () => {
    const names = offered('* | fields ^', 'field')
    expect(names.slice(-2)).toEqual(['zone', 'app_version'])
    expect(names.filter((name) => name === 'level')).toHaveLength(1)
    expect(offered('* | stats by (level) count() n | fields ^', 'field')).toEqual(['level', 'n'])
  })

  test('values of fields of few; values that are given win', () => {
    expect(offered('zone:^', 'value')).toEqual(['us', 'eu'])
    expect(offered('level:^', 'value')).toContain('error')
    expect(offered('app_version:^', 'value')).toEqual([])
  })
})

describe('positions', () => {
  test.each(['^', 'error ^', '* | filter ^', '* | join by (level) (^', '* | stats count() if (^'])(
    'a filter begins: %s',
    (query) => {
      expect(new Set(textsAt(query, 'field'))).toEqual(new Set(fieldNames.map((name) => `${name}:`)))
      expect(textsAt(query, 'filter')).toContain('contains_all(')
      expect(textsAt(query, 'pipe')).toEqual([])
    },
  )

  test('and/or stand behind a filter only', () => {
    expect(textsAt('error ^', 'keyword')).toEqual(expect.arrayContaining(['and', 'or']))
    expect(textsAt('error or ^', 'keyword')).not.toContain('or')
  })

  test('every pipe behind a bar, of both dialects or one', () => {
    expect(textsAt('* | ^')).toEqual(pipeDefinitions.flatMap(({ names }) => names))
    const { items } = complete('* | ', 4, { ...options, dialect: 'logsql' })
    expect(items.map(({ label }) => label)).not.toContain('window')
    expect(textsAt('trace_id:in(error | ^')).toContain('uniq')
  })

  test('functions', () => {
    expect(textsAt('* | stats ^', 'function')).toEqual([...statsForms.keys()].map((name) => `${name}(`))
    expect(textsAt('* | stats by (level) count() a, ^', 'function')).toContain('count_uniq(')
    expect(textsAt('* | running_stats ^', 'function')).toEqual([...runningForms.keys()].map((name) => `${name}(`))
    expect(textsAt('* | math rou^')).toEqual(['round('])
    expect(textsAt('* | window ^', 'function')).toContain('lag(')
  })

  test.each([
    '* | fields ^',
    '* | sort by (^',
    '* | stats by (^',
    '* | stats any(^',
    '* | top 5 by (^',
    '* | delete ^',
  ])('fields of the table: %s', (query) => expect(textsAt(query, 'field')).toEqual(fieldNames))

  test('fields are those behind the stages so far', () => {
    expect(textsAt('* | stats by (level) count() as n | sort by (^', 'field')).toEqual(['level', 'n'])
    expect(textsAt('* | fields pod, level | filter ^', 'field')).toEqual(['pod:', 'level:'])
  })

  test('a list offers no name twice', () => {
    expect(textsAt('* | stats by (level, ^', 'field')).not.toContain('level')
    expect(textsAt('level:in(error, ^')).toEqual(['warn', '"out of order"'])
  })

  test('numbers first where a function needs them', () => {
    const types = itemsAt('* | stats sum(^', 'field').map(({ detail }) => detail)
    const isNumber = types.map((type) => type === 'number' || type === 'integer')
    expect(isNumber[0]).toBe(true)
    expect(isNumber.lastIndexOf(true)).toBeLessThan(isNumber.indexOf(false))
  })

  test('a direction behind a key of sort', () => {
    expect(textsAt('* | sort by (level ^')).toEqual(['asc', 'desc'])
  })

  test('clauses that the function takes', () => {
    expect(textsAt('* | stats values(level) ^', 'keyword')).toContain('limit')
    expect(textsAt('* | stats count() ^', 'keyword')).not.toContain('limit')
    expect(textsAt('* | sort by (level) limit 5 ^', 'keyword')).not.toContain('limit')
    expect(textsAt('* | sort by (level) ^', 'keyword')).toContain('limit')
  })
})

describe('values', () => {
  test.each(['level:^', 'level:!^', 'level:in(^', 'level:(^', 'level:=^', 'level:(warn or ^'])('%s', (query) => {
    expect(textsAt(query, 'value')).toContain('error')
  })

  test('written so that they read back', () => {
    expect(textsAt('level:out^')).toEqual(['"out of order"'])
    const { text, offset } = marked('level:"out^')
    const { span, items } = complete(text, offset, options)
    expect(text.slice(span.start, span.end)).toBe('"out')
    expect(items.map(({ insertText }) => insertText)).toEqual(['"out of order"'])
  })

  test('by type', () => {
    expect(textsAt('duration_ms:^')).toEqual(expect.arrayContaining(['>', '<=', 'range[']))
    expect(textsAt('duration_ms:^')).not.toContain('contains_all(')
    expect(textsAt('level:^')).not.toContain('range[')
    expect(textsAt('_time:^')).toEqual(expect.arrayContaining(['5m', 'day_range[']))
  })

  test('labels of streams and their values', () => {
    expect(textsAt('{^', 'field')).toEqual(tableOf(options)?.streamFields)
    expect(textsAt('{cluster=^', 'value')).toEqual(['eu', 'us'])
    expect(textsAt('{cluster in (eu, ^', 'value')).toEqual(['us'])
  })
})

describe('the text around', () => {
  test('the word around the cursor is replaced', () => {
    const { text, offset } = marked('* | so^rt by (level)')
    expect(complete(text, offset, options).span).toEqual({ start: 4, end: 8 })
  })

  test.each(['error # ^', '"a ^', '* | stats count() as ^', 'x )) ^'])('nothing to offer: %s', (query) => {
    expect(itemsAt(query)).toEqual([])
  })

  test('what is wrong before the stage does not matter', () => {
    expect(textsAt('level= | sorrt | stats ^', 'function')).toContain('count(')
  })

  test('every offer of a pipe, function or field reads on', () => {
    for (const query of ['* | ^', '* | stats ^', '* | fields ^', '^']) {
      const { text, offset } = marked(query)
      const { span, items } = complete(text, offset, options)
      expect(items.length).toBeGreaterThan(5)
      for (const { insertText, kind } of items) {
        const made = text.slice(0, span.start) + insertText
        const codes = parse(made).diagnostics.map(({ code }) => code)
        expect(codes, `${kind} ${made}`).not.toContain('log/unknown-pipe')
        expect(codes, `${kind} ${made}`).not.toContain('log/unknown-function')
      }
    }
  })

  test('any text and offset, in bounded time', () => {
    const texts = [
      '',
      '|||',
      ')))',
      '((((',
      '{{{',
      "'",
      'a:b:c:',
      '* | stats by by by',
      '\ud800',
      `x:in(${'a,'.repeat(5000)}`,
    ]
    for (const text of texts) {
      for (const offset of [-1, 0, 1, text.length, text.length + 5, NaN]) {
        const { span } = complete(text, offset, options)
        expect(span.start).toBeGreaterThanOrEqual(0)
        expect(span.end).toBeLessThanOrEqual(text.length)
      }
    }
  })
})
