import type { StoredSpan } from '../../ingest/otlp/stored/index.ts'

/**
 * Position of a span in the tree of its trace, as a nested set. All numbers are 0 if the ancestors of the span do not
 * lead to a root.
 */
interface TreePosition {
  /** Number of the span's first visit in a depth-first walk; the walk starts at 1. */
  left: number
  right: number
  /** `left` of the parent span; -1 for a root span. */
  parentLeft: number
}

/** A span with its position among the spans of its trace. */
export class TraceSpan {
  readonly sent: StoredSpan
  readonly trace: Trace
  /** The index of the span in its trace. */
  readonly index: number

  constructor(sent: StoredSpan, trace: Trace, index: number) {
    this.sent = sent
    this.trace = trace
    this.index = index
  }

  get endNs(): bigint {
    return this.sent.startNs + this.sent.durationNs
  }

  get isRoot(): boolean {
    return this.sent.parentId === ''
  }
}

/** The tree of a trace, by span index. A span whose parent is missing is not connected to the tree. */
export class SpanTree {
  /** Indexes of the connected spans; each parent is before its children. */
  readonly order: number[] = []
  /** Index of each span's parent; -1 for roots and for spans that are not connected. */
  readonly parents: Int32Array
  readonly childCounts: Int32Array
  readonly #positions: readonly TreePosition[]

  constructor(spans: readonly TraceSpan[]) {
    const numbers = new Map<string, number>()
    for (const { sent, index } of spans) if (!numbers.has(sent.spanId)) numbers.set(sent.spanId, index)
    this.parents = new Int32Array(spans.length).fill(-1)
    this.childCounts = new Int32Array(spans.length)
    this.#positions = spans.map(() => ({ left: 0, right: 0, parentLeft: 0 }))
    const children = spans.map((): number[] => [])
    for (const { sent, index, isRoot } of spans) {
      const parent = isRoot ? undefined : numbers.get(sent.parentId)
      if (parent === undefined) continue
      children[parent]?.push(index)
      this.childCounts[parent] = (this.childCounts[parent] ?? 0) + 1
    }
    let number = 1
    for (const { index, isRoot } of spans) if (isRoot) number = this.#walk(index, children, number)
  }

  /** Numbers the spans below a root. Does not recurse, because the depth of a trace can equal its number of spans. */
  #walk(root: number, children: readonly (readonly number[])[], first: number): number {
    let number = first
    const open: { readonly index: number; next: number }[] = []
    const enter = (index: number, parent: number): void => {
      const position = this.position(index)
      position.left = number++
      position.parentLeft = parent === -1 ? -1 : this.position(parent).left
      this.parents[index] = parent
      this.order.push(index)
      open.push({ index, next: 0 })
    }
    enter(root, -1)
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = children[top.index]?.[top.next++]
      if (child !== undefined) enter(child, top.index)
      else {
        this.position(top.index).right = number++
        open.pop()
      }
    }
    return number
  }

  position(index: number): TreePosition {
    const position = this.#positions[index]
    if (position === undefined) throw new RangeError('a span of another trace')
    return position
  }

  isConnected(index: number): boolean {
    return this.position(index).left > 0
  }
}

/** Sorts spans by start time, then by id. */
function inOrder(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  return spans.toSorted((a, b) =>
    a.startNs === b.startNs ? (a.spanId < b.spanId ? -1 : 1) : a.startNs < b.startNs ? -1 : 1,
  )
}

/** A trace, with all its spans that the caller may see. */
export class Trace {
  readonly id: string
  /** The spans, sorted by start time. */
  readonly spans: readonly TraceSpan[]
  readonly startNs: bigint
  readonly endNs: bigint
  /** The span without a parent. If there are several, the one that started last, like in Tempo. */
  readonly root: StoredSpan | undefined
  #tree: SpanTree | undefined

  constructor(id: string, spans: readonly [StoredSpan, ...StoredSpan[]]) {
    this.id = id
    this.spans = inOrder(spans).map((span, index) => new TraceSpan(span, this, index))
    let [{ startNs }] = spans
    let endNs = startNs
    let root: StoredSpan | undefined
    for (const { sent, endNs: end, isRoot } of this.spans) {
      if (sent.startNs < startNs) startNs = sent.startNs
      if (end > endNs) endNs = end
      if (isRoot && (root === undefined || sent.startNs >= root.startNs)) root = sent
    }
    this.startNs = startNs
    this.endNs = endNs
    this.root = root
  }

  get durationNs(): bigint {
    return this.endNs - this.startNs
  }

  get tree(): SpanTree {
    return (this.#tree ??= new SpanTree(this.spans))
  }
}

/** Returns the name of the service to which a span belongs; the empty string if there is none. */
export function serviceOf({ resource }: StoredSpan): string {
  const name = resource.get('service.name')
  return name?.type === 'string' ? name.value : ''
}
