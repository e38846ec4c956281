import { invariant } from '../../../base/index.ts'
import { toNumber, type Schema } from '../../../data/index.ts'
import { and, conjunction, not, or, test, type AggregateCall, type Expr } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { ScanSource } from '../scan/source.ts'
import { CountKernel } from './count-kernel.ts'
import { ExtremeKernel } from './extreme-kernel.ts'
import { GenericKernel } from './generic-kernel.ts'
import type { Kernel } from './kernel.ts'
import { QuantileKernel, QuantileStore } from './quantile-kernel.ts'
import { SumKernel } from './sum-kernel.ts'
import { UniqKernel } from './uniq-kernel.ts'

/** A kernel and the rows that it is to see. */
export interface PlannedKernel {
  readonly kernel: Kernel
  readonly filter: Expr | undefined
}

/** Makes the kernels of one aggregate; calls that can share work do. */
export class KernelPlanner {
  readonly #context: ExecContext
  readonly #schema: Schema
  readonly #source: ScanSource
  readonly #rangeSeconds: number | undefined
  readonly #quantiles = new Map<string, QuantileStore>()

  constructor(context: ExecContext, schema: Schema, source: ScanSource, rangeSeconds: number | undefined) {
    this.#context = context
    this.#schema = schema
    this.#source = source
    this.#rangeSeconds = rangeSeconds
  }

  plan(call: AggregateCall): PlannedKernel {
    const fn = this.#context.functions.stats.get(call.fn)
    invariant(fn !== undefined, `no stats function named ${call.fn}`)
    const { filter } = call
    const [arg] = call.args
    const areColumns = call.args.every((one) => one.kind === 'column')
    const name = call.args.length === 1 && arg.kind === 'column' && this.#source.shows(arg.name) ? arg.name : undefined
    switch (fn.name) {
      case 'count':
        if (call.args.length === 0) return { kernel: new CountKernel(), filter }
        if (areColumns) return { kernel: new CountKernel(), filter: both(filter, or(call.args.map(isPresent))) }
        break
      case 'count_empty':
        if (areColumns) return { kernel: new CountKernel(), filter: both(filter, and(call.args.map(isEmpty))) }
        break
      case 'rate':
        return { kernel: new CountKernel(this.#rangeSeconds ?? 1), filter }
      case 'sum':
        if (name !== undefined)
          return { kernel: new SumKernel(name, this.#source.ranges(), (lanes, group) => lanes.sum(group)), filter }
        break
      case 'avg':
        if (name !== undefined)
          return { kernel: new SumKernel(name, this.#source.ranges(), (lanes, group) => lanes.mean(group)), filter }
        break
      case 'min':
      case 'max':
        if (name !== undefined) return { kernel: new ExtremeKernel(name, fn.name), filter }
        break
      case 'quantile':
      case 'median':
        if (name !== undefined) return { kernel: this.#quantile(name, call), filter }
        break
      case 'count_uniq':
      case 'count_uniq_hash':
        if (name !== undefined) return { kernel: new UniqKernel(name, call.limit), filter }
        break
      default:
    }
    return {
      kernel: new GenericKernel(fn, call, this.#context.compiler, this.#schema, this.#rangeSeconds),
      filter,
    }
  }

  #quantile(name: string, call: AggregateCall): Kernel {
    const phi = call.fn === 'median' ? 0.5 : Number(toNumber(call.params[0] ?? null) ?? 0.5)
    const known = call.filter === undefined ? this.#quantiles.get(name) : undefined
    if (known !== undefined) return new QuantileKernel(known, phi, false)
    const store = new QuantileStore(name, this.#numberBounds(name))
    if (call.filter === undefined) this.#quantiles.set(name, store)
    return new QuantileKernel(store, phi, true)
  }

  /** Bounds of a field that is plain numbers wherever it is there. */
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
