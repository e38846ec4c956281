import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Bytes } from '../../../src/base/index.ts'
import { ByteAutomaton } from '../../../src/store/index.ts'

const place = fc.record({
  chars: fc.constantFrom('a', 'b', 'ab', 'bc', 'abc'),
  repeats: fc.boolean(),
})
const pattern = fc
  .record({ isAtStart: fc.boolean(), first: place, others: fc.array(place, { maxLength: 4 }) })
  .map(({ isAtStart, first, others }) => ({
    isAtStart,
    places: [...others, { ...first, repeats: false }],
  }))
const lines = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 })

describe('an automaton of byte patterns', () => {
  test.prop([fc.array(pattern, { maxLength: 4 }), fc.array(lines, { maxLength: 8 })], { numRuns: 1000 })(
    'finds what regular expressions find, in one line',
    (patterns, texts) => {
      const sets = new Map(
        patterns.flatMap(({ places }) => places.map(({ chars }) => [chars, new Set(Buffer.from(chars))])),
      )
      const automaton = new ByteAutomaton(
        patterns.map(({ isAtStart, places }) => ({
          isAtStart,
          places: places.map(({ chars, repeats }) => ({ bytes: sets.get(chars) ?? new Set(), repeats })),
        })),
      )
      const expressions = patterns.map(
        ({ isAtStart, places }) =>
          new RegExp(
            (isAtStart ? '^' : '') + places.map((each) => `[${each.chars}]${each.repeats ? '*' : ''}`).join(''),
          ),
      )
      for (const text of texts) {
        const bytes = Bytes.from(`${text}\nabcabcabc\n`)
        expect(automaton.finds(bytes, 0, bytes.length)).toBe(expressions.some((each) => each.test(text)))
        expect(automaton.finds(bytes, 0, text.length)).toBe(expressions.some((each) => each.test(text)))
      }
    },
  )
})
