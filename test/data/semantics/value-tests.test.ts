import { describe, expect, test } from 'vitest'
import {
  compileTest,
  compileTextTest,
  fold,
  Instant,
  JsonText,
  toText,
  wordNeeds,
  wordsOf,
  type Value,
  type ValueTest,
} from '../../../src/data/index.ts'

const phrase = (text: string, isFolded = false): ValueTest => ({ kind: 'phrase', text, isFolded })
const prefix = (text: string, isFolded = false): ValueTest => ({ kind: 'phrase-prefix', text, isFolded })
const starts = (text: string, isFolded = false): ValueTest => ({ kind: 'starts-with', text, isFolded })
const contains = (text: string, isFolded = false): ValueTest => ({ kind: 'contains', text, isFolded })
const glob = (...parts: string[]): ValueTest => ({ kind: 'glob', parts, isFolded: true })
const equals = (value: Value, isFolded = true, isTyped = true): ValueTest => ({
  kind: 'equals',
  value,
  isFolded,
  isTyped,
})
const oneOf = (values: Value[], isFolded = true, isTyped = true): ValueTest => ({
  kind: 'in',
  values,
  isFolded,
  isTyped,
})
const range = (min: number, max: number, isMinIncluded = true, isMaxIncluded = true): ValueTest => ({
  kind: 'range',
  min,
  max,
  isMinIncluded,
  isMaxIncluded,
})
const named = (name: string, ...args: Value[]): ValueTest => ({ kind: 'named', name, args })
const time = new Instant(1_767_323_045_000_000_000n)

const matching = (mode: string, pattern: string): ValueTest => named('pattern-match', pattern, mode)

