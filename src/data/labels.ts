import { compareText } from './semantics/compare.ts'

export const METRIC_NAME = '__name__'

/** Limits on the labels of one series. */
export const labelLimits = {
  count: 128,
  /** UTF-16 units of all names and values together. */
  chars: 64 * 1024,
} as const

/** A label's name and value. */
export type LabelPair = readonly [name: string, value: string]

/** Escapes a string so that it contains no separator of a key. */
function keyPart(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 2) return escapeSeparators(text)
  return text
}

function escapeSeparators(text: string): string {
  return text.replaceAll('\0', '\u00000').replaceAll('\u0001', '\u00001').replaceAll('\u0002', '\u00002')
}

/**
 * Names of the last key that was made. Successive sets often have the same names and most of the same values, so the
 * parts of the last key are reused.
 */
let keyNames: readonly string[] = []
let nameParts: readonly string[] = []
let keyValues: readonly string[] = []
let valueParts: string[] = []

function makeKey(names: readonly string[], values: readonly string[]): string {
  if (names !== keyNames) {
    keyNames = names
    nameParts = names.map((name) => `${keyPart(name)}\u0001`)
    keyValues = []
    valueParts = []
  }
  let key = ''
  for (let i = 0; i < nameParts.length; i++) {
    const value = values[i] ?? ''
    if (value !== keyValues[i]) valueParts[i] = `${keyPart(value)}\u0002`
    key += `${nameParts[i]}${valueParts[i]}`
  }
  keyValues = values
  return key
}

let precedes: (labels: Labels, other: Labels) => boolean

/**
 * An immutable set of labels, sorted by name. A label with an empty value is equivalent to no label and is never
 * stored. Two sets are equal if and only if their keys are.
 */
export class Labels {
  static readonly empty = new Labels([], [])

  readonly names: readonly string[]
  readonly values: readonly string[]
  #key: string | undefined
  #chars: number | undefined
  /** Cache for `isBefore`: a set that is known to sort after this set. */
  #later: Labels | undefined

  static {
    precedes = (labels, other) => {
      if (labels.#later === other) return true
      if (compareLabels(labels, other) >= 0) return false
      labels.#later = other
      return true
    }
  }

  private constructor(names: readonly string[], values: readonly string[]) {
    this.names = names
    this.values = values
  }

  /** Makes a set from pairs in any order. If a name occurs several times, its last pair is used. */
  static from(given: Iterable<LabelPair>): Labels {
    const pairs: readonly LabelPair[] = Array.isArray(given) ? given : [...given]
    const names: string[] = []
    const values: string[] = []
    let before: string | undefined
    for (const [name, value] of pairs) {
      if (value === '' || (before !== undefined && compareText(before, name) >= 0)) return Labels.#fromAny(pairs)
      names.push(name)
      values.push(value)
      before = name
    }
    return Labels.fromSorted(names, values)
  }

  static #fromAny(pairs: readonly LabelPair[]): Labels {
    const byName = new Map(pairs)
    const sorted = [...byName].filter(([, value]) => value !== '').sort((a, b) => compareText(a[0], b[0]))
    if (sorted.length === 0) return Labels.empty
    return new Labels(
      sorted.map(([name]) => name),
      sorted.map(([, value]) => value),
    )
  }

  /** Makes a set from an object's own members, for literals in code and for decoded JSON. */
  static of(record: Readonly<Record<string, string>>): Labels {
    return Labels.from(Object.entries(record))
  }

  /** Makes a set from sorted, unique names with non-empty values, for decoders that guarantee this. */
  static fromSorted(names: readonly string[], values: readonly string[]): Labels {
    return names.length === 0 ? Labels.empty : new Labels(names, values)
  }

  get size(): number {
    return this.names.length
  }

