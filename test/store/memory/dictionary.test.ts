import { describe, expect, test } from 'vitest'
import { Instant, fold, type Value } from '../../../src/data/index.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'

const texts = ['alpha', 'Alpha', 'ALPHA', 'beta', '', 'Ä', 'ä', '\u{212a}elvin', 'Kelvin', 'kelvin!', 'x'.repeat(500)]
const values: readonly Value[] = [...texts, 1, -2.5, true, false, new Instant(7n), 2n ** 60n]
const many = Array.from({ length: 2000 }, (_, i) => `id-${i}`)

const sorted = (codes: readonly number[]): readonly number[] => codes.toSorted((a, b) => a - b)

/** Returns a dictionary that was restored step by step from the state of another one. */
function restored(): GrowingDictionary {
  const whole = new GrowingDictionary()
  for (const value of [...values, ...many]) whole.entries.intern(value)
  const { size, tags, numbers, offsets } = whole.entries.state()
  const read = new GrowingDictionary()
  for (let from = 1; from < size; from += 700) {
    const to = Math.min(size, from + 700)
    read.entries.restore({
      tags: tags.subarray(from, to),
      numbers: numbers.subarray(from, to),
      bytes: whole.bytes,
      offsets: offsets.subarray(from, to + 1),
    })
  }
  return read
}

const expected = new GrowingDictionary()
for (const value of [...values, ...many]) expected.entries.intern(value)

/** Expects the same lookups as in `expected`. For readers in other threads `sought` must contain only strings. */
function expectAlike(dictionary: GrowingDictionary, sought = values): void {
  for (const value of [...sought, ...many.slice(0, 50)])
    expect(dictionary.entries.codeOf(value)).toBe(expected.entries.codeOf(value))
  for (const text of [...texts, 'ID-7', 'nowhere', 'kelvi', 'beta2'])
    expect(sorted(dictionary.findFolded(fold(text)))).toEqual(sorted(expected.findFolded(fold(text))))
  expect(dictionary.entries.codeOf('nowhere')).toBe(0)
}

describe('a dictionary that was read back', () => {
  test('finds each value by its first search', () => {
    for (const value of values) expect(restored().entries.codeOf(value)).toBe(expected.entries.codeOf(value))
    for (const text of texts)
      expect(sorted(restored().findFolded(fold(text)))).toEqual(sorted(expected.findFolded(fold(text))))
    expect(restored().entries.codeOf('nowhere')).toBe(0)
  })

  test('is indexed when much is looked for, and not before', () => {
    const dictionary = restored()
    expect(dictionary.entries.state().indexed).toBe(1)
    dictionary.findFolded('alpha')
    expect(dictionary.entries.state().indexed).toBe(1)
    expectAlike(dictionary)
    expect(dictionary.entries.state().indexed).toBe(dictionary.size)
  })

  test('is indexed in turns, and all is found between them', () => {
    for (const turns of [1, 2, 5]) {
      const dictionary = restored()
      for (let i = 0; i < turns; i++) dictionary.entries.index(150)
      expect(dictionary.entries.codeOf('id-1999')).toBe(expected.entries.codeOf('id-1999'))
      expect(dictionary.entries.codeOf('alpha')).toBe(expected.entries.codeOf('alpha'))
      expectAlike(dictionary)
    }
  })

  test('gives new values the next codes', () => {
    const dictionary = restored()
    const { size } = dictionary
    expect(dictionary.entries.intern('Ä')).toBe(expected.entries.codeOf('Ä'))
    expect(dictionary.entries.intern('id-1999')).toBe(expected.entries.codeOf('id-1999'))
    expect([dictionary.entries.intern('new'), dictionary.entries.intern(77), dictionary.entries.intern('new')]).toEqual(
      [size, size + 1, size],
    )
    expectAlike(dictionary)
  })

  test('forgets values for ever', () => {
    const dictionary = restored()
    dictionary.entries.forget([dictionary.entries.codeOf('beta')])
    expect(dictionary.entries.codeOf('beta')).toBe(0)
    expect(dictionary.findFolded('beta')).toEqual([])
    expect(dictionary.entries.intern('beta')).toBe(expected.size)
  })

  test('a text that came a moment ago has its code until it is forgotten, and no other text has it', () => {
    const dictionary = new GrowingDictionary()
    const codeOf = (text: string): number =>
      dictionary.entries.internAscii(Buffer.from(`"${text}"`), 1, text.length + 1)
    // These strings agree in length, in their first two bytes, in the middle byte, and in their last two bytes.
    const alike = ['api-1-eu', 'api-1xeu', 'ap2-1-eu', 'ap2-1xeu']
    const more = ['', 'a', 'A', 'ab', 'aB', 'b']
    for (let round = 0; round < 4; round++)
      expect([...alike, ...more].map(codeOf)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1))
    dictionary.entries.forget([codeOf('api-1-eu'), codeOf('')])
    for (let round = 0; round < 2; round++) expect(['', ...alike].map(codeOf)).toEqual([11, 12, 2, 3, 4])
  })
})

describe('a reader in another thread', () => {
  /** A reader must not write to the writer's slots. */
  test.each([0, 300, 4000])('finds all, told when %d codes were indexed', (codes) => {
    const writer = restored()
    if (codes > 0) writer.entries.index(codes)
    const told = writer.entries.state()
    const slots = told.slots.slice()
    const reader = new GrowingDictionary()
    reader.adopt(told)
    expectAlike(reader, texts)
    expect(told.slots).toEqual(slots)
    expectAlike(writer)
    expectAlike(reader, texts)
  })

  test('finds what comes after it has indexed for itself, with and without other slots', () => {
    const writer = restored()
    const before = writer.entries.state()
    const reader = new GrowingDictionary()
    reader.adopt(before)
    expectAlike(reader, texts)
    for (const text of ['new', 'Newer']) writer.entries.intern(text)
    const { size, isAllText, numberCount, indexed, tags, bytes, offsets } = writer.entries.state()
    reader.adopt({ size, isAllText, numberCount, indexed, tags, bytes, offsets })
    expect(reader.findFolded('newer')).toEqual([writer.entries.codeOf('Newer')])
    expect(reader.entries.codeOf('new')).toBe(writer.entries.codeOf('new'))
    expectAlike(reader, texts)
    writer.entries.intern('newest')
    reader.adopt(writer.entries.state())
    expect(reader.entries.codeOf('newest')).toBe(writer.entries.codeOf('newest'))
    expectAlike(reader, texts)
  })
})
