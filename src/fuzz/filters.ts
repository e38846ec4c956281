import { present } from '../base/index.ts'
import { levels, workloads } from './dataset.ts'
import { tailFilters } from './tail-filters.ts'
import { fieldText, valueText, type FilterGenerator, type Writer } from './writer.ts'

/** Draws a field and a value to compare it with. */
function compared(w: Writer, write: (field: string, value: string) => string): string {
  const name = w.untimedName()
  return write(fieldText(name), w.value(name))
}

function part(w: Writer): string {
  const text = w.word()
  const from = w.random.below(text.length)
  return text.slice(from, from + 1 + w.random.below(4)).replaceAll(/[^\p{L}\p{N}_]/gu, '')
}

function star(w: Writer): string {
  const texts = [part(w), part(w), part(w)].map((t) => (t === '' ? 'e' : t))
  return w.pick([
    `${texts[0]}*`,
    `*${texts[0]}`,
    `*${texts[0]}*`,
    `${texts[0]}*${texts[1]}`,
    `*${texts[0]}*${texts[1]}*${texts[2]}*`,
  ])
}

const REGEXPS = ['err.*', '^time', 'out$', '[a-f]{2,}[0-9]', '(GET|POST) ', 'a|b|^$', '(?i)retry', '\\\\d+', 'x?', '.']

export const filterGenerators: readonly FilterGenerator[] = [
  { name: 'word', weight: 5, write: (w) => valueText(w.word()) },
  {
    name: 'phrase',
    weight: 3,
    write: (w) => JSON.stringify(w.list(1, 3, () => w.word()).join(w.pick([' ', ' ', '-', ', ']))),
  },
  { name: 'field-value', weight: 6, write: (w) => compared(w, (field, value) => `${field}:${valueText(value)}`) },
  {
    name: 'same-field',
    weight: 3,
    write: (w) => {
      const alike = w.pick(['level', 'workload', 'status'] as const)
      const values = alike === 'level' ? levels : alike === 'workload' ? workloads : (['200', '404', '500'] as const)
      const name = w.nameLike(alike)
      const value = (): string => (w.has('logs') ? w.pick(values) : w.value(name))
      return w.list(2, 3, () => `${fieldText(name)}:${valueText(value())}`).join(' ')
    },
  },
  { name: 'exact', weight: 2, write: (w) => compared(w, (field, value) => `${field}:=${valueText(value)}`) },
  { name: 'equals', weight: 1, write: (w) => compared(w, (field, value) => `${field} = ${JSON.stringify(value)}`) },
  { name: 'prefix', weight: 3, write: (w) => `${w.onField()}${part(w) || 'e'}*` },
  { name: 'wildcard', weight: 3, write: (w) => `${w.chance(0.4) ? w.like('content') : w.untimedField()}:${star(w)}` },
  { name: 'any-value', weight: 1, write: (w) => `${w.untimedField()}:*` },
  { name: 'empty', weight: 1, write: (w) => `${w.untimedField()}:""` },
  {
    name: 'in',
    weight: 3,
    write: (w) => {
      const name = w.untimedName()
      return `${fieldText(name)}:in(${w.list(0, 4, () => valueText(w.value(name))).join(', ')})`
    },
  },
  {
    name: 'comparison',
    weight: 5,
    write: (w) => {
      const name = w.untimedName()
      const operator = w.pick([':', ':', '', ' ']) + w.pick(['>', '>=', '<', '<='])
      return `${fieldText(name)}${operator}${w.chance(0.2) ? valueText(w.value(name) || 'error') : w.number(name)}`
    },
  },
  {
    name: 'range',
    weight: 2,
    write: (w) => {
      const name = w.untimedName()
      const end = (): string => (w.chance(0.3) ? 'inf' : w.number(name))
      return `${fieldText(name)}:range${w.pick(['(', '['])}${w.number(name)}, ${end()}${w.pick([')', ']'])}`
    },
  },
  {
    name: 'regexp',
    weight: 2,
    write: (w) =>
      `${w.chance(0.5) ? w.like('content') : w.untimedField()}:~${JSON.stringify(w.pick(REGEXPS)).replaceAll('\\\\\\\\', '\\\\')}`,
  },
  { name: 'all', weight: 2, write: () => '*' },
  { name: 'not', weight: 4, write: (w, depth) => `${w.pick(['-', '!', 'NOT ', 'not '])}${writeOperand(w, depth - 1)}` },
  { name: 'group', weight: 3, write: (w, depth) => `(${writeFilter(w, depth - 1)})` },
]

/** All filter generators: the common forms and the rare ones. */
export const allFilters: readonly FilterGenerator[] = [...filterGenerators, ...tailFilters]

const NESTING = new Set(['not', 'group'])

function pickGenerator(w: Writer, depth: number): FilterGenerator {
  const drawable = w.drawable(allFilters)
  const usable = depth > 0 ? drawable : drawable.filter((g) => !NESTING.has(g.name))
  let at = w.random.next() * usable.reduce((sum, g) => sum + g.weight, 0)
  return present(usable.find((g) => (at -= g.weight) < 0) ?? usable[0])
}

/**
 * Writes one filter. A list of alternatives is put in parentheses, so that a sign before the list applies to all of
 * them.
 */
function writeOperand(w: Writer, depth: number): string {
  const generator = pickGenerator(w, depth)
  w.use(`filter/${generator.name}`)
  const text = generator.write(w, depth)
  return generator.name === 'same-field' ? `(${text})` : text
}

/**
 * Writes an operator, sometimes without blanks next to parentheses. Blanks next to quotes always stay, since a
 * parameter may replace a quoted text.
 */
function joint(w: Writer, before: string, after: string): string {
  const operator = w.pick(['', 'AND', 'OR', 'or', 'OR'])
  const isTight = /[)\]}]$/.test(before) && w.chance(0.3) && (operator !== '' || /^[(!-]/.test(after))
  if (!isTight) return operator === '' ? ' ' : ` ${operator} `
  w.use('filter/touching')
  return operator === '' || after.startsWith('(') ? operator : `${operator} `
}

/** Writes filters joined by blanks, AND and OR. */
export function writeFilter(w: Writer, depth: number): string {
  const operands = w.list(1, depth > 0 ? 3 : 2, () => {
    const generator = pickGenerator(w, depth)
    w.use(`filter/${generator.name}`)
    return generator.write(w, depth)
  })
  let [text = ''] = operands
  for (const operand of operands.slice(1)) text += joint(w, text, operand) + operand
  return text
}
