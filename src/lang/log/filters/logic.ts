import { defineFilter } from '../definition.ts'
import type { Filter } from '../ast.ts'
import type { Printer } from '../print/printer.ts'

/** Prints an operand of a conjunction, in parentheses if the operand is a disjunction or another conjunction. */
function operand(filter: Filter, printer: Printer): string {
  const text = printer.node(filter)
  return filter.kind === 'or' || filter.kind === 'and' ? `(${text})` : text
}

/**
 * True if a filter ends with a word without a field. That word would be parsed as the field of a comparison printed
 * after it.
 */
function endsInWord(filter: Filter | undefined): boolean {
  if (filter === undefined) return false
  if (filter.kind === 'not') return endsInWord(filter.arg)
  if (filter.kind === 'and' && filter.isExplicit) return endsInWord(filter.args.at(-1))
  return (filter.kind === 'word' || filter.kind === 'pattern') && filter.field === undefined
}

/**
 * Prints adjacent operands. Adds a double negation between a bare word and a comparison on the main text field.
 * Otherwise the word would be parsed as the field of the comparison.
 */
function sideBySide(args: readonly Filter[], printer: Printer): string {
  let text = ''
  for (const [i, arg] of args.entries()) {
    const printed = arg.kind === 'and' && arg.isExplicit ? printer.node(arg) : operand(arg, printer)
    const isOpen = i > 0 && printer.dialect === 'native' && endsInWord(args[i - 1])
    if (isOpen && /^(?:[=~<>]|in\()/.test(printed)) text += ` not not ${printed}`
    else if (isOpen && /^![=~]/.test(printed)) text += ` not ${printed.slice(1)}`
    else text += i === 0 ? printed : ` ${printed}`
  }
  return text
}

export const and = defineFilter({
  kind: 'and',
  names: [],
  print: (filter, printer) => {
    if (printer.dialect === 'logsql' || !filter.isExplicit) return sideBySide(filter.args, printer)
    return filter.args.map((arg) => operand(arg, printer)).join(' and ')
  },
  lower: (filter, context) => {
    const args = filter.args.map(context.filter)
    const origin = context.at(filter.span)
    if (filter.isExplicit || context.dialect === 'logsql') return { kind: 'and', args, origin }
    return { kind: 'implicit-and', dialect: context.dialect, args, origin }
  },
  doc: {
    summary: 'All of them: filters side by side, or joined by `and`.',
    form: 'filter filter | filter and filter',
    examples: [{ query: 'level:error namespace:payments timeout', text: 'rows for which all three hold' }],
  },
})

export const or = defineFilter({
  kind: 'or',
  names: [],
  print: (filter, printer) =>
    filter.args.map((arg) => (arg.kind === 'or' ? `(${printer.node(arg)})` : printer.node(arg))).join(' or '),
  lower: (filter, context) => ({ kind: 'or', args: filter.args.map(context.filter), origin: context.at(filter.span) }),
  doc: {
    summary: 'At least one of them; `and` binds tighter.',
    form: 'filter or filter',
    examples: [{ query: 'timeout or refused', text: 'rows with one of the words' }],
  },
})

export const not = defineFilter({
  kind: 'not',
  names: [],
  print: (filter, printer) => `!${operand(filter.arg, printer)}`,
  lower: (filter, context) => ({ kind: 'not', arg: context.filter(filter.arg), origin: context.at(filter.span) }),
  doc: {
    summary: 'The rows for which the filter does not hold; `not`, `!` and `-` are the same.',
    form: '-filter',
    examples: [{ query: '-level:debug -healthcheck', text: 'rows that are neither' }],
  },
})

export const group = defineFilter({
  kind: 'group',
  names: [],
  print: (filter, printer) => `(${printer.node(filter.arg)})`,
  // Parentheses make one operand: a filter inside is never joined by OR with a filter of the same field outside.
  lower: (filter, context) => {
    const arg = context.filter(filter.arg)
    const isAlternative = arg.kind === 'field-filter' || arg.kind === 'in-subquery'
    return isAlternative ? { kind: 'and', args: [arg], origin: context.at(filter.span) } : arg
  },
  doc: {
    summary: 'Parentheses group; in front of them a field applies to every filter inside.',
    form: '[field:](filter)',
    examples: [
      { query: '(level:error or status:503) timeout', text: 'rows with the word and one of the two' },
      { query: 'level:(error or fatal)', text: 'rows of two levels' },
    ],
  },
})

export const broken = defineFilter({
  kind: 'broken',
  names: [],
  print: () => '*',
  lower: (filter, context) => ({ kind: 'literal', value: true, origin: context.at(filter.span) }),
  doc: { summary: 'What could not be read.', form: '', examples: [] },
})
