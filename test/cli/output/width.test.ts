import { beforeAll, describe, expect, test } from 'vitest'
import { displayWidth, fitted, loadWidths, padded } from '../../../src/cli/output/width.ts'

beforeAll(loadWidths)

describe('display width', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['👩‍👩‍👧', 2],
    ['ｱ', 1],
  ])('%s', (text, width) => expect(displayWidth(text)).toBe(width))
})

describe('a text in a number of columns', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    // A wide character that does not fit completely is omitted.
    ['日本語', 4, '日…'],
    ['a', 0, '…'],
  ])('%s in %d', (text, columns, shown) => expect(fitted(text, columns)).toBe(shown))

  test('of a long one only the beginning is measured', () => {
    const marks = `a${'\u0301'.repeat(1_000_000)}`
    expect(fitted(marks, 10).length).toBeLessThan(1000)
  })

  test('stands on the left or the right', () => {
    expect(padded('日', 4)).toBe('日  ')
    expect(padded('日', 4, true)).toBe('  日')
  })
})
