import type { ValueTest } from '../data/index.ts'
import type { Dialect, MatchRequest } from '../plan/index.ts'

/** The test that a filter means. `isNegated`: rows pass if the test fails. */
export interface MatchMode {
  readonly test: ValueTest
  readonly isNegated: boolean
}

const empty: MatchMode = { test: { kind: 'empty' }, isNegated: false }
const anyValue: MatchMode = { test: { kind: 'empty' }, isNegated: true }

function plain(test: ValueTest): MatchMode {
  return { test, isNegated: false }
}

/** Context that decides how a filter value is matched. */
export interface MatchContext {
  /** True if bare words search this field. */
  readonly isTextField: boolean
  /** True if the query names the field. Then `field:"*"` matches any value; a bare `"*"` matches a star. */
  readonly hasField: boolean
}

type ValueRequest = Extract<MatchRequest, { kind: 'value' }>
type PatternRequest = Extract<MatchRequest, { kind: 'pattern' }>

/** The rules of one dialect for `field:value` and `field:pattern` (rulings L3 to L8). */
interface MatchRules {
  readonly value: (request: ValueRequest, context: MatchContext) => MatchMode
  readonly pattern: (request: PatternRequest, context: MatchContext) => MatchMode
}

/** Removes empty parts in the middle: `a**b` is equal to `a*b`. */
function withoutEmptyMiddles(parts: readonly string[]): readonly string[] {
  return parts.filter((part, i) => part !== '' || i === 0 || i === parts.length - 1)
}

function glob(parts: readonly string[], isFolded: boolean): MatchMode {
  const [first, text = '', last] = parts
  if (parts.length === 3 && first === '' && last === '') return plain({ kind: 'contains', text, isFolded })
  return plain({ kind: 'glob', parts, isFolded })
}

const native: MatchRules = {
  value: ({ text, isQuoted }, { isTextField, hasField }) => {
    if (text === '') return empty
    if (isQuoted && text === '*' && hasField) return anyValue
    return plain(
      isTextField
        ? { kind: 'phrase', text, isFolded: true }
        : { kind: 'equals', value: text, isFolded: true, isTyped: true },
    )
  },
  pattern: (request, { isTextField }) => {
    const parts = withoutEmptyMiddles(request.parts)
    if (parts.every((part) => part === '')) return anyValue
    const [text = '', end] = parts
    if (parts.length === 2 && end === '') {
      return plain({ kind: isTextField ? 'phrase-prefix' : 'starts-with', text, isFolded: true })
    }
    return glob(parts, true)
  },
}

const logsql: MatchRules = {
  value: ({ text }) => (text === '' ? empty : plain({ kind: 'phrase', text, isFolded: false })),
  pattern: ({ parts }) => {
    const [text = '', end] = parts
    if (parts.length === 2 && end === '') {
      return text === '' ? anyValue : plain({ kind: 'phrase-prefix', text, isFolded: false })
    }
    if (parts.length === 3 && parts.every((part) => part === '')) {
      return plain({ kind: 'contains', text: '', isFolded: false })
    }
    return glob(withoutEmptyMiddles(parts), false)
  },
}

const rules: { readonly [D in Dialect]: MatchRules } = { native, logsql }

export function matchMode(request: MatchRequest, context: MatchContext): MatchMode {
  switch (request.kind) {
    case 'value':
      return rules[request.dialect].value(request, context)
    case 'pattern':
      return rules[request.dialect].pattern(request, context)
    case 'test':
      return plain(request.test)
  }
}