/** Each row: a test, values that pass it, values that do not. */
const table: readonly (readonly [ValueTest, readonly Value[], readonly Value[]])[] = [
  [{ kind: 'empty' }, [null, ''], [' ', 0, false, new JsonText('[]')]],
  [equals('error'), ['error', 'ERROR', 'ErRoR'], ['errors', 'an error', null, '']],
  [equals('error', false), ['error'], ['Error', ' error']],
  [equals(''), [null, ''], ['x', 0]],
  [equals('1.50'), [1.5, '1.50'], ['1.5', 1.51, null]],
  [equals('1e3'), [1000, '1E3'], ['1000']],
  [equals('1.5', true, false), [1.5, '1.5'], ['1.50', 1.51]],
  [equals('1.50', true, false), ['1.50'], [1.5]],
  [equals('TRUE'), [true, 'true'], [false]],
  [equals(5), [5, '5'], ['5.0', '05', 5.5]],
  [equals(9007199254740993n), [9007199254740993n, '9007199254740993'], [9007199254740992, '9007199254740992']],
  [equals('2026-01-02T03:04:05Z'), [time, '2026-01-02T03:04:05Z'], ['2026-01-02T03:04:05.000Z']],
  [equals('2026-01-02T04:04:05+01:00'), [time], ['2026-01-02T03:04:05Z']],
  [equals('[1,2]'), [new JsonText('[1,2]'), '[1,2]'], ['[1, 2]']],
  [equals('ÄRGER'), ['ärger', 'Ärger'], ['arger']],
  [oneOf([]), [], [null, '', 'a', 0]],
  [oneOf(['a', '', '5.0']), ['A', null, '', 5, '5.0'], ['b', '5']],
  [oneOf(['a', 'B'], false), ['a', 'B'], ['A', 'b']],
  [oneOf(['5.0'], true, false), ['5.0'], [5]],
  [oneOf([2 ** 60, 'x']), [2 ** 60, 2n ** 60n], [2n ** 60n + 1n]],
  [oneOf([2n ** 60n, 'x']), [2 ** 60, 2n ** 60n], [2n ** 60n - 1n]],
  [oneOf(['-9223372036854775808.0', 'x']), [-(2n ** 63n), -(2 ** 63)], [-(2n ** 63n) + 1n]],
  [phrase('error'), ['error', 'an error.', 'x-error-y', '(error)'], ['errors', 'Error', 'terror', 'err_error', null]],
  [phrase('error', true), ['ERROR', 'An Error!'], ['Errors', null]],
  [phrase(''), [null, ''], ['x']],
  [phrase('ssh: login'), ['ssh: login', 'the ssh: login fail'], ['ssh:login', 'xssh: login', 'ssh: logins']],
  [phrase('.a'), ['x.a', '.a', 'b .a c'], ['.ab', 'a']],
  [phrase('a.'), ['a.b', 'a.', 'x a.'], ['ba.']],
  [phrase('aa'), ['aaa aa'], ['aaa', 'aaaa']],
  [phrase('...'), ['a...b', '....'], ['..']],
  [phrase('яблоко'), ['яблоко!', 'и яблоко'], ['яблоком']],
  [phrase('200'), [200, '200', new JsonText('[200,404]')], [2000, 0.2001]],
  [phrase('b'), ['a😀b'], ['a\u{10400}b']],
  [prefix('err'), ['error', 'an err', 'x errx'], ['terr', 'Error', null, '']],
  [prefix('err', true), ['ERROR'], ['terror']],
  [prefix(''), ['x', 0], [null, '']],
  [prefix('login f'), ['login failed', 'my login f'], ['logins f', 'login  f']],
  [starts('Proc'), ['Process', 'Proc'], ['process', 'a Process', null]],
  [starts('proc', true), ['PROCESS'], ['a process']],
  [starts(''), ['x', 0], [null, '']],
  [contains('rro'), ['error'], ['ERROR', null]],
  [contains('RRO', true), ['error', 'ERROR'], ['eror']],
  [contains(''), ['', null, 'x'], []],
  [glob('', 'a'), ['a', 'bA', 'ba'], ['ab', null]],
  [glob('a', ''), ['a', 'AB'], ['ba']],
  [glob('', ''), [null, 'x'], []],
  [glob('a', 'a'), ['aa', 'aba', 'ABA'], ['a']],
  [glob('ab', 'bc', 'cd'), ['abbccd', 'abxbcxcd'], ['abcd', 'abccd', 'abbcd']],
  [glob('', 'x', ''), ['x', 'axb'], ['ab']],
  [glob('a', '', 'b'), ['ab', 'axb'], ['a']],
  [glob('', 'ab', 'ab', ''), ['abab', 'xabyabz'], ['aba']],
  [{ kind: 'regexp', pattern: '^err|warn$', isFolded: false }, ['error', 'a warn'], ['terr', 'warned', 'Error', null]],
  [{ kind: 'regexp', pattern: 'ERR', isFolded: true }, ['error'], ['eror']],
  [{ kind: 'regexp', pattern: '^$', isFolded: false }, [null, ''], ['x']],
  [{ kind: 'regexp', pattern: '^.$', isFolded: false }, ['x', '😀', 5], ['ab', null]],
  [{ kind: 'regexp', pattern: '\\bfoo\\b', isFolded: false }, ['a foo b'], ['food']],
  [range(1, 5), [1, 5, '3', '1.5', '2ns'], [0.9, 5.1, null, '', 'abc', NaN, 'nan', true]],
  [range(1, 5, false, false), [1.1, 4], [1, 5]],
  [range(4, Infinity, false), ['3s', '1.2.3.4', '2026-01-01T00:00:00Z', time, Infinity, '1KB'], [4, -Infinity, 'x']],
  [range(-Infinity, 0, false, false), [-1, '-5m'], [0, -Infinity, null]],
  [
    { kind: 'range', min: 9007199254740993n, max: 9007199254740993n, isMinIncluded: true, isMaxIncluded: true },
    [9007199254740993n, '9007199254740993'],
    [9007199254740992, 9007199254740994],
  ],
  [{ kind: 'compare-text', op: 'lt', text: 'b' }, ['a', '', null, 'azz', 'B', 5], ['b', 'c', '😀']],
  [{ kind: 'compare-text', op: 'le', text: 'b' }, ['a', 'b'], ['ba']],
  [{ kind: 'compare-text', op: 'gt', text: '\uffee' }, ['😀'], ['z', '\uffee']],
  [{ kind: 'compare-text', op: 'ge', text: '' }, ['', null, 'x'], []],
  [{ kind: 'string-range', min: 'A', max: 'C' }, ['A', 'Bzz', 'B'], ['C', 'a', '']],
  [{ kind: 'string-range', min: '', max: 'C' }, ['', null, 'A'], ['C']],
  [
    { kind: 'time-range', range: { startNs: time.ns, endNs: time.ns + 10n } },
    [time, '2026-01-02T03:04:05.000000009Z', '2026-01-02T04:04:05+01:00'],
    [new Instant(time.ns + 10n), 'x', null, 5],
  ],
  [{ kind: 'sequence', phrases: ['a', 'b'], isFolded: false }, ['a b', 'a x b', 'b a b'], ['b a', 'ab', 'a', null]],
  [{ kind: 'sequence', phrases: [], isFolded: false }, [null, 'x'], []],
  [{ kind: 'sequence', phrases: ['aa', 'a'], isFolded: true }, ['AA A', 'aa-a'], ['a aa', 'aa']],
  [{ kind: 'contains-all', phrases: ['a', 'b c'], isFolded: false }, ['b c a', 'a b c'], ['a', 'b c', 'a bc', null]],
  [{ kind: 'contains-all', phrases: [], isFolded: false }, [null, 'x'], []],
  [{ kind: 'contains-all', phrases: [''], isFolded: false }, [null, '', 'x'], []],
  [{ kind: 'contains-all', phrases: ['', 'a'], isFolded: false }, ['a b'], [null, 'x']],
  [{ kind: 'contains-any', phrases: ['A', 'b c'], isFolded: true }, ['x a', 'B C'], ['b', 'ac', null]],
  [{ kind: 'contains-any', phrases: [], isFolded: true }, [], [null, 'x']],
  [{ kind: 'contains-any', phrases: ['', 'a'], isFolded: true }, [null, 'a', 'x'], []],
  [named('len-range', 2, 3), ['ab', 'яблок'.slice(0, 3), '😀😀', '😀😀😀', 12], ['a', '', '😀', 'abcd', '😀😀😀😀']],
  [named('len-range', 0, 0), ['', null], ['a']],
  [named('len-range', 5, Infinity), ['abcde', '😀😀😀😀😀'], ['😀😀😀😀']],
  [
    named('ipv4-range', '10.0.0.0/8'),
    ['10.1.2.3', '10.255.255.255'],
    ['11.0.0.0', '9.255.255.255', 'x 10.1.2.3', 167837955, ''],
  ],
  [named('ipv4-range', '1.2.3.4', '1.2.3.6'), ['1.2.3.4', '1.2.3.6'], ['1.2.3.7', '1.2.3.3']],
  [named('ipv4-range', '10.0.0.0/8'), ['10.1.2.3 '], ['10.1.2.3  ', ' 10.1.2.3', '10.1.2.3\t', ' ']],
  [named('ipv4-range', 'nonsense'), [], ['10.1.2.3', '']],
  [named('ipv6-range', '2001:db8::/32'), ['2001:db8::1', '2001:DB8:ffff::'], ['2001:db9::', '::1', '1.2.3.4', '']],
  [
    named('ipv6-range', 'fe80::/10'),
    ['fe80::1%eth0', 'fe80::1%1'],
    ['fe80::1%', '%eth0', 'fe81%eth0:', '1.2.3.4%eth0'],
  ],
  [named('ipv6-range', '::ffff:1.2.3.0', '::ffff:1.2.3.255'), ['1.2.3.4', '::ffff:1.2.3.4'], ['1.2.4.0', '::1']],
  [
    named('json-array-contains-any', 'prod', '5', 'true', 'null'),
    [new JsonText('["prod"]'), '["x", 5]', ' [true]', '[null]'],
    ['prod', '{"a":"prod"}', '[["prod"]]', '["produce"]', '[5.5]', '[', '', null],
  ],
  [
    named('day-range', 3 * 3600e9, 4 * 3600e9 - 1, 0),
    [time, '2020-01-01T03:59:59.999999999Z', '1969-12-31T03:00:00Z'],
    ['2026-01-02T04:00:00Z', '2026-01-02T02:59:59Z', '', 'x'],
  ],
  [named('day-range', 5 * 3600e9, 6 * 3600e9, 2 * 3600e9), [time], ['2026-01-02T05:00:00Z']],
  [
    named('week-range', 1, 5, 0),
    ['2026-01-02T03:04:05Z', '2026-01-05T00:00:00Z', '1969-12-31T00:00:00Z'],
    ['2026-01-03T00:00:00Z', '2026-01-04T23:59:59Z', ''],
  ],
  [matching('any', ''), ['', null, 'x'], []],
  [
    matching('any', 'id=<N>, ip=<IP4>'),
    ['x id=12, ip=1.2.3.4!', 'id=deadbeef, ip=10.0.0.1'],
    ['id=, ip=1.2.3.4', 'id=x, ip=1.2.3.4', ''],
  ],
  [matching('any', 'xx<N>'), ['xxxx123', 'xxx1'], ['xxxx']],
  [
    matching('full', '<DATETIME> <W>'),
    ['2026-01-02T03:04:05Z ok', '2026/01/02 03:04:05,123 "a b"'],
    ['2026-01-02 ok', '2026-01-02T03:04:05Z ok!'],
  ],
  [matching('full', ''), ['', null], ['x']],
  [
    matching('prefix', '<UUID>:'),
    ['2edfed59-3e98-4073-bbb2-28d321ca71a7: x'],
    [' 2edfed59-3e98-4073-bbb2-28d321ca71a7:'],
  ],
  [matching('suffix', 'n=<N>'), ['n=1 n=22'], ['n=1 n=', 'n=1 x']],
  [named('value-type', 'uint16'), [256, '65535'], [255, 65536, -1, 'x', null]],
  [named('value-type', 'string'), ['x', 'true', new JsonText('[]')], ['1', '1.2.3.4', null]],
  [
    named('day-range', 22 * 3600e9, 6 * 3600e9, 0, 'America/New_York'),
    [time, '2026-07-01T02:00:00Z'],
    ['2026-07-01T10:00:00.000000001Z', '2026-01-02T02:59:59Z'],
  ],
  [named('week-range', 6, 0, 0), ['2026-01-03T00:00:00Z', '2026-01-04T23:59:59Z'], ['2026-01-02T03:04:05Z']],
]

