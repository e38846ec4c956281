import { describe, expect, test } from 'vitest'
import { foldNumbers, matchesPattern } from '../../../src/backends/rows/number-runs.ts'
import { seededRandom } from '../../../src/base/index.ts'
import {
  collapseNumbers,
  collapseNumbersPretty,
  compareFolded,
  compareText,
  compileTest,
  encodeText,
  foldNumbers as foldBytes,
} from '../../../src/data/index.ts'

function matches(text: string, pattern: string, mode = 'any'): boolean {
  return compileTest({ kind: 'named', name: 'pattern-match', args: [pattern, mode] })(text)
}

describe('collapseNumbers', () => {
  test.each([
    ['', ''],
    ['abc', 'abc'],
    ['a1 b2c 3d', 'a1 b2c 3d'],
    ['1h5m took 3.5s', '<N>h<N>m took <N>.<N>s'],
    ['(2) -5', '(<N>) -<N>'],
    ['2026-01-02T03:04:05Z', '<N>-<N>-<N>T<N>:<N>:<N>Z'],
    // Letters and `_` that may be adjacent to a number, and letters that may not.
    ['v1.2.3 v2.0', 'v<N>.<N>.<N> v<N>.<N>'],
    ['3TB 5GB 7MB', '<N>TB 5GB 7MB'],
    ['1_000 _1 1_ _1_', '<N>_<N> _<N> <N>_ _<N>_'],
    ['foo123_456_789', 'foo123_<N>_<N>'],
    ['temp_23_1758000000_98_ abc', 'temp_<N>_<N>_<N>_ abc'],
    ['a.1Zfoo.2Tbar:34', 'a.<N>Zfoo.<N>Tbar:<N>'],
    ['12x 12h 12hx 12nsx', '12x <N>h <N>hx <N>nsx'],
    ['line2 k42z foo1', 'line2 k42z foo1'],
    ['T1 X1 x1 v1 s1 h1 m1', 'T<N> X<N> x<N> v<N> s<N> h<N> m<N>'],
    ['Z1 u1 n1 t1 S1 H1 M1 V1', 'Z1 u1 n1 t1 S1 H1 M1 V1'],
    ['1T 1Z 1s 1m 1h 1u 1n', '<N>T <N>Z <N>s <N>m <N>h <N>u <N>n'],
    ['1x 1X 1v 1t 1z 1S 1M 1H 1U 1N', '1x 1X 1v 1t 1z 1S 1M 1H 1U 1N'],
    // Non-ASCII letters may not be adjacent to a number.
    ['ж1 1ж -5', 'ж<N> <N>ж -<N>'],
    ['ЙЦ123ук', 'ЙЦ<N>ук'],
    ['43μs 43µs', '<N>μs <N>µs'],
    ['１２３ ٣', '１２３ ٣'],
    ['😀1😀', '😀<N>😀'],
    // Runs of hexadecimal digits count as numbers if their length is even and at least four.
    ['ab abc abcd abcde abcdef', 'ab abc <N> abcde <N>'],
    ['a1 a1b a1b2 a1b2c a1b2c3', 'a1 a1b <N> a1b2c <N>'],
    ['deadbeef cafe beef1 BEEF', '<N> <N> beef1 <N>'],
    ['1 12 123 1234 12345', '<N> <N> <N> <N> <N>'],
    ['0x1F 0x1F2 0x1F2a 0xZZ x0x1', '0x1F 0x1F2 0x<N> 0xZZ x0x<N>'],
    ['0x1 0X12 0x 0X', '0x<N> 0X<N> 0x 0X'],
    ['vaccaba hfaded headed shed', 'v<N> hfaded headed shed'],
    ['gabcd 12g 12abg abcd_', 'gabcd 12g 12abg <N>_'],
    // Escape sequences of terminal colours.
    ['\u001b[31mred\u001b[0m', '\u001b[<N>mred\u001b[<N>m'],
    ['\u001b[1;31mERROR\u001b[0;39m42', '\u001b[<N>;<N>mERROR\u001b[<N>;<N>m<N>'],
  ])('%j', (text, collapsed) => {
    expect(collapseNumbers(text)).toBe(collapsed)
    expect(foldNumbers(text, false)).toBe(collapsed)
  })

  test.each([
    ['10.1.2.3:80', '<IP4>:<N>'],
    ['at 2026-01-02 03:04:05.678+01:00 by 2edfed59-3e98-4073-bbb2-28d321ca71a7', 'at <DATETIME> by <UUID>'],
    ['2026/01/02 or 03:04:05,6', '<DATE> or <TIME>'],
    ['1.2.3', '<N>.<N>.<N>'],
    ['v1.2.3.4 1.2.3.4.5', 'v<IP4> <IP4>.<N>'],
    ['<N>-2-<N> <UUID> <N <DATE>T<TIME>Z at <TIME>', '<DATE> <UUID> <N <DATETIME> at <TIME>'],
    [`${'word '.repeat(9_000)}1.2.3.4`, `${'word '.repeat(9_000)}<IP4>`],
    // Dates with `-` are replaced before those with `/`.
    ['1/2/3-4-5', '<N>/<N>/<DATE>'],
    ['1-2-3/4/5', '<DATE>/<N>/<N>'],
    ['1-2-3-4-5-6-7-8', '<UUID>-<DATE>'],
    ['1:2:3.4.5.6', '<N>:<N>:<IP4>'],
    ['1-2-3T4:5:6Z 1-2-3 4:5:6,7-8:9', '<DATETIME> <DATETIME>'],
  ])('pretty %j', (text, collapsed) => {
    expect(collapseNumbersPretty(text)).toBe(collapsed)
    expect(foldNumbers(text, true)).toBe(collapsed)
  })
})

