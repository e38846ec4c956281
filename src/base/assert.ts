/** A broken invariant of the program; input never causes it. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Throws an InvariantError unless the condition holds, in production too: a failed query is better than a wrong answer.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/**
 * Returns a value that must exist, such as an element within bounds or a key that was added; otherwise throws an
 * InvariantError. Not for loops over rows.
 */
export function present<T>(value: T | undefined, what = 'a value'): T {
  if (value === undefined) throw new InvariantError(`${what} is missing`)
  return value
}

/** Asserts that a branch is unreachable because a closed union has no other member. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected ${JSON.stringify(value)}`)
}
