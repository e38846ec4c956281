import {
  MAX_JSON_DEPTH,
  nearestNames,
  SluiceError,
  work,
  type Diagnostic,
  type JsonPath,
  type JsonValue,
} from '../../base/index.ts'
import { durations, findPlaceholders, type Candidate, type Placeholders } from '../placeholders.ts'
import { NO_VALUE, parameterText, type Parameters, type ParameterValue } from '../parameter-values.ts'
import { origin } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { listedTexts, takesLists } from './operators/definition.ts'
import { operatorNamed } from './operators/index.ts'

const KEY = '$parameter'
/** JSON members that hold values, by lower-case name; the map value is true if the member holds numbers. */
const members: ReadonlyMap<string, boolean> = new Map([
  ['value', false],
  ['args', false],
  ['scalar', false],
  ['timeoffset', false],
  ['limit', true],
  ['offset', true],
  ['sample', true],
])

function parameterOf(value: object): string | undefined {
  const [first, ...others] = Object.entries(value)
  return first?.[0] === KEY && others.length === 0 && typeof first[1] === 'string' ? first[1] : undefined
}

function plain(value: ParameterValue): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each as ParameterValue))
  return typeof value === 'number' || typeof value === 'boolean' ? value : parameterText(value)
}

/** Wraps a string parameter in a list if the operator would otherwise parse the string as a JSON list. */
function asOneText(bound: unknown, op: unknown): unknown {
  if (typeof bound !== 'string' || typeof op !== 'string' || listedTexts(bound) === undefined) return bound
  const operator = operatorNamed(op)
  return operator !== undefined && takesLists(operator) ? [bound] : bound
}

/** Calls `found` with the name and path of every parameter in a body. */
function eachParameter(value: unknown, path: JsonPath, found: (name: string, path: JsonPath) => void): void {
  if (typeof value !== 'object' || value === null || value instanceof Map || path.length > MAX_JSON_DEPTH) return
  const name = Array.isArray(value) ? undefined : parameterOf(value)
  if (name !== undefined) found(name, path)
  else if (Array.isArray(value)) value.forEach((item: unknown, i) => eachParameter(item, [...path, i], found))
  else for (const [member, inner] of Object.entries(value)) eachParameter(inner, [...path, member], found)
}

/** Kinds of stand-in values for parameters of a body, most common kind first. */
const candidates: readonly Candidate[] = [
  { values: (i) => [`zqa*${i}qz`, `zqb*${i}qz`] },
  { values: (i) => [731_000_010 + i, 732_000_010 + i] },
  { values: (i) => [Number(`0.73100${10 + i}1`), Number(`0.73200${10 + i}1`)] },
  durations(73_100_010, 73_200_010),
  { values: () => ['hour', 'minute'], isWord: true },
]

/**
 * True if an error at path `found` may concern a parameter: one path is a prefix of the other, and the error is at most
 * two levels above the parameter.
 */
function isNear(found: JsonPath, parameter: JsonPath): boolean {
  const shared = Math.min(found.length, parameter.length)
  const plain = (step: string | number | undefined): unknown => (typeof step === 'string' ? step.toLowerCase() : step)
  return (
    parameter.length - found.length <= 2 &&
    found.slice(0, shared).every((step, i) => plain(step) === plain(parameter[i]))
  )
}

/**
 * Finds stand-in values for the parameters of a body; `undefined` if the body has none. `faultsOf` reads the body with
 * given values in place of its parameters, and returns or throws the errors.
 */
export function placeholdersOf(
  body: unknown,
  faultsOf: (body: unknown) => readonly Diagnostic[],
): Placeholders | undefined {
  const pathsOfNames = new Map<string, JsonPath[]>()
  eachParameter(body, [], (name, path) => pathsOfNames.set(name, [...(pathsOfNames.get(name) ?? []), path]))
  if (pathsOfNames.size === 0) return undefined
  return findPlaceholders([...pathsOfNames.keys()], candidates, (parameters) => {
    const found = diagnosticsOf(() => {
      const bound = bindJson(body, parameters)
      return bound.diagnostics.length > 0 ? bound.diagnostics : faultsOf(bound.body)
    })
    const paths = found.flatMap(({ origin: at }) => (at.kind === 'json' ? [at.path] : []))
    return [...pathsOfNames].flatMap(([name, own]) =>
      own.some((ownPath) => paths.some((path) => isNear(path, ownPath))) ? [name] : [],
    )
  })
}

function diagnosticsOf(read: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics
    throw error
  }
}

/** Returns the JSON form of a parameter, `{"$parameter": name}`. */
export function parameterJson(name: string): JsonValue {
  return { [KEY]: name }
}

/** True if all of the names occur as parameters in a body. */
export function hasParameters(body: unknown, names: readonly string[]): boolean {
  const found = new Set<string>()
  eachParameter(body, [], (name) => found.add(name))
  return names.every((name) => found.has(name))
}

/**
 * Replaces `{"$parameter": "name"}` by the parameter's value in members that hold values. Reports unused parameters,
 * except those in `usedElsewhere`, which other texts of the same request use.
 */
export function bindJson(
  body: unknown,
  parameters: Parameters = {},
  usedElsewhere: readonly string[] = [],
): { readonly body: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const used = new Set(usedElsewhere)
  let isBound = false

  function valueOf(name: string, path: JsonPath): unknown {
    used.add(name)
    isBound = true
    const known = Object.keys(parameters)
    const report = (found: Diagnostic): undefined => {
      diagnostics.push(found)
      return undefined
    }
    const member = path.findLast((step) => typeof step === 'string')?.toLowerCase() ?? ''
    const isNumber = members.get(member)
    if (isNumber === undefined) return report(jsonDiagnostic('parameter-as-name', { name }, origin(path)))
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!Object.hasOwn(parameters, name)) {
      const near = nearestNames(name, known)
      return report(jsonDiagnostic('missing-parameter', { name, known, near }, origin(path)))
    }
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (all.some((each) => parameterText(each) === undefined))
      return report(jsonDiagnostic('bad-parameter', { name, reason: NO_VALUE }, origin(path)))
    const isWrong = isNumber && typeof value !== 'number' && typeof value !== 'bigint'
    if (isWrong) return report(jsonDiagnostic('bad-parameter', { name, reason: 'a number stands there' }, origin(path)))
    const made = plain(value as ParameterValue)
    return isNumber ? Number(made) : member === 'scalar' ? String(made) : made
  }

  function bind(value: unknown, path: JsonPath): unknown {
    work(2)
    if (typeof value !== 'object' || value === null || value instanceof Map || path.length > MAX_JSON_DEPTH)
      return value
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, i): readonly unknown[] => {
        const bound = bind(item, [...path, i])
        // A list parameter inside a list of values adds its items, not a nested list.
        return Array.isArray(bound) && !Array.isArray(item) ? bound : [bound]
      })
    }
    const name = parameterOf(value)
    if (name !== undefined) return valueOf(name, path)
    const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    const operator = entries.find(([member]) => member.toLowerCase() === 'op')?.[1]
    return Object.fromEntries(
      entries.map(([member, inner]) => {
        const bound = bind(inner, [...path, member])
        return [member, bound === inner ? inner : asOneText(bound, operator)]
      }),
    )
  }

  const bound = bind(body, [])
  for (const name of Object.keys(parameters))
    if (!used.has(name)) diagnostics.push(jsonDiagnostic('unused-parameter', { name, used: [...used] }, origin([])))
  return { body: isBound ? bound : body, diagnostics }
}
