import { nearestNames, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { NO_VALUE, parameterText, type Parameters, type ParameterValue } from '../parameter-values.ts'
import { origin } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'

const KEY = '$parameter'
/** Members that hold values, in small letters, and whether these are numbers. */
const members: ReadonlyMap<string, boolean> = new Map([
  ['value', false],
  ['args', false],
  ['scalar', false],
  ['timeoffset', false],
  ['limit', true],
  ['offset', true],
  ['sample', true],
])
/** Deeper bodies are refused when they are decoded. */
const MAX_DEPTH = 512

function parameterOf(value: object): string | undefined {
  const [first, ...others] = Object.entries(value)
  return first?.[0] === KEY && others.length === 0 && typeof first[1] === 'string' ? first[1] : undefined
}

function plain(value: ParameterValue): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each as ParameterValue))
  return typeof value === 'number' || typeof value === 'boolean' ? value : parameterText(value)
}

/** A body whose `{"$parameter": "name"}` have become the values of these names; the members that take them are values. */
export function bindJson(
  body: unknown,
  parameters: Parameters = {},
): { readonly body: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const used = new Set<string>()

  function valueOf(name: string, path: JsonPath): unknown {
    used.add(name)
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
    if (typeof value !== 'object' || value === null || value instanceof Map || path.length > MAX_DEPTH) return value
    if (Array.isArray(value)) {
      return value.flatMap((item: unknown, i): readonly unknown[] => {
        const bound = bind(item, [...path, i])
        // A list among values is these values.
        return Array.isArray(bound) && !Array.isArray(item) ? bound : [bound]
      })
    }
    const name = parameterOf(value)
    if (name !== undefined) return valueOf(name, path)
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, bind(inner as unknown, [...path, member])]),
    )
  }

  const bound = bind(body, [])
  for (const name of Object.keys(parameters))
    if (!used.has(name)) diagnostics.push(jsonDiagnostic('unused-parameter', { name, used: [...used] }, origin([])))
  return { body: used.size === 0 ? body : bound, diagnostics }
}
