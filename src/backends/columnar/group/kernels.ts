import { invariant, type Meter } from '../../../base/index.ts'
import { toNumber, type Schema } from '../../../data/index.ts'
import type { StatsKernel } from '../../../functions/index.ts'
import { and, conjunction, not, or, test, type AggregateCall, type Expr } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { GroupMemory } from '../kernels/group-memory.ts'
import type { ScanSource } from '../segments/source.ts'
import { CountKernel } from './count-kernel.ts'
import { ExtremeKernel } from './extreme-kernel.ts'
import { GenericKernel } from './generic-kernel.ts'
import type { Kernel } from './kernel.ts'
import { onlyDictionary } from './dictionary-key.ts'
import { PatternKernel } from './pattern-kernel.ts'
import { QuantileKernel, QuantileStore } from './quantile-kernel.ts'
import { SumKernel } from './sum-kernel.ts'
import { TextBytesKernel } from './text-bytes-kernel.ts'
import { UniqKernel } from './uniq-kernel.ts'

/** A kernel, and the condition that a row must meet to be added. Without a condition, all rows are added. */
export interface PlannedKernel {
  readonly kernel: Kernel
  readonly filter: Expr | undefined
}

/** The properties of a call that decide which kernel it gets. */
interface CallShape {
  readonly call: AggregateCall
  readonly areColumns: boolean
  /** The name of the single argument, if it is a column of the scan; otherwise `undefined`. */
  readonly name: string | undefined
  readonly source: ScanSource
  readonly memory: GroupMemory
  readonly rangeSeconds: number | undefined
  readonly meter: Meter
  readonly quantile: (name: string, phi: number) => Kernel
}

/** Makes a kernel for a call; `undefined` if this kind of kernel cannot process the call's arguments. */
type KernelMaker = (shape: CallShape) => PlannedKernel | undefined

/** Returns a maker of kernels that read one column. It returns `undefined` for calls with any other argument. */
function ofColumn(make: (name: string, shape: CallShape) => Kernel): KernelMaker {
  return (shape) =>
    shape.name === undefined ? undefined : { kernel: make(shape.name, shape), filter: shape.call.filter }
}

const kernels: { readonly [K in StatsKernel]: KernelMaker } = {
  present: ({ call: { args, filter }, areColumns }) => {
    if (args.length === 0) return { kernel: new CountKernel(), filter }
    return areColumns ? { kernel: new CountKernel(), filter: both(filter, or(args.map(isPresent))) } : undefined
  },
  empty: ({ call: { args, filter }, areColumns }) =>
    areColumns ? { kernel: new CountKernel(), filter: both(filter, and(args.map(isEmpty))) } : undefined,
  'rows-per-second': ({ call, rangeSeconds }) => ({ kernel: new CountKernel(rangeSeconds ?? 1), filter: call.filter }),
  sum: ofColumn(
    (name, { source, memory }) => new SumKernel(name, source.ranges(), (sums, group) => sums.sum(group), memory),
  ),
  mean: ofColumn(
    (name, { source, memory }) => new SumKernel(name, source.ranges(), (sums, group) => sums.mean(group), memory),
  ),
  least: ofColumn((name) => new ExtremeKernel(name, 1)),
  greatest: ofColumn((name) => new ExtremeKernel(name, -1)),
  quantile: ofColumn((name, { call, quantile }) => quantile(name, Number(toNumber(call.params[0] ?? null) ?? 0.5))),
  median: ofColumn((name, { quantile }) => quantile(name, 0.5)),
  'text-bytes': ofColumn((name) => new TextBytesKernel(name)),
  distinct: ofColumn(
    (name, { call, source }) => new UniqKernel(name, call.limit, () => onlyDictionary(name, source.ranges())),
  ),
  templates: ofColumn((name, { call, meter }) => new PatternKernel(name, call.limit, meter)),
}

/** Makes the kernels of one aggregate node. Calls share a kernel if possible. */
export class KernelPlanner {
  readonly #context: ExecContext
  readonly #schema: Schema
  readonly #source: ScanSource
  readonly #rangeSeconds: number | undefined
  readonly #memory: GroupMemory
  readonly #quantiles = new Map<string, QuantileStore>()

  constructor(
    context: ExecContext,
    schema: Schema,
    source: ScanSource,
    rangeSeconds: number | undefined,
    memory: GroupMemory,
  ) {
    this.#memory = memory
    this.#context = context
    this.#schema = schema
    this.#source = source
    this.#rangeSeconds = rangeSeconds
  }

  plan(call: AggregateCall): PlannedKernel {
    const fn = this.#context.functions.stats.get(call.fn)
    invariant(fn !== undefined, `no stats function named ${call.fn}`)
    const planned = fn.kernel === undefined ? undefined : kernels[fn.kernel](this.#shape(call))
    return (
      planned ?? {
        kernel: new GenericKernel(
          fn,
          call,
          this.#context.compiler,
          this.#schema,
          this.#rangeSeconds,
          this.#context.query.budget,
        ),
        filter: call.filter,
      }
    )
  }

  #shape(call: AggregateCall): CallShape {
    const [arg] = call.args
    const source = this.#source
    return {
      call,
      areColumns: call.args.every((one) => one.kind === 'column'),
      name: call.args.length === 1 && arg?.kind === 'column' && source.shows(arg.name) ? arg.name : undefined,
      source,
      memory: this.#memory,
      rangeSeconds: this.#rangeSeconds,
      meter: this.#context.query.budget,
      quantile: (name, phi) => this.#quantile(name, phi, call.filter),
    }
  }

  #quantile(name: string, phi: number, filter: Expr | undefined): Kernel {
    const known = filter === undefined ? this.#quantiles.get(name) : undefined
    if (known !== undefined) return new QuantileKernel(known, phi, false)
    const store = new QuantileStore(name, this.#numberBounds(name), this.#memory)
    if (filter === undefined) this.#quantiles.set(name, store)
    return new QuantileKernel(store, phi, true)
  }

  /** Returns the smallest and largest value of a field; `undefined` unless all its values are plain numbers. */
  #numberBounds(name: string): { readonly min: number; readonly max: number } | undefined {
    let min = Infinity
    let max = -Infinity
    for (const { segment } of this.#source.ranges()) {
      const stored = segment.columns.get(name)
      if (stored === undefined) continue
      if (stored.zones === undefined || stored.zones.hasNan) return undefined
      min = Math.min(min, stored.zones.min)
      max = Math.max(max, stored.zones.max)
    }
    return min <= max ? { min, max } : undefined
  }
}

function isEmpty(arg: Expr): Expr {
  return test(arg, { kind: 'empty' })
}

function isPresent(arg: Expr): Expr {
  return not(isEmpty(arg))
}

function both(filter: Expr | undefined, other: Expr): Expr {
  return filter === undefined ? other : conjunction([filter, other])
}
