import { spanFlags } from '../../ask/traces.ts'
import type { SpanColumns } from './span-columns.ts'

/** Spans of a trace in depth-first order: each is followed by its descendants. */
export interface SpanTree {
  /** For each list index, the index of the span in order of arrival. */
  readonly order: Uint32Array
  /** List index of the parent; -1 for a root. Siblings are sorted by start. */
  readonly parents: Int32Array
  readonly depths: Uint32Array
  /** Number of spans in the subtree, including the span itself. */
  readonly sizes: Uint32Array
  /** Bits of `spanFlags`, without `critical`. */
  readonly flags: Uint8Array
}

/** Differences below this are rounding errors, ms. */
const ROUNDING_MS = 0.001

export function endOf({ starts, durations }: Pick<SpanColumns, 'starts' | 'durations'>, span: number): number {
  const duration = durations[span] ?? NaN
  return (starts[span] ?? 0) + (Number.isNaN(duration) ? 0 : duration)
}

/** Returns the span indexes sorted by start; equal starts keep the order of arrival. */
function byStart({ count, starts }: SpanColumns): Uint32Array {
  const spans = Uint32Array.from({ length: count }, (_, span) => span)
  return spans.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b)
}

/** Finds the parent of each span by its id, and flags duplicates and orphans. Returns -1 for spans without a parent. */
function parentsOf(columns: SpanColumns, sorted: Uint32Array, flags: Uint8Array): Int32Array {
  const spanOf = new Map<string, number>()
  for (const span of sorted) {
    const id = columns.ids[span] ?? ''
    if (id === '') continue
    if (spanOf.has(id)) flags[span] = (flags[span] ?? 0) | spanFlags.duplicate
    else spanOf.set(id, span)
  }
  const parents = new Int32Array(columns.count).fill(-1)
  for (let span = 0; span < columns.count; span++) {
    const id = columns.parents[span] ?? ''
    if (id === '') continue
    const parent = spanOf.get(id)
    if (parent === undefined) flags[span] = (flags[span] ?? 0) | spanFlags.orphan
    else parents[span] = parent
  }
  return parents
}

/** Cuts every cycle of parents at its earliest span, which becomes a root. */
function cutCycles(parents: Int32Array, sorted: Uint32Array, flags: Uint8Array): void {
  const rank = new Uint32Array(parents.length)
  for (const [i, span] of sorted.entries()) rank[span] = i
  /** Number of the walk that first visited the span; 0 for none. */
  const met = new Uint32Array(parents.length)
  for (let first = 0; first < parents.length; first++) {
    let span = first
    while (span !== -1 && met[span] === 0) {
      met[span] = first + 1
      span = parents[span] ?? -1
    }
    if (span === -1 || met[span] !== first + 1) continue
    let earliest = span
    for (let at = parents[span] ?? -1; at !== span; at = parents[at] ?? -1)
      if ((rank[at] ?? 0) < (rank[earliest] ?? 0)) earliest = at
    parents[earliest] = -1
    flags[earliest] = (flags[earliest] ?? 0) | spanFlags.cycle
  }
}

/** Child lists in one array: those of span `n` are at indexes `from[n]` to `from[n + 1]`. */
export interface Children {
  readonly from: Uint32Array
  readonly spans: Uint32Array
}

/** Groups spans by parent, in the order of `spans`. */
export function childrenOf(parents: Int32Array, spans: Uint32Array): Children {
  const from = new Uint32Array(parents.length + 1)
  for (const parent of parents) if (parent !== -1) from[parent + 1] = (from[parent + 1] ?? 0) + 1
  for (let i = 1; i < from.length; i++) from[i] = (from[i] ?? 0) + (from[i - 1] ?? 0)
  const next = from.slice()
  const grouped = new Uint32Array(from[parents.length] ?? 0)
  for (const span of spans) {
    const parent = parents[span] ?? -1
    if (parent === -1) continue
    const position = next[parent] ?? 0
    grouped[position] = span
    next[parent] = position + 1
  }
  return { from, spans: grouped }
}

/** Builds the tree of a trace. For any ids and parents it terminates, and the tree contains every span. */
export function buildTree(columns: SpanColumns): SpanTree {
  const { count, durations, errors } = columns
  const sorted = byStart(columns)
  const spanFlag = new Uint8Array(count)
  for (let span = 0; span < count; span++)
    spanFlag[span] =
      (errors[span] === 1 ? spanFlags.error : 0) | (Number.isNaN(durations[span]) ? spanFlags.unfinished : 0)
  const parentOf = parentsOf(columns, sorted, spanFlag)
  cutCycles(parentOf, sorted, spanFlag)
  const children = childrenOf(parentOf, sorted)

  const order = new Uint32Array(count)
  const positionOf = new Uint32Array(count)
  const parents = new Int32Array(count).fill(-1)
  const depths = new Uint32Array(count)
  const sizes = new Uint32Array(count).fill(1)
  const flags = new Uint8Array(count)
  // An explicit stack of spans to list, so that a deep trace does not overflow the call stack.
  const stack = new Uint32Array(count)
  let height = 0
  for (const span of sorted.toReversed()) if (parentOf[span] === -1) stack[height++] = span
  for (let position = 0; height > 0; position++) {
    const span = stack[--height] ?? 0
    order[position] = span
    positionOf[span] = position
    flags[position] = spanFlag[span] ?? 0
    const parent = parentOf[span] ?? -1
    if (parent !== -1) {
      parents[position] = positionOf[parent] ?? 0
      depths[position] = (depths[parents[position] ?? 0] ?? 0) + 1
      const isOutside =
        (columns.starts[span] ?? 0) < (columns.starts[parent] ?? 0) - ROUNDING_MS ||
        (!Number.isNaN(durations[parent]) && endOf(columns, span) > endOf(columns, parent) + ROUNDING_MS)
      if (isOutside) flags[position] = (flags[position] ?? 0) | spanFlags.outside
    }
    for (let i = (children.from[span + 1] ?? 0) - 1; i >= (children.from[span] ?? 0); i--)
      stack[height++] = children.spans[i] ?? 0
  }
  for (let position = count - 1; position >= 0; position--) {
    const parent = parents[position] ?? -1
    if (parent !== -1) sizes[parent] = (sizes[parent] ?? 0) + (sizes[position] ?? 0)
  }
  return { order, parents, depths, sizes, flags }
}
