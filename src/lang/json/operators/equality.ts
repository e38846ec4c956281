import type { ValueTest } from '../../../data/index.ts'
import { scalarText, scalarTexts, type OperatorDefinition } from './definition.ts'

function test(
  valueTest: ValueTest,
  isAlternative = true,
): { request: { kind: 'test'; test: ValueTest; isAlternative: boolean } } {
  return { request: { kind: 'test', test: valueTest, isAlternative } }
}

const oneValue = 'a text, a number or a boolean'

/** Returns the test of `eq`. `null` and `""` match missing values; a list matches if any of its values does. */
function equals(value: Parameters<OperatorDefinition['request']>[0]): ReturnType<OperatorDefinition['request']> {
  if (value === undefined || value === null || value === '') return test({ kind: 'empty' })
  const text = scalarText(value)
  if (text !== undefined) return test({ kind: 'equals', value: text, isFolded: false, isTyped: true })
  return inList(value)
}

function inList(value: Parameters<OperatorDefinition['request']>[0]): ReturnType<OperatorDefinition['request']> {
  const values = scalarTexts(value)
  if (values === undefined) return { expected: 'a list of texts, numbers or booleans' }
  return test({ kind: 'in', values, isFolded: false, isTyped: true })
}

export const eq: OperatorDefinition = {
  name: 'eq',
  aliases: ['=', '==', 'equals'],
  joins: 'alternative',
  isNegated: false,
  request: equals,
  summary: 'The whole value is equal, case included; a stored number compares as a number.',
}

export const ne: OperatorDefinition = {
  ...eq,
  name: 'ne',
  aliases: ['!=', 'neq', 'noteq'],
  isNegated: true,
  summary: 'Not `eq`.',
}

export const inOperator: OperatorDefinition = {
  name: 'in',
  aliases: [],
  joins: 'alternative',
  isNegated: false,
  takesListText: true,
  request: inList,
  summary: 'The whole value is equal to one of a list.',
}

export const notin: OperatorDefinition = {
  ...inOperator,
  name: 'notin',
  aliases: ['not_in', 'nin'],
  isNegated: true,
  summary: 'Not `in`.',
}

/** Operator that compares whole values and ignores case; numbers and other types compare as in `eq`. */
export const iin: OperatorDefinition = {
  name: 'iin',
  aliases: [],
  joins: 'alternative',
  isNegated: false,
  request: (value) => {
    const values = scalarTexts(value)
    if (values === undefined) return { expected: 'a list of texts, numbers or booleans' }
    if (typeof value === 'string') return test({ kind: 'equals', value, isFolded: true, isTyped: true })
    return test({ kind: 'in', values, isFolded: true, isTyped: true })
  },
  summary: 'The whole value is equal to one of a list, or to one text, without regard to case.',
}

export const inotin: OperatorDefinition = {
  ...iin,
  name: 'inotin',
  aliases: ['not_iin', 'notiin'],
  isNegated: true,
  summary: 'Not `iin`.',
}

export const exists: OperatorDefinition = {
  name: 'exists',
  aliases: [],
  joins: 'alternative',
  isNegated: true,
  request: () => test({ kind: 'empty' }, false),
  summary: 'The record has a value that is not empty.',
}

export const notexists: OperatorDefinition = {
  name: 'notexists',
  aliases: ['not_exists', 'isnull'],
  joins: 'comparison',
  isNegated: false,
  request: () => test({ kind: 'empty' }, false),
  summary: 'The record lacks the column, or it is empty.',
}

export const match: OperatorDefinition = {
  name: 'match',
  aliases: [],
  joins: 'alternative',
  isNegated: false,
  request: (value) => {
    const text = scalarText(value)
    if (value === undefined || value === null || text === '') return test({ kind: 'empty' })
    if (text === undefined) return { expected: oneValue }
    if (text === '*') return { request: { kind: 'pattern', dialect: 'native', parts: ['', ''] } }
    return text.includes('*')
      ? { request: { kind: 'pattern', dialect: 'native', parts: text.split('*') } }
      : { request: { kind: 'value', dialect: 'native', text, isQuoted: true } }
  },
  summary: 'As `field:value` of the text language: without regard to case, `*` stands for any text.',
}

export const notMatch: OperatorDefinition = {
  ...match,
  name: 'not_match',
  aliases: ['notmatch', 'nmatch'],
  isNegated: true,
  summary: 'Not `match`.',
}