describe('compileTest', () => {
  test.each(
    table.map(
      (row) => [JSON.stringify(row[0], (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v)), ...row] as const,
    ),
  )('%s', (_, valueTest, holds, fails) => {
    const predicate = compileTest(valueTest)
    expect(holds.filter((value) => !predicate(value))).toEqual([])
    expect(fails.filter((value) => predicate(value))).toEqual([])
    const textPredicate = compileTextTest(valueTest)
    for (const value of [...holds, ...fails]) {
      if (value === null || typeof value === 'string') expect(textPredicate(toText(value))).toBe(predicate(value))
    }
  })

  test('every matching value contains the needed words', () => {
    for (const [valueTest, holds] of table) {
      for (const need of wordNeeds(valueTest)) {
        for (const value of holds) {
          const words = wordsOf(fold(toText(value)))
          const found = need.isPrefix ? words.some((word) => word.startsWith(need.word)) : words.includes(need.word)
          expect(found, `${JSON.stringify(need)} in ${toText(value)}`).toBe(true)
        }
      }
    }
  })
})

describe('wordNeeds', () => {
  const needs = (valueTest: ValueTest): string[] =>
    wordNeeds(valueTest).map((need) => (need.isPrefix ? `${need.word}*` : need.word))
  test.each<[ValueTest, string[]]>([
    [phrase('Error'), ['error']],
    [phrase('foo-BAR: x'), ['foo', 'bar', 'x']],
    [phrase('...'), []],
    [prefix('login f'), ['login', 'f*']],
    [prefix('login '), ['login']],
    [starts('a b'), ['a', 'b*']],
    [contains('a b c'), ['b', 'c*']],
    [contains(' b '), ['b']],
    [glob('a b', 'c d', 'e f'), ['a', 'b*', 'd*', 'f']],
    [equals('a b'), ['a', 'b']],
    [equals('1.50'), []],
    [equals('1.50', true, false), ['1', '50']],
    [equals('5m'), []],
    [oneOf(['x a', 'x b']), ['x']],
    [oneOf([]), []],
    [{ kind: 'contains-all', phrases: ['a', 'b c'], isFolded: true }, ['a', 'b', 'c']],
    [{ kind: 'contains-any', phrases: ['a b', 'b c'], isFolded: true }, ['b']],
    [{ kind: 'sequence', phrases: ['a', 'B'], isFolded: false }, ['a', 'b']],
    [{ kind: 'regexp', pattern: 'a', isFolded: false }, []],
    [range(1, 2), []],
    [{ kind: 'empty' }, []],
  ])('%j', (valueTest, expected) => {
    expect(needs(valueTest)).toEqual(expected)
  })
})
