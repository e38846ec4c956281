/** A broken promise inside the program; never caused by input. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Stays on in production: one comparison is cheaper than a wrong answer. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Marks the branch that a closed union makes impossible. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected ${JSON.stringify(value)}`)
}
