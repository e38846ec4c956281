import { toText, type ValueTest } from '../../data/index.ts'
import { mapExpressions, not, rewriteExpr, test, type Expr } from '../../plan/index.ts'
import { listTest } from '../predicates.ts'
import { literalRegexp } from '../regexp-literal.ts'
import type { Rule } from '../rule.ts'

function simplerRegexp(pattern: string): ValueTest | undefined {
  const found = literalRegexp(pattern)
  if (found === undefined) return undefined
  const { text, isAtStart, isAtEnd } = found
  if (isAtStart && isAtEnd) {
    return text === '' ? { kind: 'empty' } : { kind: 'equals', value: text, isFolded: false, isTyped: false }
  }
  if (text === '') return undefined
  if (isAtStart) return { kind: 'starts-with', text, isFolded: false }
  return isAtEnd ? { kind: 'glob', parts: ['', text], isFolded: false } : { kind: 'contains', text, isFolded: false }
}

/** Returns a cheaper test with the same result for every value. */
function simpler(value: ValueTest): ValueTest | undefined {
  switch (value.kind) {
    case 'equals':
      return toText(value.value) === '' ? { kind: 'empty' } : undefined
    case 'in': {
      const list = listTest(value.values, value)
      return list?.kind === 'in' && list.values.length === value.values.length ? undefined : list
    }
    case 'glob': {
      const { parts, isFolded } = value
      const [first = '', second = '', third] = parts
      if (parts.length === 2 && first !== '' && second === '') return { kind: 'starts-with', text: first, isFolded }
      const isInner = parts.length === 3 && first === '' && third === '' && second !== ''
      return isInner ? { kind: 'contains', text: second, isFolded } : undefined
    }
    case 'regexp':
      return value.isFolded ? undefined : simplerRegexp(value.pattern)
    case 'sequence':
    case 'contains-all':
    case 'contains-any':
      const [phrase = ''] = value.phrases
      return value.phrases.length === 1 && phrase !== ''
        ? { kind: 'phrase', text: phrase, isFolded: value.isFolded }
        : undefined
    case 'phrase':
      return value.text === '' ? { kind: 'empty' } : undefined
    default:
      return undefined
  }
}

/** True for tests that are false only for a missing value. */
function isPresence(value: ValueTest): boolean {
  return (value.kind === 'starts-with' || value.kind === 'phrase-prefix') && value.text === ''
}

function normalize(expr: Expr): Expr {
  if (expr.kind === 'any-field') {
    const next = simpler(expr.test)
    return next === undefined ? expr : { ...expr, test: next }
  }
  if (expr.kind !== 'test') return expr
  if (isPresence(expr.test)) return not(test(expr.arg, { kind: 'empty' }, expr.origin), expr.origin)
  const next = simpler(expr.test)
  return next === undefined ? expr : { ...expr, test: next }
}

export const normalizeComparison: Rule = {
  name: 'normalize-comparison',
  summary: 'Tests take the simplest form that answers alike, so that indexes and other rules know them.',
  examples: {
    changes: 'level:~"^err"',
    leaves: 'level:~"e.*r"',
  },
  direction: 'up',
  apply: (plan) => mapExpressions(plan, (root) => rewriteExpr(root, normalize)),
}