  get key(): string {
    return (this.#key ??= makeKey(this.names, this.values))
  }

  /** UTF-16 units of all names and values. */
  get chars(): number {
    if (this.#chars !== undefined) return this.#chars
    let chars = 0
    for (const [i, name] of this.names.entries()) chars += name.length + (this.values[i] ?? '').length
    return (this.#chars = chars)
  }

  /** Returns the value, or `''` when there is no such label. */
  get(name: string): string {
    const index = this.names.indexOf(name)
    return this.values[index] ?? ''
  }

  has(name: string): boolean {
    return this.names.includes(name)
  }

  get metricName(): string {
    return this.get(METRIC_NAME)
  }

  equals(other: Labels): boolean {
    return this === other || this.key === other.key
  }

  /** Returns the set with this label added or replaced, or without the label if the value is empty. */
  with(name: string, value: string): Labels {
    if (value === '') return this.has(name) ? this.without([name]) : this
    const index = this.names.indexOf(name)
    if (index !== -1) {
      if (this.values[index] === value) return this
      return new Labels(this.names, this.values.with(index, value))
    }
    let at = 0
    for (let own = this.names[at]; own !== undefined && compareText(own, name) < 0; own = this.names[at]) at++
    return new Labels(this.names.toSpliced(at, 0, name), this.values.toSpliced(at, 0, value))
  }

  without(names: readonly string[]): Labels {
    if (!this.names.some((name) => names.includes(name))) return this
    return this.#filter((name) => !names.includes(name))
  }

  keep(names: readonly string[]): Labels {
    if (this.names.every((name) => names.includes(name))) return this
    return this.#filter((name) => names.includes(name))
  }

  withoutName(): Labels {
    return this.without([METRIC_NAME])
  }

  #filter(wanted: (name: string) => boolean): Labels {
    const names: string[] = []
    const values: string[] = []
    for (const [i, name] of this.names.entries()) {
      if (!wanted(name)) continue
      names.push(name)
      values.push(this.values[i] ?? '')
    }
    return Labels.fromSorted(names, values)
  }

  /** Returns a key of only these labels. Two sets have equal keys if and only if they agree in these labels. */
  keyOf(names: readonly string[]): string {
    let key = ''
    for (const name of names) key += `${keyPart(this.get(name))}\u0002`
    return key
  }

  /** Returns a key of all labels except these. */
  keyWithout(names: readonly string[]): string {
    let key = ''
    for (const [i, name] of this.names.entries()) {
      if (!names.includes(name)) key += `${keyPart(name)}\u0001${keyPart(this.values[i] ?? '')}\u0002`
    }
    return key
  }

  toPairs(): readonly LabelPair[] {
    return this.names.map((name, i) => [name, this.values[i] ?? ''] as const)
  }

  /** Returns a null-prototype record, for answers. */
  toRecord(): Readonly<Record<string, string>> {
    const record = Object.create(null) as Record<string, string>
    for (const [i, name] of this.names.entries()) record[name] = this.values[i] ?? ''
    return record
  }

  /** Writes `name{a="b"}` with Go's quoting; `{}` when empty. */
  toString(): string {
    const parts: string[] = []
    for (let i = 0; i < this.names.length; i++) parts.push(`${this.names[i]}=${JSON.stringify(this.values[i])}`)
    return `{${parts.join(', ')}}`
  }
}

/**
 * Compares label by label, first names and then values, as bytes. A set that is the beginning of the other set comes
 * first.
 */
export function compareLabels(a: Labels, b: Labels): number {
  if (a === b) return 0
  const length = Math.min(a.size, b.size)
  for (let i = 0; i < length; i++) {
    const byName = compareText(a.names[i] ?? '', b.names[i] ?? '')
    if (byName !== 0) return byName
    const byValue = compareText(a.values[i] ?? '', b.values[i] ?? '')
    if (byValue !== 0) return byValue
  }
  return a.size - b.size
}

/**
 * Returns whether one set sorts before another in the order of `compareLabels`. The result is cached for repeated
 * comparisons.
 */
export function isBefore(a: Labels, b: Labels): boolean {
  return precedes(a, b)
}
