import type { ValueTest } from '../../../data/index.ts'
import { scalarText, type OperatorDefinition } from './definition.ts'

function textOperator(
  name: string,
  aliases: readonly string[],
  summary: string,
  test: (text: string) => ValueTest,
): OperatorDefinition {
  return {
    name,
    aliases,
    joins: 'alternative',
    isNegated: false,
    request: (value) => {
      const text = scalarText(value)
      return text === undefined
        ? { expected: 'a text' }
        : { request: { kind: 'test', test: test(text), isAlternative: true } }
    },
    summary,
  }
}

function negated(operator: OperatorDefinition, name: string, aliases: readonly string[]): OperatorDefinition {
  return { ...operator, name, aliases, isNegated: true, summary: `Not \`${operator.name}\`.` }
}

function affix(isFolded: boolean): Record<'contains' | 'startsWith' | 'endsWith', (text: string) => ValueTest> {
  return {
    contains: (text) => ({ kind: 'contains', text, isFolded }),
    // An empty prefix matches every value, even a missing one.
    startsWith: (text) => ({ kind: text === '' ? 'contains' : 'starts-with', text, isFolded }),
    endsWith: (text) => ({ kind: 'glob', parts: ['', text], isFolded }),
  }
}

const exact = affix(false)
const folded = affix(true)

export const contains = textOperator('contains', [], 'The text occurs anywhere, case included.', exact.contains)
export const notcontains = negated(contains, 'notcontains', ['not_contains'])
export const icontains = textOperator(
  'icontains',
  [],
  'The text occurs anywhere, without regard to case.',
  folded.contains,
)
export const inotcontains = negated(icontains, 'inotcontains', ['not_icontains', 'noticontains'])
export const startswith = textOperator('startswith', [], 'The value starts so, case included.', exact.startsWith)
export const istartswith = textOperator(
  'istartswith',
  [],
  'The value starts so, without regard to case.',
  folded.startsWith,
)
export const endswith = textOperator('endswith', [], 'The value ends so, case included.', exact.endsWith)
export const iendswith = textOperator('iendswith', [], 'The value ends so, without regard to case.', folded.endsWith)
export const regex = textOperator('regex', ['regexp', '=~'], 'An RE2 expression matches anywhere.', (pattern) => ({
  kind: 'regexp',
  pattern,
  isFolded: false,
}))
export const notregex = negated(regex, 'notregex', ['not_regex', '!~'])

export const phraseSearch: OperatorDefinition = {
  name: 'phrase_search',
  aliases: ['phrase'],
  joins: 'alternative',
  isNegated: false,
  request: (value) => {
    const text = scalarText(value)
    if (text === undefined) return { expected: 'a text' }
    return { request: { kind: 'test', test: { kind: 'phrase', text, isFolded: true }, isAlternative: false } }
  },
  summary: 'The phrase occurs in the text, uncut at word characters, without regard to case.',
}
