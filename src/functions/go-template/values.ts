import { compareText, type Labels } from '../../data/index.ts'

/**
 * A value of the template language, with Go's types: a bigint is an `int`, a number is a `float64`, and `null` is nil
 * or a missing value.
 */
export type GoValue =
  | string
  | boolean
  | bigint
  | number
  | null
  | GoInt64
  | GoMap
  | GoStruct
  | GoTime
  | GoDuration
  | GoList

export type GoList = readonly GoValue[]

type Entries = Iterable<readonly [string, GoValue]>

/** A map with strings as keys, iterated in the order of the keys. */
export class GoMap {
  /** True for `map[string]string`, where a missing key has the value `''` instead of nil. */
  readonly isOfStrings: boolean
  readonly #source: Entries | (() => Entries)
  #sorted: ReadonlyMap<string, GoValue> | undefined

  /** If `source` is a function, it is called when all entries are needed for the first time. */
  constructor(source: Entries | (() => Entries), isOfStrings = false) {
    this.#source = source
    this.isOfStrings = isOfStrings
  }

  static ofLabels(labels: Labels): GoMap {
    return new GoMap(labels.toPairs(), true)
  }

  get entries(): ReadonlyMap<string, GoValue> {
    if (this.#sorted === undefined) {
      const entries = typeof this.#source === 'function' ? this.#source() : this.#source
      this.#sorted = new Map([...entries].sort(([a], [b]) => compareText(a, b)))
    }
    return this.#sorted
  }

  get(key: string): GoValue {
    return this.entries.get(key) ?? (this.isOfStrings ? '' : null)
  }
}

/** A map of strings whose values are looked up one by one, without building the whole map. */
export class LookupMap extends GoMap {
  readonly #find: (key: string) => string | undefined

  constructor(all: () => Entries, find: (key: string) => string | undefined) {
    super(all, true)
    this.#find = find
  }

  override get(key: string): GoValue {
    return this.#find(key) ?? ''
  }
}

/** A struct: a value with named fields, in the order of declaration. */
export class GoStruct {
  readonly typeName: string
  readonly fields: ReadonlyMap<string, GoValue>
  /** True if functions return a pointer to the struct, which Go prints with `&`. */
  readonly isPointer: boolean
  /** Names of fields that are not printed with the struct. */
  readonly hidden: ReadonlySet<string>

  constructor(
    typeName: string,
    fields: Iterable<readonly [string, GoValue]>,
    { isPointer = false, hidden = [] }: { readonly isPointer?: boolean; readonly hidden?: readonly string[] } = {},
  ) {
    this.typeName = typeName
    this.fields = new Map(fields)
    this.isPointer = isPointer
    this.hidden = new Set(hidden)
  }
}

/** Go's `int64`. It prints and compares like an `int`, but is not accepted for a parameter of type `int`. */
export class GoInt64 {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A point in time, ns since 1970, always shown in UTC. */
export class GoTime {
  readonly ns: bigint
  /** True if functions return a pointer to the time. Only the name of the type depends on this. */
  readonly isPointer: boolean

  constructor(ns: bigint, isPointer = true) {
    this.ns = ns
    this.isPointer = isPointer
  }
}

/** A length of time, ns. */
export class GoDuration {
  readonly ns: bigint

  constructor(ns: bigint) {
    this.ns = ns
  }
}

/** Go type name of a series in a query result. */
export const SAMPLE = 'template.sample'

/** Go type name of a query result. */
export const SAMPLES = 'template.queryResult'

export function isList(value: GoValue): value is GoList {
  return Array.isArray(value)
}

/** Returns the name of a value's Go type, for messages and `%T`. */
export function typeName(value: GoValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int'
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
  }
  if (value === null) return '<nil>'
  if (value instanceof GoInt64) return 'int64'
  if (value instanceof GoMap) return value.isOfStrings ? 'map[string]string' : 'map[string]interface {}'
  if (value instanceof GoStruct) return `${value.isPointer ? '*' : ''}${value.typeName}`
  if (value instanceof GoTime) return value.isPointer ? '*time.Time' : 'time.Time'
  if (value instanceof GoDuration) return '*time.Duration'
  return SAMPLES
}

/** True if `if` accepts the value: it is not zero, empty, false or nil. */
export function isTrue(value: GoValue): boolean {
  if (value === null) return false
  if (value instanceof GoInt64) return value.value !== 0n
  if (value instanceof GoMap) return value.entries.size > 0
  if (isList(value)) return value.length > 0
  // NaN differs from zero, so Go treats it as true.
  return typeof value === 'number' ? value !== 0 : Boolean(value)
}
