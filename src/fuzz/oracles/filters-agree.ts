import type { Random } from '../../base/index.ts'
import { answerOf, difference } from '../answer.ts'
import { fieldNames, levels, words } from '../dataset.ts'
import { backendNames } from '../subject.ts'
import { numberPatterns } from '../tail-filters.ts'
import { fieldText } from '../writer.ts'
import type { Oracle } from './oracle.ts'

type Pair = (random: Random, field: string) => readonly [string, string]

const quoted = (text: string): string => JSON.stringify(text)
const plain = ['error', 'out', 'r r', 'x9', '0', '-'] as const
const cidrs = [
  ['10.0.0.0/8', '10.0.0.0, 10.255.255.255'],
  ['10.0.0.0/31', '10.0.0.0, 10.0.0.1'],
  ['1.2.3.4', '1.2.3.4, 1.2.3.4'],
  ['0.0.0.0/0', '0.0.0.0, 255.255.255.255'],
] as const

/**
 * Pairs of equivalent filters. The row model and the backends test single values with the same code, so only a
 * comparison of two equivalent filters reveals a bug in it.
 */
const pairs: readonly Pair[] = [
  (random, f) => {
    const text = random.pick(plain)
    return [`${f}pattern_match(${quoted(text)})`, `${f}~${quoted(text)}`]
  },
  (random, f) => {
    // `=` compares numbers by value, so `="0"` also matches -0.
    const text = quoted(random.pick(plain.filter((each) => each !== '0')))
    return [`${f}pattern_match_full(${text})`, `${f}=${text}`]
  },
  (random, f) => {
    const text = quoted(random.pick(numberPatterns))
    const full = `${f}pattern_match_full(${text})`
    const others = ['_prefix', '_suffix', ''].map((mode) => `${f}pattern_match${mode}(${text})`)
    return [full, [full, ...others].join(' ')]
  },
  (random, f) => {
    const text = random.pick(numberPatterns)
    const some = `${f}pattern_match${random.pick(['_prefix', '_suffix'])}(${quoted(text)})`
    return [some, `${some} ${f}pattern_match(${quoted(text)})`]
  },
  (random, f) => {
    const [cidr, bounds] = random.pick(cidrs)
    return [`${f}ipv4_range(${quoted(cidr)})`, `${f}ipv4_range(${bounds})`]
  },
  (_, f) => [
    `${f}ipv6_range("2001:db8::/32")`,
    `${f}ipv6_range("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff")`,
  ],
  (random) => {
    const day = random.pick(['Mon', 'Wed', 'Sat'])
    return [`_time:week_range[${day}, ${day}]`, `_time:week_range[Sun, ${day}] _time:week_range[${day}, Sat]`]
  },
  (random) => {
    const at = random.pick(['02:30', '03:04', '12:00'])
    return [`_time:day_range[00:00, ${at})`, `!_time:day_range[${at}, 24:00]`]
  },
  (random, f) => {
    const [a, b] = [random.pick([0, 1, 100, 200]), random.pick([200, 404, 1000])]
    return [`${f}range[${a}, ${b}]`, `${f}>=${a} ${f}<=${b}`]
  },
  (random, f) => {
    const [a, b] = [quoted(random.pick(words)), quoted(random.pick(levels))]
    const fn = random.pick(['in', 'contains_any'])
    return [`${f}${fn}(${a}, ${b})`, `(${f}${fn}(${a}) or ${f}${fn}(${b}))`]
  },
  (random, f) => {
    const [a, b] = [quoted(random.pick(words)), quoted(random.pick(words))]
    return [`${f}contains_all(${a}, ${b})`, `${f}contains_all(${a}) ${f}contains_all(${b})`]
  },
  (random, f) => {
    const length = 1 + random.below(9)
    return [`${f}len_range(0, ${length})`, `!${f}len_range(${length + 1}, inf)`]
  },
]

/** Two equivalent filters match the same rows. */
export const filtersAgree: Oracle = {
  name: 'filters-agree',
  check: async ({ subject, random }) => {
    const native = subject.reading('native')
    const backend = random.pick(backendNames)
    const [one, other] = random.pick(pairs)(random, `${fieldText(random.pick(fieldNames))}:`)
    const [answer, otherAnswer] = [
      await answerOf(() => native.query(one, backend)),
      await answerOf(() => native.query(other, backend)),
    ]
    if ('error' in answer) return `${backend}: ${one} fails with ${answer.error}`
    const found = difference(answer, otherAnswer)
    return found === undefined ? undefined : `${backend}: ${one} is not ${other}: ${found}`
  },
}