/** Characters that can border a number or form part of one. */
const CHARACTERS = Array.from('0019aAfFgTXxvshmZun_.-:/, [;ж𐐁"\'`\\\ud83d')
const PATTERNS = [
  '<N>',
  '<N>.<N>',
  'v<N>',
  'f<N>',
  'g<IP4>',
  'u<DATETIME>',
  'x<N>_',
  '<UUID>',
  '<IP4>',
  '<TIME>',
  '<DATE>',
  '<DATETIME>',
  '<W>',
  '<W>-<N>',
]
const MODES = ['any', 'full', 'prefix', 'suffix']

describe('numbers, in the backends and in the model', () => {
  test('all pairs of characters around one, two, three and four digits', () => {
    for (const before of ['', ...CHARACTERS]) {
      for (const after of ['', ...CHARACTERS]) {
        for (const run of ['1', '1f', '123', '12f', 'face', '12345', '1234f']) {
          const text = before + run + after
          const folded = foldNumbers(text, false)
          expect(collapseNumbers(text), text).toBe(folded)
          // A pattern matches exactly the strings that folding replaces.
          expect(matches(text, '<N>'), text).toBe(folded.includes('<N>'))
          expect(matches(text, '<N>', 'full'), text).toBe(folded === '<N>')
          expect(matches(text, '<N>', 'prefix'), text).toBe(folded.startsWith('<N>'))
          expect(matches(text, '<N>', 'suffix'), text).toBe(folded.endsWith('<N>'))
          // After literal text, the number begins where that text ends.
          const behind = foldNumbers(run + after, false).startsWith('<N>')
          expect(matches(text, `${before}<N>`, 'prefix'), text).toBe(behind)
        }
      }
    }
  })

  test('random texts and patterns', () => {
    const random = seededRandom(38)
    const parts = [
      ...CHARACTERS,
      '<N>',
      '<DATE>',
      '1-2-3',
      '4:5:6',
      '1.2.3.4',
      '10/20/30',
      'T',
      'Z',
      '+01:00',
      '1-2-3-4-5',
      '"a 1"',
    ]
    for (let i = 0; i < 4_000; i++) {
      const text = Array.from({ length: 1 + random.below(9) }, () => random.pick(parts)).join('')
      expect(collapseNumbers(text), text).toBe(foldNumbers(text, false))
      expect(collapseNumbersPretty(text), text).toBe(foldNumbers(text, true))
      expect(collapseNumbersPretty(` of ${text} words ${text}`)).toBe(foldNumbers(` of ${text} words ${text}`, true))
      const pattern = (random.next() < 0.3 ? random.pick(CHARACTERS) : '') + random.pick(PATTERNS)
      const mode = random.pick(MODES)
      expect(matches(text, pattern, mode), `${text} ${pattern} ${mode}`).toBe(matchesPattern(text, pattern, mode))
    }
  })

  test('folded strings are in the order of their texts', () => {
    const random = seededRandom(39)
    const parts = ['a', 'b1', '12', '<', '<N>', '<DATE>', '1-2-3', '1.2.3.4', ' ', '-', 'ж', '\ud83d', '\uffff', '😀']
    const drawn = (): string => Array.from({ length: random.below(5) }, () => random.pick(parts)).join(' ')
    for (let i = 0; i < 4_000; i++) {
      const texts = [drawn(), drawn()]
      const [a = [], b = []] = texts.map((text) => {
        const encoded = encodeText(text)
        const { bytes, length } = foldBytes(encoded, 0, encoded.length, true)
        return [...bytes.subarray(0, length)]
      })
      const order = compareFolded(Uint8Array.of(...a, ...b), 0, a.length, a.length, a.length + b.length)
      const [left = '', right = ''] = texts.map((text) => foldNumbers(text, true))
      expect(Math.sign(order), texts.join(' | ')).toBe(compareText(left, right))
    }
  })
})
