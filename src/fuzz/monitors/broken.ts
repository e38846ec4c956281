import type { JsonValue, Random } from '../../base/index.ts'
import type { MonitorJson } from './bodies.ts'

const JUNK: readonly JsonValue[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  ' ',
  'x',
  '5',
  '-5m',
  'now',
  '1e9d',
  '99999999999999w',
  '{{ $value',
  '{{ range .x }}',
  '$a +',
  '$unknown',
  '(((((',
  '* | stats by (x) count(',
  '* | nothing here',
  'level:"open',
  '\ud800',
  '𐐁',
  [],
  [null],
  [1, 2, 3],
  {},
  { from: '5', to: '-9w' },
  { operator: 'gt', values: [] },
]

const CHARACTERS = ['"', '(', ')', '|', '{', '}', '$', '\\', '\u0000', 'é', ':', '*', ' ', '`', ',', '-'] as const

function brokenText(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const inserted = random.next() < 0.6 ? random.pick(CHARACTERS) : ''
  return text.slice(0, at) + inserted + text.slice(at + random.below(3))
}

/** Returns the value with one change at a random position inside it. */
function changed(random: Random, value: JsonValue): JsonValue {
  const isHere = random.next() < 0.15
  if (typeof value === 'string') return isHere ? random.pick(JUNK) : brokenText(random, value)
  if (isHere || typeof value !== 'object' || value === null) return random.pick(JUNK)
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    if (items.length === 0) return [random.pick(JUNK)]
    const at = random.below(items.length)
    const item = items[at] ?? null
    const dice = random.next()
    if (dice < 0.1) return [...items, item]
    return dice < 0.2 ? items.toSpliced(at, 1) : items.with(at, changed(random, item))
  }
  const members = Object.entries(value as MonitorJson)
  if (members.length === 0) return random.pick(JUNK)
  const [name, member] = random.pick(members)
  const others = members.filter(([other]) => other !== name)
  const dice = random.next()
  if (dice < 0.06) return Object.fromEntries(others)
  const written = dice < 0.12 ? brokenText(random, name) : name
  return Object.fromEntries([...others, [written, dice < 0.12 ? member : changed(random, member)]])
}

/** Returns a monitor with one to three random changes, most of which make it invalid. */
export function brokenMonitor(random: Random, body: MonitorJson): JsonValue {
  let broken: JsonValue = body
  for (let changes = 1 + random.below(3); changes > 0; changes--) broken = changed(random, broken)
  return broken
}
