import { expect, test } from 'vitest'
import { LookUpFilter, NOT_THERE, translationOf } from '../../../src/backends/columnar/join/translation.ts'
import { GrowingDictionary } from '../../../src/store/memory/dictionary.ts'

/** So many look-ups are filtered. */
const COUNT = 70_000

function dictionaryOf(count: number, textOf: (i: number) => string): GrowingDictionary {
  const dictionary = new GrowingDictionary()
  for (let i = 0; i < count; i++) dictionary.intern(textOf(i))
  return dictionary
}

function codesUpTo(size: number): Uint32Array {
  return Uint32Array.from({ length: size - 1 }, (_, i) => i + 1)
}

test('entries are found through a filter as without one, and those that come while others are looked up', () => {
  const from = dictionaryOf(COUNT, (i) => `id-${i}`)
  const to = dictionaryOf(COUNT / 2, (i) => `id-${i * 3}`)
  const filter = new LookUpFilter(to, COUNT)
  expect(filter.bits?.length).toBeGreaterThan(0)
  const translation = translationOf(to, from)
  const all = codesUpTo(from.size)
  translation.lookUp(from, all.subarray(0, COUNT / 2), filter)
  to.intern('id-50000')
  to.intern('id-1')
  expect(filter.bits).toBeUndefined()
  translation.lookUp(from, all.subarray(COUNT / 2), filter)
  // What was not there is asked for again.
  translation.lookUp(from, all, filter)
  const expected = Array.from(all, (code) => to.codeOfEntry(from, code) || NOT_THERE)
  expect([...translation.codes.subarray(1)]).toEqual(expected)
  expect(expected.filter((code) => code !== NOT_THERE)).toHaveLength(Math.ceil(COUNT / 3) + 2)
})

test('few entries, and few of a large dictionary, are looked up without a filter', () => {
  const large = dictionaryOf(300_000, (i) => `id-${i}`)
  expect(new LookUpFilter(large, COUNT).bits).toBeUndefined()
  expect(new LookUpFilter(dictionaryOf(10, String), 10).bits).toBeUndefined()
})
