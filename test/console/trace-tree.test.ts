import { array, assert, nat, option, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { spanFlags } from '../../src/console/ask/traces.ts'
import { criticalPath, mainRoot } from '../../src/console/data/traces/critical-path.ts'
import { KeptTrace } from '../../src/console/data/traces/kept-trace.ts'
import { readSpans, type SpanColumns } from '../../src/console/data/traces/span-columns.ts'
import { buildTree } from '../../src/console/data/traces/span-tree.ts'

interface Sent {
  readonly id: number
  readonly parent: number | undefined
  readonly start: number
  readonly duration: number | undefined
}

/** Generates spans with ids from a small range, so that duplicates, orphans and cycles are frequent. */
const sentSpans = array(
  record({
    id: nat(12),
    parent: option(nat(14), { nil: undefined }),
    start: nat(40),
    duration: option(nat(30), { nil: undefined, freq: 8 }),
  }),
  { maxLength: 30 },
)

function columnsOf(spans: readonly Sent[]): SpanColumns {
  return {
    count: spans.length,
    ids: spans.map(({ id }) => `s${id}`),
    parents: spans.map(({ parent }) => (parent === undefined ? '' : `s${parent}`)),
    services: spans.map(() => 'api'),
    starts: Float64Array.from(spans, ({ start }) => start),
    durations: Float64Array.from(spans, ({ duration }) => duration ?? NaN),
    errors: new Uint8Array(spans.length),
    startMs: 0,
  }
}

/** Reference implementation of the trace tree: simple recursion over objects. */
function plainTree(spans: readonly Sent[]): readonly { span: number; depth: number; flags: number }[] {
  const sorted = spans.map((_, i) => i).toSorted((a, b) => spans[a]!.start - spans[b]!.start || a - b)
  const firstWith = (id: number): number | undefined => sorted.find((i) => spans[i]!.id === id)
  const parents = new Map<number, number>()
  for (const i of sorted) {
    const { parent } = spans[i]!
    const found = parent === undefined ? undefined : firstWith(parent)
    if (found !== undefined) parents.set(i, found)
  }
  const cut = new Set<number>()
  const isInCycle = (span: number): boolean => {
    let at = parents.get(span)
    for (let steps = 0; at !== undefined && at !== span && steps <= spans.length; steps++) at = parents.get(at)
    return at === span
  }
  for (const i of sorted)
    if (isInCycle(i)) {
      cut.add(i)
      parents.delete(i)
    }
  const end = (i: number): number => spans[i]!.start + (spans[i]!.duration ?? 0)
  const list = (span: number, depth: number): readonly { span: number; depth: number; flags: number }[] => {
    const { id, parent, start, duration } = spans[span]!
    const above = parents.get(span)
    const isOutside =
      above !== undefined &&
      (start < spans[above]!.start || (spans[above]!.duration !== undefined && end(span) > end(above)))
    const flags =
      (parent !== undefined && firstWith(parent) === undefined ? spanFlags.orphan : 0) |
      (cut.has(span) ? spanFlags.cycle : 0) |
      (firstWith(id) === span ? 0 : spanFlags.duplicate) |
      (isOutside ? spanFlags.outside : 0) |
      (duration === undefined ? spanFlags.unfinished : 0)
    const children = sorted.filter((i) => parents.get(i) === span)
    return [{ span, depth, flags }, ...children.flatMap((child) => list(child, depth + 1))]
  }
  return sorted.filter((i) => !parents.has(i)).flatMap((root) => list(root, 0))
}

test('the tree of any spans has each of them once, with its depth and faults', () => {
  assert(
    property(sentSpans, (spans) => {
      const { order, depths, flags, parents, sizes } = buildTree(columnsOf(spans))
      const found = [...order].map((span, place) => ({ span, depth: depths[place], flags: flags[place] }))
      expect(found).toEqual(plainTree(spans))
      for (const [place, parent] of parents.entries())
        if (parent !== -1) expect(place > parent && place < parent + sizes[parent]!).toBe(true)
    }),
    { numRuns: 500 },
  )
})

/** Reference implementation of the critical path: returns for each moment the span that its ancestors wait for. */
function plainPath(listed: Parameters<typeof criticalPath>[0], root: number): readonly (readonly number[])[] {
  const { parents, starts, ends } = listed
  const pieces: number[][] = []
  const walk = (span: number, from: number, to: number): void => {
    let at = to
    for (;;) {
      const before = [...parents.keys()]
        .filter((child) => parents[child] === span)
        .map((child) => ({ child, start: Math.max(starts[child]!, from), end: Math.min(ends[child]!, to) }))
        .filter(({ start, end }) => start < end && end <= at)
        .toSorted((a, b) => b.end - a.end || ends[b.child]! - ends[a.child]! || a.child - b.child)
      const [last] = before
      const end = last?.end ?? from
      if (end < at) pieces.push([span, end, at])
      if (last === undefined) return
      walk(last.child, last.start, last.end)
      at = last.start
    }
  }
  if (root !== -1) walk(root, starts[root]!, ends[root]!)
  return pieces.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
}

test('the critical path of any trace covers its root without a gap, as a plain search finds it', () => {
  assert(
    property(sentSpans, (spans) => {
      const columns = columnsOf(spans)
      const { order, parents } = buildTree(columns)
      const starts = Float64Array.from(order, (span) => spans[span]!.start)
      const ends = Float64Array.from(order, (span) => spans[span]!.start + (spans[span]!.duration ?? 0))
      const root = mainRoot({ parents, starts, ends }, () => true)
      const path = criticalPath({ parents, starts, ends }, root)
      const pieces = [...order.keys()].flatMap((place) =>
        Array.from({ length: path.from[place + 1]! - path.from[place]! }, (_, i) => {
          const piece = path.from[place]! + i
          return [place, path.starts[piece]!, path.ends[piece]!]
        }),
      )
      expect(pieces).toEqual(plainPath({ parents, starts, ends }, root))
      const covered = pieces.reduce((sum, [, start, end]) => sum + end! - start!, 0)
      expect(covered).toBe(root === -1 ? 0 : ends[root]! - starts[root]!)
    }),
    { numRuns: 500 },
  )
})

test('times of spans keep their nanoseconds', () => {
  const lines = [
    '{"_time":"2026-03-10T11:59:59.999999999Z","span_id":"a","duration_seconds":1}',
    '{"_time":"2026-03-10T12:00:00Z","span_id":"b","duration_seconds":-1}',
    'no json',
  ]
  const { starts, durations, startMs } = readSpans(2, (row) => lines[row]!)
  expect([...starts].map((ms) => Math.round(ms * 1e6))).toEqual([0, 1])
  expect([...durations]).toEqual([1000, NaN])
  expect(startMs - Date.parse('2026-03-10T12:00:00Z')).toBeCloseTo(0, 2)
  expect(readSpans(3, (row) => lines[row]!).count).toBe(3)
})

test('a trace as deep as it has spans, and one whose spans are all one cycle, have a tree', () => {
  const spans = 20_000
  const chain = (firstParent: string): KeptTrace =>
    new KeptTrace({
      count: spans,
      line: (row) =>
        JSON.stringify({
          _time: '2026-03-10T12:00:00Z',
          span_id: `s${row}`,
          parent_span_id: row === 0 ? firstParent : `s${row - 1}`,
          span_name: 'call',
          workload: 'api',
          duration_seconds: 1,
        }),
    })
  const deep = chain('').shape()
  expect([deep.depths.at(-1), deep.sizes[0], deep.hasRoot]).toEqual([spans - 1, spans, true])
  const cycle = chain(`s${spans - 1}`)
  expect(cycle.shape()).toMatchObject({ hasRoot: false, faults: { cycles: 1, orphans: 0 } })
  expect(cycle.labels({ answer: 1, ids: ['s7', 'unknown'] })).toEqual([
    { position: 7, id: 's7', parent: 's6', name: 'call', service: 'api' },
  ])
})
