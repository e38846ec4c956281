import { describe, expect, test } from 'vitest'
import { hover } from '../../src/editor/index.ts'
import { marked, options } from './options.ts'

function hoverAt(query: string): { readonly word: string; readonly text: string } | undefined {
  const { text, offset } = marked(query)
  const found = hover(text, offset, options)
  return found && { word: text.slice(found.span.start, found.span.end), text: found.text }
}

describe('hover', () => {
  test.each([
    ['* | so^rt by (level)', 'sort', 'pipe `sort`'],
    ['* | ^head 5', 'head', 'pipe `limit`'],
    ['* | stats by (level) co^unt() as n', 'count', 'stats function `count`'],
    ['* | math rou^nd(duration_ms) as x', 'round', 'math function `round`'],
    ['level:i^n(error)', 'in', 'filter `in`'],
    ['* | stats count() if (content:se^q(a, b)) as n', 'seq', 'filter `seq`'],
    ['lev^el:error', 'level', 'field `level`'],
    ['* | stats sum(duration_^ms) as s', 'duration_ms', 'field `duration_ms`'],
    ['* | stats count() as n | sort by (^n)', 'n', 'field `n`'],
    ['_m^sg:x', '_msg', 'field `content`'],
  ])('%s', (query, word, title) => {
    const found = hoverAt(query)
    expect(found?.word).toBe(word)
    expect(found?.text).toContain(`**${title}**`)
  })

  test('the form and an example of a pipe', () => {
    expect(hoverAt('* | ^sort by (level)')?.text).toMatch(/sort by \(field \[asc\|desc\][^]*\n\nlevel:error \| sort/)
  })

  test.each(['level:err^or', 'er^ror', '* | stats count() as x | sort by (lev^el)', '^', '( ^)', '"ab^c'])(
    'nothing to say: %s',
    (query) => expect(hoverAt(query)).toBeUndefined(),
  )
})
