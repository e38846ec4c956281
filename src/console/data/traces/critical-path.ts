import { childrenOf } from './span-tree.ts'

/** Spans in depth-first order. Times are in milliseconds. */
export interface ListedSpans {
  readonly parents: Int32Array
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/**
 * Critical path of a trace: the segments of time in which a span delayed the end of the trace. Segments of span `n` are
 * at indexes `from[n]` to `from[n + 1]`, in time order.
 */
export interface CriticalPath {
  readonly from: Uint32Array
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/**
 * Returns the root of the critical path: the longest root span, or the first of equally long ones; -1 without spans.
 */
export function mainRoot({ parents, starts, ends }: ListedSpans, isPreferred: (root: number) => boolean): number {
  const lengthOf = (span: number): number => (ends[span] ?? 0) - (starts[span] ?? 0)
  let best = -1
  for (let span = 0; span < parents.length; span++) {
    if (parents[span] !== -1) continue
    const isBetter =
      best === -1 || (isPreferred(span) === isPreferred(best) ? lengthOf(span) > lengthOf(best) : isPreferred(span))
    if (isBetter) best = span
  }
  return best
}

/**
 * Walks back in time from the end of the root. From each moment the path continues with the child that ended last
 * before this moment. Where no child ran, the path is the span itself. A child counts only within the time of its
 * parent.
 */
export function criticalPath({ parents, starts, ends }: ListedSpans, root: number): CriticalPath {
  const count = parents.length
  const latestFirst = Uint32Array.from({ length: count }, (_, span) => span)
  latestFirst.sort((a, b) => (ends[b] ?? 0) - (ends[a] ?? 0) || a - b)
  const children = childrenOf(parents, latestFirst)
  const [segmentSpans, segmentStarts, segmentEnds]: [number[], number[], number[]] = [[], [], []]
  const add = (span: number, start: number, end: number): void => {
    if (end <= start) return
    segmentSpans.push(span)
    segmentStarts.push(start)
    segmentEnds.push(end)
  }
  /** Stack of spans from the root down. `at` is the current moment and `next` the next child to consider. */
  const walked: { readonly span: number; readonly start: number; readonly end: number; at: number; next: number }[] = []
  const enter = (span: number, start: number, end: number): void => {
    walked.push({ span, start, end, at: end, next: children.from[span] ?? 0 })
  }
  if (root >= 0) enter(root, starts[root] ?? 0, ends[root] ?? 0)
  for (let step = walked.at(-1); step !== undefined; step = walked.at(-1)) {
    if (step.next === children.from[step.span + 1]) {
      add(step.span, step.start, step.at)
      walked.pop()
      continue
    }
    const child = children.spans[step.next++] ?? 0
    const start = Math.max(starts[child] ?? 0, step.start)
    const end = Math.min(ends[child] ?? 0, step.end)
    // Skips a child that still ran when a later child began: the later one did not wait for it.
    if (end > step.at || end <= start) continue
    add(step.span, end, step.at)
    step.at = start
    enter(child, start, end)
  }
  return grouped(count, segmentSpans, segmentStarts, segmentEnds)
}

/** Groups the segments by span and puts them in time order. The walk found them from last to first. */
function grouped(
  count: number,
  spans: readonly number[],
  startsOf: readonly number[],
  endsOf: readonly number[],
): CriticalPath {
  const from = new Uint32Array(count + 1)
  for (const span of spans) from[span + 1] = (from[span + 1] ?? 0) + 1
  for (let i = 1; i <= count; i++) from[i] = (from[i] ?? 0) + (from[i - 1] ?? 0)
  const next = from.slice()
  const starts = new Float64Array(spans.length)
  const ends = new Float64Array(spans.length)
  for (let segment = spans.length - 1; segment >= 0; segment--) {
    const span = spans[segment] ?? 0
    const offset = next[span] ?? 0
    next[span] = offset + 1
    starts[offset] = startsOf[segment] ?? 0
    ends[offset] = endsOf[segment] ?? 0
  }
  return { from, starts, ends }
}
