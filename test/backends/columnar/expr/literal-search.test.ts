import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { LiteralSearch } from '../../../../src/backends/columnar/expr/literal-search.ts'

/** Letters in both cases, and characters that differ from a letter only in the case bit. */
const near = fc.constantFrom(...'abzABZ@`[{ _1\u007f\u0001!'.split(''))
const text = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: near, maxLength })
const needle = fc.string({ unit: near, minLength: 1, maxLength: 11 })

describe('literal search', () => {
  test.prop([needle, text(8), text(8), fc.boolean()])(
    'finds what is there, and nothing else',
    (wanted, before, after, isFolded) => {
      const bytes = Buffer.from(`${before}${wanted.toUpperCase()}${before}${wanted}${after}`, 'latin1')
      const foldedWanted = isFolded ? wanted.toLowerCase() : wanted
      const haystack = isFolded ? bytes.toString('latin1').toLowerCase() : bytes.toString('latin1')
      const search = new LiteralSearch(foldedWanted, isFolded)
      expect(search.find(bytes, 0, bytes.length)).toBe(haystack.indexOf(foldedWanted))
      for (let at = 0; at + wanted.length <= bytes.length; at++) {
        expect(search.isAt(bytes, at)).toBe(haystack.startsWith(foldedWanted, at))
      }
    },
  )
})
