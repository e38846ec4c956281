import { describe, expect, test } from 'vitest'
import { codePointAt } from '../../src/base/index.ts'
import { compareText, isWordAt, wordsOf } from '../../src/data/index.ts'

/** Number of calls, more than V8 needs to optimize a function. */
const CALLS = 60_000
/**
 * A string to cut from. V8 represents a substring of at least 13 code units as a view of the whole string's memory,
 * without a copy.
 */
const whole = Buffer.from(`${'x'.repeat(20)}\ud801\udc00${'y'.repeat(20)}`, 'utf16le').toString('utf16le')
/** Returns a substring that ends with a high surrogate; its low surrogate follows in memory. */
const cut = (): string => whole.slice(0, 21)

describe('a code point', () => {
  test('is that of the platform', () => {
    const texts = ['', 'aß日😀', '\ud83d', '\ude00', '\ud83d\ud83d\ude00', 'a\ude00\ud83d']
    for (const text of texts)
      for (let i = -1; i <= text.length; i++) expect(codePointAt(text, i), `${text} at ${i}`).toBe(text.codePointAt(i))
  })

  test('of a slice that ends inside a pair is the half, also in optimized code', () => {
    const text = cut()
    let odd = 0
    for (let i = 0; i < CALLS; i++) if (codePointAt(text, 20) !== 0xd801) odd++
    expect(odd).toBe(0)
  })
})

test.each([
  ['words', (text: string) => wordsOf(text).join() === 'x'.repeat(20)],
  ['word characters', (text: string) => !isWordAt(text, 20)],
  ['the order of texts', (text: string) => compareText(text, `${'x'.repeat(20)}\uffee`) < 0],
])('%s of a slice that ends inside a pair do not see what is behind it', (_, holds) => {
  const text = cut()
  let odd = 0
  for (let i = 0; i < CALLS; i++) if (!holds(text)) odd++
  expect(odd).toBe(0)
})
