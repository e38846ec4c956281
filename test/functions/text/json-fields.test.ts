import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemberNames, flattenJson } from '../../../src/functions/index.ts'

const key = fc.constantFrom('', 'a', 'b', 'a.b', '.', '__proto__')
const { document } = fc.letrec<{ document: string; member: string }>((tie) => ({
  document: fc
    .array(fc.tuple(key, tie('member')), { maxLength: 3 })
    .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  member: fc.oneof({ maxDepth: 3 }, fc.constantFrom('1', '"x"', 'null', '[{"a":1}]', 'NaN'), tie('document')),
}))
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => keys.join('.'))

test('the members of some names are those of all members that have one of the names', () => {
  fc.assert(
    fc.property(document, fc.array(path, { maxLength: 4 }), fc.array(path, { maxLength: 1 }), (text, some, kept) => {
      const all = flattenJson(text, 'p.', kept)?.filter(([name]) => some.includes(name.slice(2)))
      expect(flattenJson(text, 'p.', kept, new MemberNames(some))).toEqual(all)
    }),
    { numRuns: 3_000 },
  )
})
