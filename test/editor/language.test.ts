import { describe, expect, test } from 'vitest'
import { createLanguage } from '../../src/editor/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { definePipe } from '../../src/lang/log/index.ts'

const language = createLanguage()

describe('the language without an engine', () => {
  test.each([
    'level:error | limit 5',
    'level:(',
    '* | limit 5 | fields nope*',
    '_time:90d error',
    '* | stats cnt() as n',
  ])('says of %s what an engine says', (text) => {
    const options = { nowNs: 1_770_000_000_000_000_000n }
    expect(language.check(text, options)).toEqual(createEngine().check(text, options))
  })

  test('completes, explains and colours', () => {
    expect(language.complete('level:error | lim', 17).items.map(({ label }) => label)).toContain('limit')
    expect(language.hover('level:error | limit 5', 15)?.text).toContain('limit')
    expect(language.tokens('level:error | limit 5').map(({ kind }) => kind)).toContain('keyword')
  })

  test('with a pipe of its own', () => {
    const slowest = definePipe({
      name: 'slowest',
      arguments: [{ name: 'n', type: 'number' }],
      expand: ({ n }) => `sort by (duration_ms desc) | limit ${n}`,
      doc: { summary: 'The n slowest rows.' },
    })
    const ours = createLanguage({ extend: { pipes: [slowest] } })
    const text = '* | slowest 1'
    expect(ours.complete(text, 7).items.map(({ label }) => label)).toContain('slowest')
    expect(ours.hover(text, 6)?.text).toContain('The n slowest rows.')
    expect(ours.tokens(text).at(2)?.kind).toBe('keyword')
    expect(language.tokens(text).at(2)?.kind).not.toBe('keyword')
  })

  test('with tables of its own', () => {
    const catalog = { ...language.catalog, tables: new Map(language.catalog.tables), defaultTable: 'spans' }
    const spans = createLanguage({ catalog })
    const labels = (made: typeof spans): readonly string[] =>
      made.complete('* | fields ', 11).items.map(({ label }) => label)
    expect(labels(spans)).not.toEqual(labels(language))
  })
})
