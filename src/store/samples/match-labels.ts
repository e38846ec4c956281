import { Regex, SluiceError, literalAlternatives, nowhere } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import { sampleDiagnostic } from './diagnostics.ts'

export type ValueTest = (value: string) => boolean

function compileRegex(matcher: LabelMatcher): ValueTest {
  const literals = literalAlternatives(matcher.value)
  if (literals !== undefined) {
    const set = new Set(literals)
    return (value) => set.has(value)
  }
  if (matcher.value === '.*') return () => true
  if (matcher.value === '.+') return (value) => value !== ''
  let regex: Regex
  try {
    regex = Regex.compile(matcher.value, { isWhole: true, dotMatchesNewline: true })
  } catch (error) {
    if (error instanceof SluiceError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SluiceError([
      sampleDiagnostic('bad-regex', { label: matcher.label, pattern: matcher.value, reason }, nowhere),
    ])
  }
  // Caches the result per value, since there may be few distinct values in many series.
  const known = new Map<string, boolean>()
  return (value) => {
    let result = known.get(value)
    if (result === undefined) {
      result = regex.test(value)
      known.set(value, result)
    }
    return result
  }
}

/** Compiles a matcher to a test of the label's value. Throws `samples/bad-regex`. */
export function compileMatcher(matcher: LabelMatcher): ValueTest {
  const { value } = matcher
  switch (matcher.op) {
    case '=':
      return (other) => other === value
    case '!=':
      return (other) => other !== value
    case '=~':
      return compileRegex(matcher)
    case '!~': {
      const matches = compileRegex(matcher)
      return (other) => !matches(other)
    }
  }
}

export type LabelsTest = (labels: Labels) => boolean

export function compilePredicate(predicate: LabelPredicate): LabelsTest {
  if (predicate.kind === 'matcher') {
    const { label } = predicate.matcher
    const test = compileMatcher(predicate.matcher)
    return (labels) => test(labels.get(label))
  }
  const tests = predicate.args.map((arg) => compilePredicate(arg))
  switch (predicate.kind) {
    case 'all':
      return (labels) => tests.every((test) => test(labels))
    case 'any':
      return (labels) => tests.some((test) => test(labels))
    case 'none-of':
      return (labels) => !tests.some((test) => test(labels))
  }
}
