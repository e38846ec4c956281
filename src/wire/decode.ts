import type { z } from 'zod'
import { MAX_FAULTS, MAX_JSON_DEPTH, SluiceError, atPath, nowhere, type Diagnostic } from '../base/index.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { halfSurrogateAt } from './half-surrogate.ts'
import { toDiagnostic } from './issues.ts'
import { isDeeperThan, parseJson } from './json-text.ts'
import { Tidier } from './tidy.ts'

/**
 * Validates a value against a schema. The result has members in the spelling of the specification, without absent ones;
 * times are ns (`bigint`), objects with user-defined names are a `Map`. Throws a `SluiceError` with JSON paths.
 */
export function decode<S extends z.ZodType>(
  schema: S,
  value: unknown,
  /** With `refusesUnknown` unknown members are errors; by default they are ignored. */
  { refusesUnknown = false }: { readonly refusesUnknown?: boolean } = {},
): z.output<S> {
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new SluiceError([wireDiagnostic('too-deep', { limit: MAX_JSON_DEPTH }, nowhere)])
  }
  return decodeTidied(schema, value, new Tidier(refusesUnknown))
}

/** Like `decode`, for the bytes or text of a body. */
export function decodeBody<S extends z.ZodType>(schema: S, body: Uint8Array | string): z.output<S> {
  return decodeParsed(schema, parseJson(body))
}

/** Like `decode`, for a value of `parseJson`, whose depth is checked. */
export function decodeParsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return decodeTidied(schema, value, new Tidier())
}

function decodeTidied<S extends z.ZodType>(schema: S, value: unknown, tidier: Tidier): z.output<S> {
  const tidied = tidier.tidy(schema, value)
  if (tidier.diagnostics.length > 0) throw new SluiceError(tidier.diagnostics.slice(0, MAX_FAULTS))
  const half = halfSurrogateAt(tidied)
  if (half !== undefined) throw new SluiceError([wireDiagnostic('half-surrogate', undefined, atPath(half))])
  const result = schema.safeParse(tidied)
  if (result.success) return result.data
  const faults = new Map<string, Diagnostic>()
  for (const issue of result.error.issues) {
    if (faults.size === MAX_FAULTS) break
    // A schema may report one position twice, such as "no int" and "above its maximum".
    const key = JSON.stringify([issue.code, issue.path])
    if (!faults.has(key)) faults.set(key, toDiagnostic(issue, tidied, tidier.strays))
  }
  throw new SluiceError([...faults.values()])
}
