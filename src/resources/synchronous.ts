import { invariant } from '../base/index.ts'

/** Gives the result of a transaction's work back; a promise would go on after the commit. */
export function checkSynchronous<T>(result: T): T {
  const isPromise = typeof result === 'object' && result !== null && 'then' in result
  invariant(!isPromise, 'the work of a transaction is synchronous')
  return result
}
