import { invariant } from '../base/index.ts'

/** Returns the result of a transaction. Throws for a promise, because it would settle after the commit. */
export function checkSynchronous<T>(result: T): T {
  const isPromise = typeof result === 'object' && result !== null && 'then' in result
  invariant(!isPromise, 'the work of a transaction is synchronous')
  return result
}
