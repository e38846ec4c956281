import { invariant, type JsonValue } from '../base/index.ts'
import { JsonText, toText, type Value } from '../data/index.ts'
import type { Accumulator, StatsCall, StatsFunction } from './definition.ts'
import { Registry, type Functions } from './registry.ts'
import { decodeValues, encodeValues } from './stats/state-codec.ts'

/** The state of one group of one call, with all that another place needs to go on with it. */
interface Partial {
  readonly fn: string
  readonly params: JsonValue
  readonly limit: number | null
  readonly argNames: readonly string[]
  readonly orderDirections: readonly ('asc' | 'desc')[]
  readonly rangeSeconds: number | null
  readonly state: JsonValue
}

const PREFIX = 'partial_'

/** What a function that gives its state is called. */
export function partialName(name: string): string {
  return PREFIX + name
}

export const mergeStateName = 'merge_state'

function partialOf(fn: StatsFunction): StatsFunction {
  return {
    ...fn,
    name: partialName(fn.name),
    aliases: fn.aliases.map(partialName),
    kernel: undefined,
    returns: () => 'json',
    accumulator: (call) => {
      const inner = fn.accumulator(call)
      return {
        add: (values, names) => inner.add(values, names),
        // Both are of this call; the other one is wrapped as well.
        merge: (other) => {
          const own = fn.accumulator(call)
          own.import(other.export())
          inner.merge(own)
        },
        finish: () => new JsonText(JSON.stringify(partial(fn.name, call, inner))),
        bytes: () => inner.bytes(),
        export: () => inner.export(),
        import: (state) => inner.import(state),
      }
    },
  }
}

function partial(fn: string, call: StatsCall, inner: Accumulator): Partial {
  const { params, limit, argNames, orderDirections, context } = call
  return {
    fn,
    params: encodeValues(params),
    limit: limit ?? null,
    argNames,
    orderDirections,
    rangeSeconds: context.rangeSeconds ?? null,
    state: inner.export(),
  }
}

class MergedState implements Accumulator {
  readonly #functions: Registry<StatsFunction>
  #first: Partial | undefined
  #inner: Accumulator | undefined

  constructor(functions: Registry<StatsFunction>) {
    this.#functions = functions
  }

  #take(given: Partial): void {
    const fn = this.#functions.get(given.fn)
    invariant(fn !== undefined, `no stats function ${given.fn} made this state`)
    const next = fn.accumulator({
      params: decodeValues(given.params),
      limit: given.limit ?? undefined,
      argNames: given.argNames,
      orderDirections: given.orderDirections,
      context: { rangeSeconds: given.rangeSeconds ?? undefined },
    })
    next.import(given.state)
    if (this.#inner === undefined) {
      this.#inner = next
      this.#first = given
    } else this.#inner.merge(next)
  }

  add([value]: readonly Value[]): void {
    const text = value instanceof JsonText ? value.json : toText(value)
    if (text !== '') this.#take(JSON.parse(text) as Partial)
  }

  merge(other: Accumulator): void {
    this.import(other.export())
  }

  finish(): Value {
    return this.#inner?.finish() ?? null
  }

  bytes(): number {
    return 64 + (this.#inner?.bytes() ?? 0)
  }

  export(): JsonValue {
    if (this.#first === undefined || this.#inner === undefined) return null
    return { ...this.#first, state: this.#inner.export() }
  }

  import(state: JsonValue): void {
    if (state !== null) this.#take(state as unknown as Partial)
  }
}

/**
 * The functions with two more kinds for answers that are put together from several places: `partial_…` of each stats
 * function gives the state of a group as JSON instead of its value, and `merge_state` makes the value of such states.
 */
export function withPartialStates(functions: Functions): Functions {
  const { all } = functions.stats
  const mergeState: StatsFunction = {
    name: mergeStateName,
    aliases: [],
    signature: { params: [], minArgs: 1, maxArgs: 1 },
    returns: () => 'any',
    algebra: 'algebraic',
    isOrderSensitive: false,
    accumulator: () => new MergedState(functions.stats),
    doc: {
      summary: 'The value of states that were computed elsewhere.',
      parameters: [{ name: 'state', text: 'field with the states' }],
      examples: [],
    },
  }
  return { ...functions, stats: new Registry([...all, ...all.map(partialOf), mergeState]) }
}
