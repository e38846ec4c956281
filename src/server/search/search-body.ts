import type { z } from 'zod'
import { atPath, SluiceError, type Diagnostic } from '../../base/index.ts'
import { bindJson } from '../../lang/json/index.ts'
import { parameterNames, type Parameters } from '../../lang/log/index.ts'
import { decodeParsed, parseJson, searchParameterValues, type SearchBody } from '../../wire/index.ts'

const isNamed =
  (wanted: string) =>
  ([name]: readonly [string, unknown]): boolean =>
    name.toLowerCase() === wanted

/** Converts parameter values. Items of lists are validated when parameters are bound. */
function valuesOf(given: ReadonlyMap<string, unknown>): Parameters {
  return Object.fromEntries(given) as Parameters
}

/** Returns the parameters of a search by name. */
export function parametersOf({ parameters }: Pick<SearchBody, 'parameters'>): Parameters | undefined {
  return parameters === undefined ? undefined : valuesOf(parameters)
}

/**
 * Returns the parameters that a text uses. Parameters that only other texts use are thus not reported as unused in this
 * text.
 */
export function parametersIn(text: string, parameters: Parameters | undefined): Parameters | undefined {
  if (parameters === undefined) return undefined
  const named = parameterNames(text)
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => named.includes(name)))
}

/** Moves a diagnostic about an unused parameter to its key in `parameters`. */
function atMember(diagnostic: Diagnostic, member: string): Diagnostic {
  const { code, data } = diagnostic
  return code === 'json/unused-parameter'
    ? { ...diagnostic, origin: atPath([member, String(data['name'])]) }
    : diagnostic
}

/** False if the bytes cannot contain a member `parameters` or `$parameter` in any spelling. */
function mayHaveParameters(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return /parameter|\\u/i.test(text)
}

/**
 * Returns a parser for the body of a search. Parameters in its pipeline and sources are replaced before validation,
 * because they may stand for numbers and strings. Parameters in query texts are bound later.
 */
export function readSearchBody<S extends z.ZodType>(schema: S): (bytes: Uint8Array) => z.output<S> {
  return (bytes) => {
    const body = parseJson(bytes)
    // Most bodies have no parameters, and searching the parsed body for them takes as long as all other checks.
    if (!mayHaveParameters(bytes)) return decodeParsed(schema, body)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return decodeParsed(schema, body)
    const members = Object.entries(body as Readonly<Record<string, unknown>>)
    const [member, value] = members.find(isNamed('parameters')) ?? ['parameters', undefined]
    const given = value ?? undefined
    // Errors in parameter values are reported together with all other errors of the body.
    const isObject = given === undefined || (typeof given === 'object' && !Array.isArray(given))
    const values = searchParameterValues.safeParse(isObject ? new Map(Object.entries(given ?? {})) : given)
    if (!values.success) return decodeParsed(schema, body)
    const texts = members.filter((each) => isNamed('query')(each) || isNamed('filters')(each))
    const names = texts.flatMap(([, text]) => (typeof text === 'string' ? parameterNames(text) : []))
    const rest = Object.fromEntries(members.filter(([name]) => name !== member || given === undefined))
    const bound = bindJson(rest, valuesOf(values.data), names)
    const faults = bound.diagnostics.map((each) => atMember(each, member))
    if (faults.length > 0) throw new SluiceError(faults)
    return decodeParsed(schema, given === undefined ? bound.body : { ...(bound.body as object), [member]: given })
  }
}
