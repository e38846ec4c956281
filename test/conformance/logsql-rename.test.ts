import { describe, expect, test } from 'vitest'
import { noRenaming, renamingOf } from './logsql-rename.ts'

const ID = '0123456789ab'

describe('vectors under other names', () => {
  test('fields, values and aliases get others, the language stays', () => {
    const query = String.raw`foo:bar* zed:"a\n5m" | stats by (foo) count() as total`
    const rows = [{ foo: 'barrel 17', zed: '5m', count: 'min' }]
    const { isChanged, text, vector } = renamingOf(ID, 1, query, rows)
    expect(isChanged).toBe(true)
    expect(text(query)).toMatch(/^\w{3}:\w{3}\* \w{3}:"\w\\n5m" \| stats by \(\w{3}\) count\(\) as \w{5}$/)
    expect(text(query)).not.toBe(query)
    expect(vector({ id: ID, q: query, in: rows })).toEqual({
      id: ID,
      q: text(query),
      in: [{ [text('foo')]: text('barrel 17'), [text('zed')]: '5m', count: 'min' }],
    })
    expect(text('barrel').startsWith(text('bar'))).toBe(true)
    expect(text('BAR')).toBe(text('bar').toUpperCase())
  })

  test('words keep their order and length, whatever the seed', () => {
    const words = ['apple', 'apricot', 'bread', 'corn', 'cornflower', 'fig']
    const seen = new Set<string>()
    for (let seed = 1; seed <= 20; seed++) {
      const { text } = renamingOf(ID, seed, words.join(' '), undefined)
      const renamed = words.map(text)
      expect(renamed.toSorted()).toEqual(renamed)
      expect(renamed.map(({ length }) => length)).toEqual(words.map(({ length }) => length))
      seen.add(renamed.join(' '))
    }
    expect(seen.size).toBeGreaterThan(10)
  })

  test('the same seed draws the same names', () => {
    const drawn = (seed: number): string => renamingOf(ID, seed, 'foo:bar baz', undefined).text('foo bar baz')
    expect(drawn(4)).toBe(drawn(4))
    expect(drawn(4)).not.toBe(drawn(5))
  })

  test('where letters are no names nothing changes', () => {
    for (const query of ['* | hash(foo) as h', '* | unpack_syslog from foo', String.raw`foo:"\x41"`])
      expect(renamingOf(ID, 1, query, undefined)).toBe(noRenaming)
  })
})
