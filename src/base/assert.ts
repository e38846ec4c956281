/** A broken promise inside the program; never caused by input. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Stays on in production: one comparison is cheaper than a wrong answer. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The value, where the program promises one: an index within bounds, a key that was put in. Not for loops over rows. */
export function present<T>(value: T | undefined, what = 'a value'): T {
  if (value === undefined) throw new InvariantError(`${what} is missing`)
  return value
}

/** Marks the branch that a closed union makes impossible. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected ${JSON.stringify(value)}`)
}
