import { expect, test } from 'vitest'
import { formatFloat, parseFloat64 } from '../../../src/functions/go-template/format/float.ts'
import { printf } from '../../../src/functions/go-template/format/printf.ts'
import { formatTime, durationText } from '../../../src/functions/go-template/format/time.ts'
import { GoDuration, GoMap, GoStruct, type GoValue } from '../../../src/functions/go-template/values.ts'

const map = new GoMap(
  [
    ['b', 'y'],
    ['a', 'x'],
  ],
  true,
)
const sample = new GoStruct(
  'template.sample',
  [
    ['Labels', map],
    ['Value', 1.5],
  ],
  { isPointer: true },
)

const cases: readonly (readonly [format: string, args: readonly GoValue[], text: string])[] = [
  // Integers.
  [
    '%d|%5d|%-5d|%05d|%+d|% d|%x|%#x|%X|%o|%#o|%O|%b|%c|%q|%U',
    Array.from({ length: 16 }, () => 42n),
    "42|   42|42   |00042|+42| 42|2a|0x2a|2A|52|052|0o52|101010|*|'*'|U+002A",
  ],
  ['%08b %+.3d %8.3d %#U', [5n, 7n, -7n, 0x1f600n], "00000101 +007     -007 U+1F600 '😀'"],
  ['%-8d|%+05d|%x', [-3n, 3n, -255n], '-3      |+0003|-ff'],
  // Floats.
  [
    '%v %g %e %E %f %.2f %8.3f|%-8.1f|%08.3f %+.1f % .1f %G',
    [1e6, 1e-5, 1234.5678, 0.5, 1.5, 2.345, 3.25125, 2.5, -3.25125, 2.5, 2.5, 1e-10],
    '1e+06 1e-05 1.234568e+03 5.000000E-01 1.500000 2.35    3.251|2.5     |-003.251 +2.5  2.5 1E-10',
  ],
  [
    '%.3g %.10g %#g %#.3g %.0f %.0f %.0f %.3v',
    [1234567.0, 1.5, 1.5, 1, 0.5, 1.5, 2.5, 3.25125],
    '1.23e+06 1.5 1.50000 1.00 0 2 2 3.25',
  ],
  ['%x %X %.2x %b', [1, 3.5, 1.999, 1], '0x1p+00 0X1.CP+01 0x1.00p+01 4503599627370496p-52'],
  ['%f %5.1f|%+v %06v %d', [NaN, Infinity, Infinity, -Infinity, 1.5], 'NaN  +Inf|+Inf   -Inf %!d(float64=1.5)'],
  // Strings.
  [
    '%s|%6s|%-6s|%.2s|%q|%#q|%x|% X|%+q|%v',
    ['ab', 'ab', 'ab', 'äbc', 'a"\n', 'a"', 'ab', 'ab', 'é😀', 'v'],
    'ab|    ab|ab    |äb|"a\\"\\n"|`a"`|6162|61 62|"\\u00e9\\U0001f600"|v',
  ],
  // Other values.
  [
    '%t %v %5t|%T %T %T %T %v',
    [true, false, true, 1n, 1.5, 'a', null, null],
    'true false  true|int float64 string <nil> <nil>',
  ],
  [
    '%v %+v %s %#v',
    [map, sample, map, map],
    'map[a:x b:y] &{Labels:map[a:x b:y] Value:1.5} map[a:x b:y] map[string]string{"a":"x", "b":"y"}',
  ],
  [
    '%v %d %q',
    [
      [sample, sample],
      [1n, 2n],
      ['a', 'b'],
    ],
    '[{map[a:x b:y] 1.5} {map[a:x b:y] 1.5}] [1 2] ["a" "b"]',
  ],
  [
    '%v %s %d',
    [new GoDuration(90_000_000_000n), new GoDuration(1500n), new GoDuration(5n)],
    '1m30s 1.5µs %!d(*time.Duration=5ns)',
  ],
  // Widths and argument indexes.
  ['%*d|%-*d|%.*f|%[2]d %[1]d|%[3]*.[2]*[1]f', [5n, 1n, 4n, 2n, 2n, 1.5], '    1|2   |1.50|1 5|%!f(int=   5)'],
  ['%[2]v %v', ['a', 'b'], 'b %!v(MISSING)'],
  // Errors in formats and arguments.
  ['%d %z %!', ['x', 1n], '%!d(string=x) %!z(int=1) %!!(MISSING)'],
  ['%d', [], '%!d(MISSING)'],
  ['%', [], '%!(NOVERB)'],
  ['%[9]d %[x]d', [1n], '%!d(BADINDEX) %!d(BADINDEX)'],
  ['a', [1n, 'b', null], 'a%!(EXTRA int=1, string=b, <nil>)'],
  ['100%% %d', [1n], '100% 1'],
]

test.each(cases)('printf %j', (format, args, text) => {
  expect(printf(format, args, () => undefined)).toBe(text)
})

test('the shortest digits read back as the same number', () => {
  for (const value of [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 123456, 1e21, 2 ** 53]) {
    expect(Number(formatFloat(value, 'g', -1))).toBe(value)
    expect(parseFloat64(formatFloat(value, 'x', -1))).toBe(value)
  }
  expect(formatFloat(-0, 'g', -1)).toBe('-0')
  expect(formatFloat(0.000001, 'f', 26)).toBe('0.00000099999999999999995475')
  expect(formatFloat(5e-324, 'e', 3)).toBe('4.941e-324')
  expect(formatFloat(9.995, 'f', 2)).toBe('9.99')
  expect(formatFloat(99.5, 'e', 0)).toBe('1e+02')
})

test.each([
  ['2006-01-02T15:04:05.000Z07:00', '2026-01-02T15:04:05.067Z'],
  ['Monday, 02-Jan-06 03:04:05 PM MST', 'Friday, 02-Jan-26 03:04:05 PM UTC'],
  ['_2 Jan 2006, 3:04pm -0700 002 .999', ' 2 Jan 2026, 3:04pm +0000 002 .067'],
])('a time is formatted by the layout %s', (layout, text) => {
  expect(formatTime(1_767_366_245_067_000_000n, layout)).toBe(text)
})

test('durations print like Go', () => {
  const texts = [1n, 1_500n, 250_000_000n, 61_000_000_000n, -5_400_500_000_000n].map((ns) => durationText(ns))
  expect(texts).toEqual(['1ns', '1.5µs', '250ms', '1m1s', '-1h30m0.5s'])
})
