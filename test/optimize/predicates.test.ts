import { describe, expect, test } from 'vitest'
import { compileTest, Instant, toText, type Value, type ValueTestOf } from '../../src/data/index.ts'
import { commonRange, commonValues, isEmptyRange, listTest, rejectsMissing } from '../../src/optimize/predicates.ts'

type RangeTest = ValueTestOf<'range'>
type ListTest = ValueTestOf<'in'>

function range(text: string): RangeTest {
  const [min = NaN, max = NaN] = text.slice(1, -1).split(',').map(Number)
  return { kind: 'range', min, max, isMinIncluded: text.startsWith('['), isMaxIncluded: text.endsWith(']') }
}
const list = (values: readonly Value[], isFolded = false, isTyped = true): ListTest => ({
  kind: 'in',
  values,
  isFolded,
  isTyped,
})

const ranges = ['1,5', '1,7', '2,5', '3,3', '5,9', '-4,1'].flatMap((pair) =>
  ['[', '('].flatMap((left) => [']', ')'].map((right) => range(left + pair + right))),
)
const numbers = [-5, -4, -3.5, 0.5, 1, 1.5, 2, 3, 4.5, 5, 5.5, 7, 8, 9, 9.5]

describe('two ranges', () => {
  test('have in common what is in both, at each bound too', () => {
    for (const a of ranges) {
      for (const b of ranges) {
        const both = compileTest(commonRange(a, b))
        for (const number of numbers) {
          expect(both(number), JSON.stringify([a, b, number])).toBe(compileTest(a)(number) && compileTest(b)(number))
        }
      }
    }
  })
  test.each([
    ['[1,5]', '(1,5)', '(1,5)'],
    ['(1,5]', '[1,5)', '(1,5)'],
    ['[1,5]', '[1,5]', '[1,5]'],
    ['[1,5]', '(2,4)', '(2,4)'],
    ['(2,4)', '[1,5]', '(2,4)'],
    ['[1,4)', '(2,5]', '(2,4)'],
    ['[2,Infinity]', '[-Infinity,3)', '[2,3)'],
  ])('%s and %s: %s', (a, b, both) => {
    expect(commonRange(range(a), range(b))).toEqual(range(both))
  })
  test('compare integers beyond 2^53 exactly', () => {
    const a = { ...range('[0,0]'), max: 2n ** 53n + 1n }
    const b = { ...range('[0,0)'), max: 2 ** 53 }
    expect(commonRange(a, b)).toMatchObject({ max: 2 ** 53, isMaxIncluded: false })
  })
  test.each([
    ['[3,3]', false],
    ['[3,3)', true],
    ['(3,3]', true],
    ['(3,3)', true],
    ['(3,4)', false],
    ['[4,3]', true],
    ['[NaN,3]', true],
    ['[3,NaN]', true],
    ['[-Infinity,Infinity]', false],
  ])('%s is empty: %s', (text, isEmpty) => {
    expect(isEmptyRange(range(text))).toBe(isEmpty)
  })
})

describe('two lists', () => {
  const probes: readonly Value[] = ['a', 'A', 'b', '5', '5.0', 5, 6, '', null, true, 'true', new Instant(0n)]
  const lists = [
    ['a'],
    ['A', 'b'],
    ['5'],
    ['5.0', 'a'],
    [5, '6'],
    ['', 'a'],
    ['5', '5.0'],
    ['1970-01-01T00:00:00Z'],
    ['1970-01-01T01:00:00+01:00', 'true'],
    [],
  ]
  test('have in common what both hold, or it is left open', () => {
    let open = 0
    for (const isFolded of [false, true]) {
      for (const isTyped of [false, true]) {
        for (const left of lists) {
          for (const right of lists) {
            const [a, b] = [list(left, isFolded, isTyped), list(right, isFolded, isTyped)]
            const common = commonValues(a, b)
            if (common === undefined) {
              open++
              continue
            }
            const both = compileTest(list(common, isFolded, isTyped))
            for (const probe of probes) {
              expect(both(probe), JSON.stringify([left, right, toText(probe), isFolded, isTyped])).toBe(
                compileTest(a)(probe) && compileTest(b)(probe),
              )
            }
          }
        }
      }
    }
    expect(open).toBeGreaterThan(0)
  })
  test('which spelling of one number both hold is left open, other values are not', () => {
    expect(commonValues(list(['5']), list(['5.0']))).toBeUndefined()
    expect(commonValues(list(['5'], false, false), list(['5.0'], false, false))).toEqual([])
    expect(commonValues(list(['5', 'x']), list(['5', 'y']))).toEqual(['5'])
    expect(commonValues(list(['5']), list(['5', '5.0']))).toBeUndefined()
    expect(commonValues(list(['a', 'B'], true), list(['b'], true))).toEqual(['B'])
    expect(commonValues(list(['a', 'B']), list(['b']))).toEqual([])
  })
})

describe('a list', () => {
  test('is as simple as it can be', () => {
    expect(listTest([], list([]))).toBeUndefined()
    expect(listTest(['x', 'x'], list([]))).toEqual({ kind: 'equals', value: 'x', isFolded: false, isTyped: true })
    expect(listTest(['', null], list([]))).toMatchObject({ kind: 'in', values: ['', null] })
    expect(listTest([''], list([]))).toEqual({ kind: 'empty' })
    expect(listTest(['x', 'y', 'x'], list([]))).toMatchObject({ kind: 'in', values: ['x', 'y'] })
    expect(listTest([1, '1'], list([]))).toMatchObject({ kind: 'in', values: [1, '1'] })
  })
  test('rejects what is missing unless it has it', () => {
    expect(rejectsMissing(list(['x']))).toBe(true)
    expect(rejectsMissing(list(['x', '']))).toBe(false)
    expect(rejectsMissing({ kind: 'empty' })).toBe(false)
  })
})
