import { oncePer } from '../base/index.ts'
import { matchesField, plainName, type FieldPattern } from '../plan/index.ts'

/** Field pattern that matches every name. */
export const anyName: FieldPattern = { parts: ['', ''] }

/** True if `a` certainly matches every name that `b` matches. False may also mean that this was not decided. */
export function covers(a: FieldPattern, b: FieldPattern): boolean {
  const name = plainName(b)
  if (name !== undefined) return matchesField(a, name)
  if (a.parts.length === 2 && a.parts[1] === '') return (b.parts[0] ?? '').startsWith(a.parts[0] ?? '')
  return a.parts.length === b.parts.length && a.parts.every((part, i) => part === b.parts[i])
}

/** True if some name may match both patterns. True may also mean that this was not decided. */
export function mayOverlap(a: FieldPattern, b: FieldPattern): boolean {
  const [left, right] = [plainName(a), plainName(b)]
  if (left !== undefined) return matchesField(b, left)
  if (right !== undefined) return matchesField(a, right)
  const [start, otherStart] = [a.parts[0] ?? '', b.parts[0] ?? '']
  const [end, otherEnd] = [a.parts.at(-1) ?? '', b.parts.at(-1) ?? '']
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  )
}

/** Returns a function that tests whether any pattern matches a name. Plain names are looked up in a set. */
export const fieldMatcher = oncePer((patterns: readonly FieldPattern[]): ((name: string) => boolean) => {
  const names = new Set(patterns.map(plainName))
  const wild = patterns.filter((pattern) => plainName(pattern) === undefined)
  return (name) => names.has(name) || wild.some((pattern) => matchesField(pattern, name))
})

/** A set of field patterns. Plain names are in a separate `Set`, since there can be thousands. */
class Patterns {
  readonly names: Set<string>
  wild: readonly FieldPattern[]

  constructor(names: Iterable<string> = [], wild: readonly FieldPattern[] = []) {
    this.names = new Set(names)
    this.wild = wild
  }

  copy(): Patterns {
    return new Patterns(this.names, this.wild)
  }

  matches(name: string): boolean {
    return this.names.has(name) || this.wild.some((pattern) => matchesField(pattern, name))
  }

  /** True if one of the patterns matches every name that `pattern` matches. */
  cover(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    return name === undefined ? this.wild.some((each) => covers(each, pattern)) : this.matches(name)
  }

  overlap(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    if (name !== undefined) return this.matches(name)
    return this.wild.some((each) => mayOverlap(each, pattern)) || this.#namesIn(pattern).length > 0
  }

  add(pattern: FieldPattern): void {
    const name = plainName(pattern)
    if (name === undefined) this.wild = [...this.wild, pattern]
    else this.names.add(name)
  }

  /** Removes the patterns that `pattern` covers. Returns true if one of them had a star. */
  dropCovered(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    if (name !== undefined) {
      this.names.delete(name)
      return false
    }
    for (const covered of this.#namesIn(pattern)) this.names.delete(covered)
    return this.#keepWild((each) => !covers(pattern, each))
  }

  /** Removes the patterns that may match a name that `pattern` also matches. */
  dropOverlapping(pattern: FieldPattern): void {
    const name = plainName(pattern)
    if (name === undefined) for (const covered of this.#namesIn(pattern)) this.names.delete(covered)
    else this.names.delete(name)
    this.#keepWild((each) => !mayOverlap(each, pattern))
  }

  keep(isKept: (pattern: FieldPattern) => boolean): void {
    for (const name of this.names) if (!isKept({ parts: [name] })) this.names.delete(name)
    this.#keepWild(isKept)
  }

  list(): readonly FieldPattern[] {
    return [...Array.from(this.names, (name) => ({ parts: [name] })), ...this.wild]
  }

  #namesIn(pattern: FieldPattern): readonly string[] {
    return [...this.names].filter((name) => matchesField(pattern, name))
  }

  #keepWild(isKept: (pattern: FieldPattern) => boolean): boolean {
    if (this.wild.length === 0) return false
    const kept = this.wild.filter(isKept)
    const hasDropped = kept.length < this.wild.length
    this.wild = kept
    return hasDropped
  }
}

