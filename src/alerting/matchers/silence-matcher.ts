import { SluiceError, atPath, type JsonPath } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { checkMatcher, matchesEmpty } from './compile.ts'
import { matcherDiagnostic } from './diagnostics.ts'

/** Operators by their numeric code in older clients: 0 `=`, 1 `!=`, 2 `=~`, 3 `!~`. */
const OPERATORS = ['=', '!=', '=~', '!~'] as const

/** A matcher of a silence in the newer form. */
export interface SilenceMatcherShape {
  readonly name: string
  readonly value: string
  readonly isEqual: boolean
  readonly isRegex: boolean
}

/**
 * Parses a matcher of a silence in either form, `{name, value, isEqual, isRegex}` or `{Name, Value, Type}`. The flags
 * take precedence over `Type`; without either, the operator is `=`. Throws SluiceError `matchers/…` at `path`.
 */
export function readSilenceMatcher(value: unknown, path: JsonPath): LabelMatcher {
  const fault = (expected: string): SluiceError =>
    new SluiceError([matcherDiagnostic('bad-shape', { expected }, atPath(path))])
  if (typeof value !== 'object' || value === null) throw fault('the members `name` and `value`')
  const members = new Map<string, unknown>(
    Object.entries(value).map(([name, member]) => [name.slice(0, 1).toLowerCase() + name.slice(1), member]),
  )
  const [label, text, type] = [members.get('name'), members.get('value') ?? '', members.get('type') ?? 0]
  if (typeof label !== 'string') throw fault('a `name` that is a string')
  if (typeof text !== 'string') throw fault('a `value` that is a string')
  if (typeof type !== 'number' || OPERATORS[type] === undefined) throw fault('a `type` from 0 to 3')
  const isEqual = members.get('isEqual') ?? type % 2 === 0
  const isRegex = members.get('isRegex') ?? type >= 2
  const op = OPERATORS[(isEqual === true ? 0 : 1) + (isRegex === true ? 2 : 0)] ?? '='
  const matcher: LabelMatcher = { label, op, value: text }
  checkMatcher(matcher, atPath(path))
  return matcher
}

/**
 * Parses the matchers of a new silence. Throws SluiceError `matchers/…`, or `matchers/matches-everything` if
 * `matchesEmpty` is true for a list that is not empty. A silence without matchers is accepted and applies to no alert.
 */
export function readSilenceMatchers(values: readonly unknown[], path: JsonPath): readonly LabelMatcher[] {
  const matchers = values.map((value, i) => readSilenceMatcher(value, [...path, i]))
  if (matchers.length > 0 && matchesEmpty(matchers))
    throw new SluiceError([matcherDiagnostic('matches-everything', {}, atPath(path))])
  return matchers
}

/** Converts a matcher to the newer form. */
export function silenceMatcherShape({ label, op, value }: LabelMatcher): SilenceMatcherShape {
  return { name: label, value, isEqual: op === '=' || op === '=~', isRegex: op === '=~' || op === '!~' }
}
