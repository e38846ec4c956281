import { describe, expect, test } from 'vitest'
import { fold, isWordCodePoint, upperCase, wordsOf } from '../../../src/data/index.ts'

describe('fold', () => {
  test.each([
    ['', ''],
    ['Hello, World', 'hello, world'],
    ['ÄÖÜ ẞ', 'äöü ß'],
    ['ПРИВЕТ', 'привет'],
    ['ΣΑΣ', 'σασ'],
    ['İstanbul', 'istanbul'],
    ['ISPARTA ı', 'isparta ı'],
    ['\u212A\u2126', 'kω'],
    ['a\u{10400}Z\u{1F600}', 'a\u{10428}z\u{1F600}'],
    ['\u{1E900}', '\u{1E922}'],
    ['\u13d0', '\uaba0'],
    ['lone \ud801 X', 'lone \ud801 x'],
    ['ǅ Ǆ', 'ǆ ǆ'],
  ])('%j', (text, folded) => {
    expect(fold(text)).toBe(folded)
    expect(Array.from(text, fold).join('')).toBe(folded)
    expect(fold(text)).toHaveLength(text.length)
    expect(fold(folded)).toBe(folded)
  })

  test('no code point becomes two, and words stay words', () => {
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const lower = fold(String.fromCodePoint(code)).codePointAt(0) ?? 0
      if (lower === code) continue
      if (isWordCodePoint(lower) !== isWordCodePoint(code) || lower > 0xffff !== code > 0xffff) {
        expect.fail(`U+${code.toString(16)}`)
      }
    }
    expect(fold('Ⅷ')).toBe('ⅷ')
  })
})

describe('upperCase', () => {
  test.each([
    ['', ''],
    ['Hello, World', 'HELLO, WORLD'],
    ['straße', 'STRAßE'],
    ['ﬁn ŉ ΐ', 'ﬁN ŉ ΐ'],
    ['äöü ÿ', 'ÄÖÜ Ÿ'],
    ['привет', 'ПРИВЕТ'],
    ['σας', 'ΣΑΣ'],
    ['ı ſ', 'I S'],
    ['ᾳ ᾀ', 'ᾼ ᾈ'],
    ['ǆ ǅ', 'Ǆ Ǆ'],
    ['a\u{10428}z\u{1F600}', 'A\u{10400}Z\u{1F600}'],
    ['lone \ud801 x', 'LONE \ud801 X'],
  ])('%j', (text, upper) => {
    expect(upperCase(text)).toBe(upper)
    expect(upperCase(text)).toHaveLength(text.length)
    expect(Array.from(text, upperCase).join('')).toBe(upper)
  })

  test('every code point is that of the runtime where that is one, else it stays or has one that folds to it', () => {
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const char = String.fromCodePoint(code)
      const [known, upper] = [char.toUpperCase(), upperCase(char)]
      const isKnown = Array.from(known).length === 1 ? upper === known : upper === char || fold(upper) === char
      if (!isKnown || upper.length !== char.length) expect.fail(`U+${code.toString(16)}`)
    }
  })
})

describe('words', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['...', []],
    ['foo bar---.!!([baz]!!! %$# TaSte', ['foo', 'bar', 'baz', 'TaSte']],
    ['a_b-c1 _', ['a_b', 'c1', '_']],
    ['теСТ 1234 f12.34', ['теСТ', '1234', 'f12', '34']],
    ['x²y ٣ Ⅷ ①', ['x', 'y', '٣']],
    ['日本語 テキスト', ['日本語', 'テキスト']],
    ['\u{10400}\u{10401}😀z', ['\u{10400}\u{10401}', 'z']],
    ['é e\u0301', ['é', 'e']],
    ['a\ud800b', ['a', 'b']],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})