/** Mutable copy of a field set, so that several changes need only one copy. */
export class FieldSetDraft {
  readonly allowed: Patterns
  readonly denied: Patterns

  constructor(allowed: Patterns, denied: Patterns) {
    this.allowed = allowed
    this.denied = denied
  }

  has(name: string): boolean {
    return this.allowed.matches(name) && !this.denied.matches(name)
  }

  /** True if some name of the set may match `pattern`. */
  overlaps(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    if (name !== undefined) return this.has(name)
    if (this.denied.cover(pattern)) return false
    if (this.allowed.wild.some((each) => mayOverlap(each, pattern) && !this.denied.cover(each))) return true
    for (const each of this.allowed.names) if (matchesField(pattern, each) && !this.denied.matches(each)) return true
    return false
  }

  add(patterns: Iterable<FieldPattern>): this {
    for (const pattern of patterns) {
      this.denied.dropOverlapping(pattern)
      if (this.allowed.cover(pattern)) continue
      this.allowed.dropCovered(pattern)
      this.allowed.add(pattern)
    }
    return this
  }

  remove(patterns: Iterable<FieldPattern>): this {
    let hasDropped = false
    for (const pattern of patterns) {
      hasDropped = this.allowed.dropCovered(pattern) || hasDropped
      if (this.denied.cover(pattern) || !this.allowed.overlap(pattern)) continue
      this.denied.dropCovered(pattern)
      this.denied.add(pattern)
    }
    // A denied pattern has an effect only if it overlaps an allowed pattern that remains.
    if (hasDropped) this.denied.keep((each) => this.allowed.overlap(each))
    return this
  }
}

/**
 * A set of field names: the names that match an allowed pattern and no denied pattern. If the exact result of an
 * operation cannot be expressed, the operation returns a larger set.
 */
export class FieldSet {
  static readonly none = new FieldSet(new FieldSetDraft(new Patterns(), new Patterns()))
  static readonly all = new FieldSet(new FieldSetDraft(new Patterns([], [anyName]), new Patterns()))

  readonly #draft: FieldSetDraft

  private constructor(draft: FieldSetDraft) {
    this.#draft = draft
  }

  static of(patterns: Iterable<FieldPattern>): FieldSet {
    return FieldSet.none.with(patterns)
  }

  static named(names: Iterable<string>): FieldSet {
    return new FieldSet(new FieldSetDraft(new Patterns(names), new Patterns()))
  }

  get allowed(): readonly FieldPattern[] {
    return this.#draft.allowed.list()
  }

  get denied(): readonly FieldPattern[] {
    return this.#draft.denied.list()
  }

  has(name: string): boolean {
    return this.#draft.has(name)
  }

  /** True if an allowed pattern matches the name but a denied one excludes it. */
  hides(name: string): boolean {
    const { allowed, denied } = this.#draft
    return allowed.matches(name) && denied.matches(name)
  }

  /** True if some name of the set may match `pattern`. */
  overlaps(pattern: FieldPattern): boolean {
    return this.#draft.overlaps(pattern)
  }

  /** Returns a changed copy of the set. */
  changed(change: (draft: FieldSetDraft) => void): FieldSet {
    const { allowed, denied } = this.#draft
    const draft = new FieldSetDraft(allowed.copy(), denied.copy())
    change(draft)
    return new FieldSet(draft)
  }

  with(patterns: Iterable<FieldPattern>): FieldSet {
    return this.changed((draft) => draft.add(patterns))
  }

  without(patterns: Iterable<FieldPattern>): FieldSet {
    return this.changed((draft) => draft.remove(patterns))
  }

  /** Returns, as a field set, those of the patterns that match a name in this set. */
  among(patterns: Iterable<FieldPattern>): FieldSet {
    return FieldSet.of([...patterns].filter((pattern) => this.overlaps(pattern)))
  }

  /** Returns all names if the set is finite; else `undefined`. */
  names(): readonly string[] | undefined {
    const { allowed, denied } = this.#draft
    return allowed.wild.length > 0 ? undefined : [...allowed.names].filter((name) => !denied.matches(name))
  }
}
