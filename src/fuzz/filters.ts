import { present } from '../base/index.ts'
import { levels, numbers, numberTexts, words, workloads } from './dataset.ts'
import { tailFilters } from './tail-filters.ts'
import { valueText, type FilterGenerator, type Writer } from './writer.ts'

function anyText(w: Writer): string {
  const kind = w.random.below(4)
  if (kind === 0) return w.pick(levels)
  if (kind === 1) return w.pick(workloads)
  if (kind === 2) return w.pick(numberTexts)
  return w.chance(0.8) ? w.pick(words) : `${w.pick(words)} ${w.pick(words)}`
}

function numberText(w: Writer): string {
  return w.chance(0.7)
    ? String(w.pick([200, 404, 500, 0, 1, 1.5, 100, 503]))
    : w.chance(0.5)
      ? String(w.pick(numbers))
      : w.pick(['1KB', '1.5MiB', '2s', '1h30m', '10ms', '0x10', '-1', '1e3', '10.0.0.1', '2026-01-02'])
}

function part(w: Writer): string {
  const text = w.pick(words)
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
  { name: 'word', weight: 5, write: (w) => valueText(w.pick(words)) },
  {
    name: 'phrase',
    weight: 3,
    write: (w) => JSON.stringify(w.list(1, 3, () => w.pick(words)).join(w.pick([' ', ' ', '-', ', ']))),
  },
  { name: 'field-value', weight: 6, write: (w) => `${w.untimedField()}:${valueText(anyText(w))}` },
  {
    name: 'same-field',
    weight: 3,
    write: (w) => {
      const field = w.pick(['level', 'workload', 'status'])
      const values = field === 'level' ? levels : field === 'workload' ? workloads : (['200', '404', '500'] as const)
      return w.list(2, 3, () => `${field}:${valueText(w.pick(values))}`).join(' ')
    },
  },
  { name: 'exact', weight: 2, write: (w) => `${w.untimedField()}:=${valueText(anyText(w))}` },
  { name: 'equals', weight: 1, write: (w) => `${w.untimedField()} = ${JSON.stringify(anyText(w))}` },
  { name: 'prefix', weight: 3, write: (w) => `${w.chance(0.5) ? '' : `${w.untimedField()}:`}${part(w) || 'e'}*` },
  { name: 'wildcard', weight: 3, write: (w) => `${w.chance(0.4) ? 'content' : w.untimedField()}:${star(w)}` },
  { name: 'any-value', weight: 1, write: (w) => `${w.untimedField()}:*` },
  { name: 'empty', weight: 1, write: (w) => `${w.untimedField()}:""` },
  {
    name: 'in',
    weight: 3,
    write: (w) => `${w.untimedField()}:in(${w.list(0, 4, () => valueText(anyText(w))).join(', ')})`,
  },
  {
    name: 'comparison',
    weight: 5,
    write: (w) =>
      `${w.untimedField()}${w.pick([':', ':', '', ' '])}${w.pick(['>', '>=', '<', '<='])}${w.chance(0.2) ? valueText(anyText(w) || 'error') : numberText(w)}`,
  },
  {
    name: 'range',
    weight: 2,
    write: (w) =>
      `${w.untimedField()}:range${w.pick(['(', '['])}${numberText(w)}, ${w.chance(0.3) ? 'inf' : numberText(w)}${w.pick([')', ']'])}`,
  },
  {
    name: 'regexp',
    weight: 2,
    write: (w) =>
      `${w.chance(0.5) ? 'content' : w.untimedField()}:~${JSON.stringify(w.pick(REGEXPS)).replaceAll('\\\\\\\\', '\\\\')}`,
  },
  { name: 'all', weight: 2, write: () => '*' },
  { name: 'not', weight: 4, write: (w, depth) => `${w.pick(['-', '!', 'NOT ', 'not '])}${writeOperand(w, depth - 1)}` },
  { name: 'group', weight: 3, write: (w, depth) => `(${writeFilter(w, depth - 1)})` },
]

/** All forms: the everyday ones and the long tail. */
export const allFilters: readonly FilterGenerator[] = [...filterGenerators, ...tailFilters]

const NESTING = new Set(['not', 'group'])

function pickGenerator(w: Writer, depth: number): FilterGenerator {
  const usable = depth > 0 ? allFilters : allFilters.filter((g) => !NESTING.has(g.name))
  let at = w.random.next() * usable.reduce((sum, g) => sum + g.weight, 0)
  return present(usable.find((g) => (at -= g.weight) < 0) ?? usable[0])
}

/** One filter; a list of alternatives is put in parentheses so that a sign before it binds to all. */
function writeOperand(w: Writer, depth: number): string {
  const generator = pickGenerator(w, depth)
  w.use(`filter/${generator.name}`)
  const text = generator.write(w, depth)
  return generator.name === 'same-field' ? `(${text})` : text
}

/** An operator, touching the parentheses around it now and then; not quotes, for which parameters may stand. */
function joint(w: Writer, before: string, after: string): string {
  const operator = w.pick(['', 'AND', 'OR', 'or', 'OR'])
  const isTight = /[)\]}]$/.test(before) && w.chance(0.3) && (operator !== '' || /^[(!-]/.test(after))
  if (!isTight) return operator === '' ? ' ' : ` ${operator} `
  w.use('filter/touching')
  return operator === '' || after.startsWith('(') ? operator : `${operator} `
}

/** Filters joined by blanks, AND and OR. */
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
