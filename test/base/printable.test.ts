import { describe, expect, test } from 'vitest'
import { printable, printableLines, renderDiagnostic } from '../../src/base/index.ts'

/** Strings that must not reach a terminal, each with its printable replacement. */
const hostile: readonly (readonly [string, string])[] = [
  ['\0', String.raw`\x00`],
  ['\u0007', String.raw`\x07`],
  ['\u001b', String.raw`\x1b`],
  ['\u007f', String.raw`\u007f`],
  ['\u0080', String.raw`\u0080`],
  ['\u0085', String.raw`\u0085`],
  ['\u009b', String.raw`\u009b`],
  ['\u009f', String.raw`\u009f`],
  ['\u061c', String.raw`\u061c`],
  ['\u200e', String.raw`\u200e`],
  ['\u200f', String.raw`\u200f`],
  ['\u2028', String.raw`\u2028`],
  ['\u202a', String.raw`\u202a`],
  ['\u202e', String.raw`\u202e`],
  ['\u2066', String.raw`\u2066`],
  ['\u2069', String.raw`\u2069`],
  ['\ud800', String.raw`\ud800`],
  ['\udfff', String.raw`\udfff`],
]

describe('printable', () => {
  test.each(hostile)('%j is shown', (character, shown) => {
    expect(printable(`a${character}b`)).toBe(`a${shown}b`)
    expect(printableLines(`a${character}b\n`)).toBe(`a${shown}b\n`)
  })

  test.each(['plain', 'é', '漢字', '👩‍👩‍👧', '\u00a0', '\u200d', '…'])('%j stays', (text) => {
    expect(printable(text)).toBe(text)
    expect(printableLines(text)).toBe(text)
  })

  test('line ends are shown in one line and stay in several', () => {
    expect(printable('a\tb\r\nc\n')).toBe(String.raw`a b\x0d⏎c⏎`)
    expect(printableLines('a\tb\r\nc\n')).toBe('a\tb\r\nc\n')
    expect(printableLines('99 %\r100 %\n')).toBe(`99 %${String.raw`\x0d`}100 %\n`)
  })

  test('JSON that is shown means the same', () => {
    const text = `"${hostile.map(([character]) => (character < ' ' ? '' : character)).join('')}"`
    expect(JSON.parse(printableLines(text))).toBe(JSON.parse(text))
  })

  test('a diagnostic is shown with its carets under the spot', () => {
    const source = 'a:\u001b[2J\u202e x:('
    const start = source.indexOf('\u202e')
    const diagnostic = {
      code: 'x/y',
      severity: 'error',
      message: 'what \u009b2J',
      data: {},
      origin: { kind: 'text', span: { start, end: start + 1 } },
      notes: ['\u001b]0;title\u0007'],
      fixes: [],
    } as const
    expect(renderDiagnostic(diagnostic, source, 'a\u001b.log').split('\n')).toEqual([
      String.raw`error[x/y]: what \u009b2J`,
      String.raw` --> a\x1b.log:1:7`,
      '  |',
      String.raw`1 | a:\x1b[2J\u202e x:(`,
      `  | ${' '.repeat(9)}^^^^^^`,
      String.raw`  note: \x1b]0;title\x07`,
    ])
  })
})
