import { z } from 'zod'
import { atPath, nearestNames, type Diagnostic, type JsonPath, MAX_INT64 } from '../base/index.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { isTakenAsText } from './schema.ts'

/** Maximum number of items in all lists of a body together, which bounds the time of validation. */
export const MAX_BODY_ITEMS = 20_000

const WHOLE = /^-?\d{1,19}$/
const DECIMAL = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

type AnySchema = z.core.$ZodType

/** Member names of each object schema by their lower-case form, cached. */
const namesOf = new WeakMap<AnySchema, ReadonlyMap<string, string>>()

function foldedNames(schema: AnySchema, shape: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  let names = namesOf.get(schema)
  if (names === undefined) {
    names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
    namesOf.set(schema, names)
  }
  return names
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Replaces an integer beyond the range of exact doubles by the largest exact one. Clients send such numbers as "no
 * limit".
 */
function wholeNumber(digits: bigint, original: unknown): unknown {
  if (digits > MAX_INT64 || digits < -MAX_INT64 - 1n) return original
  if (digits > BigInt(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER
  if (digits < BigInt(Number.MIN_SAFE_INTEGER)) return Number.MIN_SAFE_INTEGER
  return Number(digits)
}

function tidyNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return wholeNumber(value, Number(value))
  if (typeof value !== 'string') return value
  if (WHOLE.test(value)) return wholeNumber(BigInt(value), Number(value))
  return DECIMAL.test(value) ? Number(value) : value
}

/**
 * Adapts the bodies of real clients to the schemas: it accepts member names and words in any case and numbers as
 * strings, and removes `null`, `{}` and empty optional strings. It rejects nothing; the schema rejects what remains
 * wrong. Recurses along the schema; the caller has checked the depth.
 */
export class Tidier {
  readonly diagnostics: Diagnostic[] = []
  /**
   * Names of unknown members that were removed, by object. Errors about missing members mention them, since one of them
   * may be a misspelt name.
   */
  readonly strays = new Map<object, readonly string[]>()
  #items = 0
  readonly #path: (string | number)[] = []
  readonly #refusesUnknown: boolean

  constructor(refusesUnknown = false) {
    this.#refusesUnknown = refusesUnknown
  }

  tidy(schema: AnySchema, value: unknown): unknown {
    const def = (schema as z.core.$ZodTypes)._zod.def
    switch (def.type) {
      case 'optional':
      case 'default':
        return this.#tidyOptional(def.innerType, value)
      case 'lazy':
        return this.tidy(def.getter(), value)
      case 'pipe':
        return this.tidy(def.in, value)
      case 'nullable':
        return value === null ? null : this.tidy(def.innerType, value)
      case 'readonly':
        return this.tidy(def.innerType, value)
      case 'string':
        return isTakenAsText(schema, value) ? String(value) : value
      case 'number':
        return tidyNumber(value)
      case 'enum':
        return typeof value === 'string' ? tidyWord(value, Object.values(def.entries)) : value
      case 'object':
        return isPlainObject(value) ? this.#tidyObject(schema, def, value) : value
      case 'map':
        return isPlainObject(value) ? this.#tidyMap(def.valueType, value) : value
      case 'array':
        return Array.isArray(value) ? this.#tidyList(def.element, value) : value
      default:
        return value
    }
  }

  #tidyOptional(inner: AnySchema, value: unknown): unknown {
    const kind = kindOf(inner)
    if (kind === 'unknown') return value
    if (value === null || value === '') return undefined
    const tidied = this.tidy(inner, value)
    const canBeEmpty = (kind === 'object' || kind === 'map') && isPlainObject(tidied)
    if (canBeEmpty && (tidied instanceof Map ? tidied.size : Object.keys(tidied).length) === 0) return undefined
    return tidied
  }

  #tidyObject(schema: AnySchema, def: z.core.$ZodObjectDef, value: Readonly<Record<string, unknown>>): object {
    const names = foldedNames(schema, def.shape)
    const keepsUnknown = def.catchall !== undefined
    const tidied: Record<string, unknown> = Object.create(null)
    const givenAs = new Map<string, string>()
    const strays: string[] = []
    for (const [given, member] of Object.entries(value)) {
      const known = names.get(given.toLowerCase())
      const shape = known === undefined ? undefined : def.shape[known]
      if (known === undefined || shape === undefined) {
        if (keepsUnknown) tidied[given] = member
        else if (this.#refusesUnknown) this.#reportUnknown(given, [...names.values()])
        strays.push(given)
        continue
      }
      if (member === null && !takesNull(shape)) continue
      this.#path.push(known)
      const tidiedMember = this.tidy(shape, member)
      if (tidiedMember !== undefined) {
        const first = givenAs.get(known)
        if (first !== undefined) this.#report(wireDiagnostic('duplicate-member', { name: given, first }, this.#here()))
        givenAs.set(known, given)
        tidied[known] = tidiedMember
      }
      this.#path.pop()
    }
    if (strays.length > 0) this.strays.set(tidied, strays)
    return tidied
  }

  #tidyMap(valueType: AnySchema, value: Readonly<Record<string, unknown>>): Map<string, unknown> {
    const tidied = new Map<string, unknown>()
    for (const [key, member] of Object.entries(value)) {
      if (!this.#count()) break
      this.#path.push(key)
      tidied.set(key, this.tidy(valueType, member))
      this.#path.pop()
    }
    return tidied
  }

  #tidyList(element: AnySchema, value: readonly unknown[]): unknown[] {
    const tidied: unknown[] = []
    for (const [index, item] of value.entries()) {
      if (!this.#count()) break
      this.#path.push(index)
      tidied.push(this.tidy(element, item))
      this.#path.pop()
    }
    return tidied
  }

  #count(): boolean {
    if (++this.#items === MAX_BODY_ITEMS + 1) {
      this.#report(wireDiagnostic('too-many-items', { limit: MAX_BODY_ITEMS }, this.#here()))
    }
    return this.#items <= MAX_BODY_ITEMS
  }

  #here(): ReturnType<typeof atPath> {
    const path: JsonPath = [...this.#path]
    return atPath(path)
  }

  #reportUnknown(name: string, known: readonly string[]): void {
    const where = atPath([...this.#path, name])
    this.#report(wireDiagnostic('unknown-member', { name, near: nearestNames(name, known, 1), known }, where))
  }

  #report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic)
  }
}

/** Returns the kind of a schema without wrappers such as `optional`. */
function kindOf(schema: AnySchema): string {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'lazy') return kindOf(def.getter())
  if (def.type === 'pipe') return kindOf(def.in)
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly') return kindOf(def.innerType)
  return def.type
}

function takesNull(schema: AnySchema): boolean {
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'optional') return takesNull(def.innerType)
  return def.type === 'unknown' || def.type === 'nullable'
}

function tidyWord(value: string, words: readonly unknown[]): string {
  const folded = value.trim().toLowerCase()
  for (const word of words) if (typeof word === 'string' && word.toLowerCase() === folded) return word
  return value
}
