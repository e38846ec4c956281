import { describe, expect, test } from 'vitest'
import { semanticTokens } from '../../src/editor/index.ts'

function kindsOf(text: string): readonly string[] {
  return semanticTokens(text).map(({ span, kind }) => `${text.slice(span.start, span.end)} ${kind}`)
}

describe('semantic tokens', () => {
  test('a query of everything', () => {
    expect(kindsOf('level:error or "a b" | stats by (pod) count() as n # x')).toEqual([
      'level property',
      ': operator',
      'error string',
      'or keyword',
      '"a b" string',
      '| operator',
      'stats keyword',
      'by keyword',
      'pod property',
      'count function',
      'as keyword',
      'n property',
      '# x comment',
    ])
  })

  test('filters are filters in pipes too', () => {
    expect(kindsOf('* | filter limit by')).toEqual([
      '* operator',
      '| operator',
      'filter keyword',
      'limit string',
      'by string',
    ])
    expect(kindsOf('x:in(a, 5)').slice(2)).toEqual(['in function', 'a string', '5 number'])
  })

  test('in order, not overlapping, inside the text; for any text', () => {
    for (const text of [
      '',
      '"',
      '|||',
      'a:b:c | | stats by (by) by(',
      '\ud800 ´',
      '* | sort by (a desc) limit 5 rank as r',
    ]) {
      let end = 0
      for (const { span } of semanticTokens(text)) {
        expect(span.start).toBeGreaterThanOrEqual(end)
        expect(span.end).toBeGreaterThan(span.start)
        end = span.end
      }
      expect(end).toBeLessThanOrEqual(text.length)
    }
  })
})
