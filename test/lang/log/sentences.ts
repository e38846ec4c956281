import { present, seededRandom } from '../../../src/base/index.ts'
import { logGrammar, type Production } from '../../../src/lang/log/index.ts'

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

const bodies = new Map(logGrammar().map((rule) => [rule.name ?? '', rule]))
const MAX_DEPTH = 24

/** Derives a random text from the parser's rules, ignoring conditions on adjacent tokens. */
export function sentence(seed: number, rule = 'logQuery'): string {
  const random = seededRandom(seed)
  const parts: string[] = []
  const write = ({ type, name = '', label = '', definition = [] }: Production, depth: number): void => {
    if (parts.length > 120) return
    const writeAll = (): void => definition.forEach((part) => write(part, depth))
    switch (type) {
      case 'Terminal':
        parts.push(random.next() < 0.15 ? '' : ' ', textOf(name, label))
        return
      case 'NonTerminal': {
        const body = bodies.get(name)
        if (body !== undefined && depth < MAX_DEPTH) write(body, depth + 1)
        else parts.push(' ', 'a')
        return
      }
      case 'Alternation':
        write(present(definition[random.below(definition.length)]), depth)
        return
      case 'Option':
        if (random.next() < 0.4) writeAll()
        return
      case 'Repetition':
      case 'RepetitionMandatory': {
        const min = type === 'Repetition' ? 0 : 1
        const count = min + (random.next() < 0.35 ? 1 : 0) + (random.next() < 0.1 ? 2 : 0)
        for (let i = 0; i < count; i++) writeAll()
        return
      }
      default:
        writeAll()
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
