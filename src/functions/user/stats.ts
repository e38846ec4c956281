import { ITEMS_PER_CHECKPOINT, Options, type JsonValue, type Meter } from '../../base/index.ts'
import type { DataType, Value } from '../../data/index.ts'
import type { Accumulator, StatsFunction, StatsImplementation } from '../definition.ts'
import { failFunction } from '../diagnostics.ts'
import { Registry } from '../registry.ts'
import { statsFunctions } from '../stats/index.ts'
import {
  checkDefinition,
  docOf,
  docOptions,
  signatureOf,
  typed,
  type ArgumentsOf,
  type Parameter,
  type UserDoc,
} from './definition.ts'
import { guarded, valueFrom } from './values.ts'

type LiteralsOf<P extends readonly Parameter[]> = P extends readonly [
  infer First extends Parameter,
  ...infer Rest extends readonly Parameter[],
]
  ? First extends { readonly isLiteral: true }
    ? readonly [First, ...LiteralsOf<Rest>]
    : readonly []
  : readonly []

type ColumnsOf<P extends readonly Parameter[]> = P extends readonly [
  infer First extends Parameter,
  ...infer Rest extends readonly Parameter[],
]
  ? First extends { readonly isLiteral: true }
    ? ColumnsOf<Rest>
    : P
  : readonly []

/**
 * Definition of a stats function by a user. `S` is the type of a group's state. Each function may modify the state and
 * return it.
 */
export interface StatsOptions<P extends readonly Parameter[], S> {
  /** Name of the function: lower-case letters, digits and `_`. */
  readonly name: string
  readonly parameters: P
  readonly returns: DataType
  /** Returns the state of an empty group. The arguments are the literal arguments of the call. */
  readonly init: (...literals: ArgumentsOf<LiteralsOf<P>>) => S
  /** Returns the state after one more row. The values have the types of the parameters. */
  readonly add: (state: S, ...values: ArgumentsOf<ColumnsOf<P>>) => S
  /** Merges the states of two parts of a group. The rows of `other` come after those of `state`. */
  readonly merge: (state: S, other: S) => S
  /**
   * Returns the group's result, which `valueFrom` must accept. Must not change the state, because more rows may follow.
   */
  readonly finish: (state: S) => unknown
  /** Converts the state to JSON data and back. Required if the state is not JSON data itself. */
  readonly save?: { readonly export: (state: S) => JsonValue; readonly import: (saved: JsonValue) => S }
  /** True if the result depends on the order of rows. Default: true. */
  readonly isOrderSensitive?: boolean
  readonly doc: UserDoc
}

const statsOptions = new Options<StatsOptions<readonly Parameter[], unknown>>(
  {
    name: 'string',
    parameters: 'list',
    returns: 'any',
    init: 'function',
    add: 'function',
    merge: 'function',
    finish: 'function',
    save: 'object',
    isOrderSensitive: 'boolean',
    doc: docOptions,
  },
  ['name', 'parameters', 'returns', 'init', 'add', 'merge', 'finish', 'doc'],
)

/** Returns the approximate size of a state. Does not visit nested values. */
function sizeOf(state: unknown): number {
  if (typeof state === 'string') return 24 + state.length * 2
  if (typeof state !== 'object' || state === null) return 16
  if (state instanceof Map || state instanceof Set) return 64 + state.size * 64
  if (ArrayBuffer.isView(state)) return 64 + state.byteLength
  return Array.isArray(state) ? 32 + state.length * 32 : 64 + Object.keys(state).length * 48
}

/** True if the state survives conversion to JSON and back. */
function isPlainData(state: unknown): state is JsonValue {
  if (state === null || typeof state === 'string' || typeof state === 'boolean') return true
  if (typeof state === 'number') return Number.isFinite(state)
  if (Array.isArray(state)) return state.every(isPlainData)
  if (typeof state !== 'object' || Object.getPrototypeOf(state) !== Object.prototype) return false
  return Object.values(state).every(isPlainData)
}

interface Fold {
  readonly name: string
  readonly columns: readonly Parameter[]
  readonly add: (state: unknown, ...values: unknown[]) => unknown
  readonly merge: (state: unknown, other: unknown) => unknown
  readonly finish: (state: unknown) => unknown
  readonly save: { readonly export: (state: unknown) => JsonValue; readonly import: (saved: JsonValue) => unknown }
}

class FoldState implements Accumulator {
  readonly #fold: Fold
  readonly #meter: Meter
  #state: unknown
  #bytes = 0
  #steps = 0

  constructor(fold: Fold, state: unknown, meter: Meter) {
    this.#fold = fold
    this.#meter = meter
    this.#state = state
  }

  #next(step: string, run: () => unknown): void {
    const state = guarded(this.#fold.name, run)
    if (state === undefined) failFunction(this.#fold.name, `\`${step}\` gave no state back`)
    this.#state = state
    if (this.#steps++ % ITEMS_PER_CHECKPOINT === 0) this.#charge()
  }

  #charge(): void {
    const bytes = sizeOf(this.#state)
    this.#meter.charge(bytes - this.#bytes)
    this.#bytes = bytes
  }

  add(values: readonly Value[]): void {
    const { add, columns } = this.#fold
    this.#next('add', () => add(this.#state, ...typed(columns, values)))
  }

  merge(other: FoldState): void {
    this.#next('merge', () => this.#fold.merge(this.#state, other.#state))
  }

  finish(): Value {
    const { name, finish } = this.#fold
    return valueFrom(
      name,
      guarded(name, () => finish(this.#state)),
    )
  }

  export(): JsonValue {
    return guarded(this.#fold.name, () => this.#fold.save.export(this.#state))
  }

  import(saved: JsonValue): void {
    this.#next('import', () => this.#fold.save.import(saved))
  }
}

let standard: Registry<StatsFunction> | undefined

/**
 * Defines a stats function, for `stats` and similar pipes. Throws `function/bad-definition`. An error in one of the
 * given functions fails the query with `function/failed`.
 */
export function defineStats<S, const P extends readonly Parameter[]>(options: StatsOptions<P, S>): StatsImplementation {
  statsOptions.check(options, '`defineStats`')
  const { name, parameters, returns, doc, isOrderSensitive = true } = options
  standard ??= new Registry(statsFunctions)
  checkDefinition('stats function', name, parameters, (taken) => standard?.get(taken) !== undefined)
  const literals = parameters.filter(({ isLiteral }) => isLiteral === true)
  const init = options.init as (...values: unknown[]) => unknown
  const fold = {
    save: {
      export: (state: unknown) =>
        isPlainData(state)
          ? structuredClone(state)
          : failFunction(name, 'its state is not JSON data; the definition needs `save`'),
      import: (saved: JsonValue) => structuredClone(saved),
    },
    ...options,
    columns: parameters.filter(({ isLiteral }) => isLiteral !== true),
  } as unknown as Fold
  return Object.freeze({
    name,
    aliases: [],
    signature: signatureOf(parameters),
    returns: () => returns,
    algebra: 'algebraic',
    isOrderSensitive,
    accumulator: ({ params, meter }) =>
      new FoldState(
        fold,
        guarded(name, () => init(...typed(literals, params))),
        meter,
      ),
    doc: docOf(doc, parameters),
  } satisfies StatsImplementation)
}
