import { z } from 'zod'
import { atPath, nearestNames, type Diagnostic, type JsonPath } from '../base/index.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { describeValue } from './excerpt.ts'

/** Receives the issues that a schema's own checks find. */
export interface IssueSink {
  addIssue(issue: {
    readonly code: 'custom'
    readonly path: PropertyKey[]
    readonly params: { readonly diagnostic: Diagnostic }
    readonly input: undefined
  }): void
}

/** Reports a diagnostic from inside a schema; its position comes from the issue's path. */
export function raise(context: IssueSink, diagnostic: Diagnostic, path: JsonPath = []): never {
  context.addIssue({ code: 'custom', path: [...path], params: { diagnostic }, input: undefined })
  return z.NEVER
}

const NAMES_OF_TYPES: { readonly [type: string]: string } = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'an object',
  map: 'an object',
  record: 'an object',
}

/** Returns the value at a path of a body; `undefined` if there is none. */
function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root
  for (const step of path) {
    if (value instanceof Map) value = value.get(step)
    else if (typeof value === 'object' && value !== null) value = Object.getOwnPropertyDescriptor(value, step)?.value
    else return undefined
  }
  return value
}

/** Unknown member names by the object that had them. */
export type StrayNames = ReadonlyMap<object, readonly string[]>

function missing(path: JsonPath, root: unknown, strays: StrayNames): Diagnostic {
  const name = String(path.at(-1) ?? '')
  const owner = valueAt(root, path.slice(0, -1))
  const names = typeof owner === 'object' && owner !== null ? (strays.get(owner) ?? []) : []
  return wireDiagnostic('missing-member', { name, near: nearestNames(name, names) }, atPath(path))
}

function rangeOf(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const isBig = issue.code === 'too_big'
  const bound = String(isBig ? issue.maximum : issue.minimum)
  if (issue.origin === 'string')
    return isBig
      ? `at most ${bound} characters long`
      : bound === '1'
        ? 'not empty'
        : `at least ${bound} characters long`
  if (issue.origin === 'array') return isBig ? `a list of at most ${bound} items` : `a list of at least ${bound} items`
  return isBig ? `at most ${bound}` : `at least ${bound}`
}

/** Converts an issue of the schema library to a diagnostic with its position in the body. */
export function toDiagnostic(issue: z.core.$ZodIssue, root: unknown, strays: StrayNames): Diagnostic {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const where = atPath(path)
  const value = valueAt(root, path)
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined && path.length > 0) return missing(path, root, strays)
      return wireDiagnostic(
        'wrong-type',
        { expected: NAMES_OF_TYPES[issue.expected] ?? issue.expected, found: describeValue(value) },
        where,
      )
    case 'invalid_union': {
      const types = issue.errors
        .flat()
        .flatMap((each) => (each.code === 'invalid_type' ? [NAMES_OF_TYPES[each.expected] ?? each.expected] : []))
      return wireDiagnostic('wrong-type', { expected: types.join(' or '), found: describeValue(value) }, where)
    }
    case 'invalid_value': {
      const known = issue.values.map(String)
      if (value === undefined && path.length > 0) return missing(path, root, strays)
      if (typeof value !== 'string')
        return wireDiagnostic('wrong-type', { expected: 'text', found: describeValue(value) }, where)
      return wireDiagnostic(
        'unknown-word',
        { word: value.slice(0, 60), near: nearestNames(value, known), known },
        where,
      )
    }
    case 'too_big':
    case 'too_small':
      return wireDiagnostic('out-of-range', { limit: rangeOf(issue) }, where)
    case 'custom': {
      const diagnostic: unknown = issue.params?.diagnostic
      if (isDiagnostic(diagnostic)) return { ...diagnostic, origin: where }
      return wireDiagnostic('bad-format', { expected: 'another value', found: describeValue(value) }, where)
    }
    default:
      return wireDiagnostic('bad-format', { expected: 'another value', found: describeValue(value) }, where)
  }
}

function isDiagnostic(value: unknown): value is Diagnostic {
  return typeof value === 'object' && value !== null && 'code' in value && 'origin' in value
}
