import { oncePer } from '../base/index.ts'
import { matchesField, plainName, type FieldPattern } from '../plan/index.ts'

/** Every name. */
export const anyName: FieldPattern = { parts: ['', ''] }

/** Whether every name that `b` matches, `a` matches too; `false` where that is hard to tell. */
export function covers(a: FieldPattern, b: FieldPattern): boolean {
  const name = plainName(b)
  if (name !== undefined) return matchesField(a, name)
  if (a.parts.length === 2 && a.parts[1] === '') return (b.parts[0] ?? '').startsWith(a.parts[0] ?? '')
  return a.parts.length === b.parts.length && a.parts.every((part, i) => part === b.parts[i])
}

/** Whether some name may match both; `true` where that is hard to tell. */
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

/** Whether some of the patterns match a name; plain names are found at once. */
export const fieldMatcher = oncePer((patterns: readonly FieldPattern[]): ((name: string) => boolean) => {
  const names = new Set(patterns.map(plainName))
  const wild = patterns.filter((pattern) => plainName(pattern) === undefined)
  return (name) => names.has(name) || wild.some((pattern) => matchesField(pattern, name))
})

/** Field patterns, plain names apart from the others: there can be thousands of names, and each is found at once. */
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

  /** Whether one of them covers all of a pattern. */
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

  /** Takes away what a pattern covers; whether a pattern that is not a plain name was among it. */
  dropCovered(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    if (name !== undefined) {
      this.names.delete(name)
      return false
    }
    for (const covered of this.#namesIn(pattern)) this.names.delete(covered)
    return this.#keepWild((each) => !covers(pattern, each))
  }

  /** Takes away what may have a name in common with a pattern. */
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

/** A set of field names on its way to another: what many steps change one after the other, copied once. */
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

  /** Whether some name of the set may match. */
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
    // What is denied has something to deny as long as no pattern above it goes.
    if (hasDropped) this.denied.keep((each) => this.allowed.overlap(each))
    return this
  }
}

/**
 * A set of field names: those that match something allowed and nothing denied. Operations err on the side of more
 * names, so a set always holds what it was asked to hold.
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

  /** Whether a name is left out of all that a pattern matches. */
  hides(name: string): boolean {
    const { allowed, denied } = this.#draft
    return allowed.matches(name) && denied.matches(name)
  }

  /** Whether some name of the set may match. */
  overlaps(pattern: FieldPattern): boolean {
    return this.#draft.overlaps(pattern)
  }

  /** The set after some changes. */
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

  /** Of these patterns, those with a name in the set. */
  among(patterns: Iterable<FieldPattern>): FieldSet {
    return FieldSet.of([...patterns].filter((pattern) => this.overlaps(pattern)))
  }

  /** All names, when there are only so many. */
  names(): readonly string[] | undefined {
    const { allowed, denied } = this.#draft
    return allowed.wild.length > 0 ? undefined : [...allowed.names].filter((name) => !denied.matches(name))
  }
}
