import { Instant, JsonText } from '../../../data/index.ts'
import { standardFunctions, type Functions } from '../../../functions/index.ts'
import type { Aggregate } from '../../../plan/index.ts'
import { plainOfValue, valueOfPlain, type PlainKeyValue } from '../keys/plain-values.ts'

/** Property name that marks a value converted to plain data. */
const VALUE = '$value'

class NotPlain extends Error {}

/**
 * Converts a part of a plan to plain data that can be sent to another thread. `undefined` if it contains objects that
 * cannot be converted, or calls functions of a user.
 */
export function plainOf<T extends object>(plan: T, functions: Functions): T | undefined {
  const plain = (given: unknown): unknown => {
    if (typeof given === 'function' || typeof given === 'symbol') throw new NotPlain()
    if (typeof given !== 'object' || given === null) return given
    if (given instanceof Instant || given instanceof JsonText) return { [VALUE]: plainOfValue(given) }
    if (Array.isArray(given)) return given.map(plain)
    const prototype: unknown = Object.getPrototypeOf(given)
    if (prototype !== Object.prototype && prototype !== null) throw new NotPlain()
    const entries = Object.entries(given)
    const { kind, name } = given as { readonly kind?: unknown; readonly name?: unknown }
    if (kind === 'call' && typeof name === 'string') {
      if (functions.scalar.get(name) !== standardFunctions.scalar.get(name)) throw new NotPlain()
    }
    return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]))
  }
  try {
    return plain(plan) as T
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

/**
 * True if all called aggregate functions are standard functions, which every thread has. Functions of a user exist in
 * one thread only.
 */
export function areStandardCalls(aggregates: Aggregate['aggregates'], functions: Functions): boolean {
  return aggregates.every(({ call }) => functions.stats.get(call.fn) === standardFunctions.stats.get(call.fn))
}

/** Restores a part of a plan from the data of `plainOf`. */
export function ofPlain<T extends object>(plain: T): T {
  const made = (given: unknown): unknown => {
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map(made)
    if (VALUE in given) return valueOfPlain(given[VALUE] as PlainKeyValue)
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, made(value)]))
  }
  return made(plain) as T
}
