import { expect, test } from 'vitest'
import { Labels, compareLabels, isBefore } from '../../src/data/index.ts'

test('labels are sorted, the last of a name wins, empty values do not exist', () => {
  const labels = Labels.from([
    ['b', '1'],
    ['a', 'x'],
    ['c', ''],
    ['b', '2'],
  ])
  expect(labels.toPairs()).toEqual([
    ['a', 'x'],
    ['b', '2'],
  ])
  expect(labels.get('c')).toBe('')
  expect(labels.with('a', '').toPairs()).toEqual([['b', '2']])
  expect(labels.with('aa', 'y').toPairs()).toEqual([
    ['a', 'x'],
    ['aa', 'y'],
    ['b', '2'],
  ])
})

test('a change without effect returns the same object', () => {
  const labels = Labels.of({ a: '1', b: '2' })
  expect(labels.with('a', '1')).toBe(labels)
  expect(labels.without(['x'])).toBe(labels)
  expect(labels.keep(['a', 'b', 'c'])).toBe(labels)
})

test('keys distinguish sets even where texts hold the separators', () => {
  const sets = [
    Labels.of({ a: 'b\u0002c\u0001d' }),
    Labels.of({ a: 'b', c: 'd' }),
    Labels.of({ a: 'b\u00002c' }),
    Labels.of({ a: 'b\0' }),
    Labels.of({ a: 'b\u00000' }),
  ]
  expect(new Set(sets.map((labels) => labels.key)).size).toBe(sets.length)
  expect(Labels.of({ a: '1', b: '2' }).keyOf(['b', 'c'])).toBe(Labels.of({ b: '2' }).keyOf(['b', 'c']))
  expect(Labels.of({ a: '1', b: '2' }).keyWithout(['a'])).toBe(Labels.of({ b: '2' }).keyWithout(['a']))
})

test('user-named labels never meet an object prototype', () => {
  const labels = Labels.from([['__proto__', 'x']])
  expect(Object.keys(labels.toRecord())).toEqual(['__proto__'])
  expect(labels.get('constructor')).toBe('')
})

test('order is that of UTF-8 bytes, name then value, a prefix first', () => {
  const records: Record<string, string>[] = [{ b: '1' }, { a: '2' }, {}, { a: '1', b: '1' }, { a: '1' }]
  const sets = records.map((record) => Labels.of(record))
  expect(sets.toSorted(compareLabels).map(String)).toEqual(['{}', '{a="1"}', '{a="1", b="1"}', '{a="2"}', '{b="1"}'])
  // By code units U+FF5E is above all surrogates, by code points below U+1F600. An unpaired surrogate is below both.
  const values = ['\u{1F600}', '\uFF5E', '\ud83d', '\ud83d\uFF5E'].map((a) => Labels.of({ a }))
  expect(values.toSorted(compareLabels).map((labels) => labels.get('a'))).toEqual([
    '\ud83d',
    '\ud83d\uFF5E',
    '\uFF5E',
    '\u{1F600}',
  ])
  expect(Labels.of({ '\u{1F600}': '1', '\uFF5E': '1', '\ud83d': '1' }).names).toEqual(['\ud83d', '\uFF5E', '\u{1F600}'])
  expect(Labels.of({ '\u{1F600}': '1', '\uFF5E': '1' }).with('\ud83d', '1').names[0]).toBe('\ud83d')
})

test('which of two sets comes first is reported again and again, and not of others', () => {
  const a = Labels.of({ a: '1' })
  const b = Labels.of({ a: '2' })
  for (let round = 0; round < 2; round++) {
    expect(isBefore(a, b)).toBe(true)
    expect(isBefore(b, a)).toBe(false)
    expect(isBefore(a, Labels.of({ a: '1', b: '1' }))).toBe(true)
    expect(isBefore(a, Labels.of({ a: '1' }))).toBe(false)
  }
})
