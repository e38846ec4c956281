import { present, seededRandom } from '../../../src/base/index.ts'
import { logGrammar, type GrammarNode } from '../../../src/lang/log/index.ts'

const WORDS = 'error level a b x1 _time _msg and or not by in limit 5 10 7 1h 2 count sum min values last lag'.split(
  ' ',
)
const QUOTED = [
  '"a b"',
  '""',
  "'it'",
  '`r\\w`',
  '"<f> x <g>"',
  '"a(b"',
  '"(?P<n>.*)"',
  '"\\u00e4"',
  '"*"',
  '"2026-01-31"',
]

const bodies = new Map(logGrammar().map(({ name, body }) => [name, body]))
const MAX_DEPTH = 24

/** A text that the rules of the parser could have written, conditions of adjacency left aside. */
export function sentence(seed: number, rule = 'logQuery'): string {
  const random = seededRandom(seed)
  const parts: string[] = []
  const write = (node: GrammarNode, depth: number): void => {
    if (parts.length > 120) return
    switch (node.kind) {
      case 'token':
        parts.push(random.next() < 0.15 ? '' : ' ', textOf(node.name, node.label))
        return
      case 'rule': {
        const body = bodies.get(node.name)
        if (body !== undefined && depth < MAX_DEPTH) write(body, depth + 1)
        else parts.push(' ', 'a')
        return
      }
      case 'sequence':
        for (const item of node.items) write(item, depth)
        return
      case 'choice':
        write(present(node.items[random.below(node.items.length)]), depth)
        return
      case 'optional':
        if (random.next() < 0.4) write(node.item, depth)
        return
      case 'repeat': {
        const count = node.min + (random.next() < 0.35 ? 1 : 0) + (random.next() < 0.1 ? 2 : 0)
        for (let i = 0; i < count; i++) write(node.item, depth)
      }
    }
  }
  const textOf = (name: string, label: string): string => {
    if (name === 'Word' || name === 'Identifier') return random.pick(WORDS)
    if (name === 'Quoted') return random.pick(QUOTED)
    return name === 'Glue' ? '-+/.$'.charAt(random.below(5)) : label
  }
  const body = bodies.get(rule)
  if (body !== undefined) write(body, 0)
  return parts.join('').trim()
}
