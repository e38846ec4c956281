import { matchesField, plainName, type FieldPattern } from '../plan/index.ts'

/** Every name. */
export const anyName: FieldPattern = { parts: ['', ''] }

/** Whether every name that `b` matches, `a` matches too; `false` where that is hard to tell. */
export function covers(a: FieldPattern, b: FieldPattern): boolean {
  const name = plainName(b)
  if (name !== undefined) return matchesField(a, name)
  if (a.parts.length === 2 && a.parts[1] === '') return b.parts[0].startsWith(a.parts[0])
  return a.parts.length === b.parts.length && a.parts.every((part, i) => part === b.parts[i])
}

/** Whether some name may match both; `true` where that is hard to tell. */
export function mayOverlap(a: FieldPattern, b: FieldPattern): boolean {
  const [left, right] = [plainName(a), plainName(b)]
  if (left !== undefined) return matchesField(b, left)
  if (right !== undefined) return matchesField(a, right)
  const [start, otherStart] = [a.parts[0], b.parts[0]]
  const [end, otherEnd] = [a.parts.at(-1) ?? '', b.parts.at(-1) ?? '']
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) && (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  )
}

/**
 * A set of field names: those that match something allowed and nothing denied. Operations err on the side of more
 * names, so a set always holds what it was asked to hold.
 */
export class FieldSet {
  static readonly none = new FieldSet([], [])
  static readonly all = new FieldSet([anyName], [])

  readonly allowed: readonly FieldPattern[]
  readonly denied: readonly FieldPattern[]

  private constructor(allowed: readonly FieldPattern[], denied: readonly FieldPattern[]) {
    this.allowed = allowed
    this.denied = denied
  }

  static of(patterns: Iterable<FieldPattern>): FieldSet {
    return FieldSet.none.with(patterns)
  }

  static named(names: Iterable<string>): FieldSet {
    return FieldSet.of([...names].map((name) => ({ parts: [name] })))
  }

  has(name: string): boolean {
    return (
      this.allowed.some((pattern) => matchesField(pattern, name)) &&
      !this.denied.some((pattern) => matchesField(pattern, name))
    )
  }

  /** Whether some name of the set may match. */
  overlaps(pattern: FieldPattern): boolean {
    const name = plainName(pattern)
    if (name !== undefined) return this.has(name)
    return this.allowed.some(
      (allowed) =>
        mayOverlap(allowed, pattern) &&
        !this.denied.some((denied) => covers(denied, pattern) || covers(denied, allowed)),
    )
  }

  with(patterns: Iterable<FieldPattern>): FieldSet {
    let { allowed, denied } = this
    for (const pattern of patterns) {
      denied = denied.filter((each) => !mayOverlap(each, pattern))
      if (allowed.some((each) => covers(each, pattern))) continue
      allowed = [...allowed.filter((each) => !covers(pattern, each)), pattern]
    }
    return new FieldSet(allowed, denied)
  }

  without(patterns: Iterable<FieldPattern>): FieldSet {
    let { allowed, denied } = this
    for (const pattern of patterns) {
      allowed = allowed.filter((each) => !covers(pattern, each))
      const isDenied = denied.some((each) => covers(each, pattern))
      if (!isDenied && allowed.some((each) => mayOverlap(each, pattern))) {
        denied = [...denied.filter((each) => !covers(pattern, each)), pattern]
      }
    }
    denied = denied.filter((each) => allowed.some((pattern) => mayOverlap(pattern, each)))
    return new FieldSet(allowed, denied)
  }

  union(other: FieldSet): FieldSet {
    const denied = [
      ...this.denied.filter((pattern) => !other.overlaps(pattern)),
      ...other.denied.filter((pattern) => !this.overlaps(pattern)),
    ]
    const both = FieldSet.of([...this.allowed, ...other.allowed])
    return new FieldSet(
      both.allowed,
      denied.filter(
        (pattern, i) =>
          !denied.some((each, j) => (j < i || (j > i && !covers(pattern, each))) && covers(each, pattern)),
      ),
    )
  }

  /** Of these patterns, those with a name in the set. */
  among(patterns: Iterable<FieldPattern>): FieldSet {
    return FieldSet.of([...patterns].filter((pattern) => this.overlaps(pattern)))
  }

  /** All names, when there are only so many. */
  names(): readonly string[] | undefined {
    const names: string[] = []
    for (const pattern of this.allowed) {
      const name = plainName(pattern)
      if (name === undefined) return undefined
      if (this.has(name)) names.push(name)
    }
    return names
  }
}
