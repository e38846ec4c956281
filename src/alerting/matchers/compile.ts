import { Regex, SluiceError, nowhere, regexpFault, type Origin } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { matcherDiagnostic } from './diagnostics.ts'

/** True if all matchers match a set of labels. */
export type LabelTest = (labels: Labels) => boolean

/** Throws SluiceError `matchers/bad-name` or `matchers/bad-pattern` at the given origin if a matcher is invalid. */
export function checkMatcher({ label, op, value }: LabelMatcher, origin: Origin = nowhere): void {
  if (label === '') throw new SluiceError([matcherDiagnostic('bad-name', {}, origin)])
  const reason = op === '=~' || op === '!~' ? regexpFault(value) : undefined
  if (reason !== undefined)
    throw new SluiceError([matcherDiagnostic('bad-pattern', { pattern: value, reason }, origin)])
}

function compileValueTest({ op, value }: LabelMatcher): (value: string) => boolean {
  if (op === '=') return (found) => found === value
  if (op === '!=') return (found) => found !== value
  const regex = Regex.compile(value, { isWhole: true, dotMatchesNewline: false })
  return op === '=~' ? (found) => regex.test(found) : (found) => !regex.test(found)
}

/**
 * Compiles matchers into a test that requires all of them. A missing label has the value `''`; a pattern must match the
 * whole value. An empty list matches everything. Throws SluiceError as `checkMatcher` does.
 */
export function compileMatchers(matchers: readonly LabelMatcher[]): LabelTest {
  for (const matcher of matchers) checkMatcher(matcher)
  const tests = matchers.map((matcher) => ({ label: matcher.label, holds: compileValueTest(matcher) }))
  return (labels) => tests.every(({ label, holds }) => holds(labels.get(label)))
}

/**
 * True if all matchers are `=` or `=~` and match the empty string, so that they match every alert without these labels.
 * `!=` and `!~` exclude alerts and never count as empty. True for an empty list.
 */
export function matchesEmpty(matchers: readonly LabelMatcher[]): boolean {
  return matchers.every((matcher) => !matcher.op.startsWith('!') && compileValueTest(matcher)(''))
}
