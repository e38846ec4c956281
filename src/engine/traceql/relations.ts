import { assertNever, work } from '../../base/index.ts'
import type { Relation, SpanOp } from '../../lang/traceql/index.ts'
import type { SpanTree, Trace, TraceSpan } from './model.ts'

/** A set of spans of one trace: entry `i` is 1 if the span with index `i` is in the set. */
type Marks = Uint8Array

function marksOf(trace: Trace, spans: readonly TraceSpan[]): Marks {
  const marks = new Uint8Array(trace.spans.length)
  for (const { index } of spans) marks[index] = 1
  return marks
}

/** Returns the children of the marked spans; with `isDeep`, all their descendants. */
function below(tree: SpanTree, marks: Marks, isDeep: boolean): Marks {
  const found = new Uint8Array(marks.length)
  for (const index of tree.order) {
    const parent = tree.parents[index] ?? -1
    if (parent !== -1 && (marks[parent] === 1 || (isDeep && found[parent] === 1))) found[index] = 1
  }
  return found
}

/** Returns the parents of the marked spans; with `isDeep`, all their ancestors. */
function above(tree: SpanTree, marks: Marks, isDeep: boolean): Marks {
  const found = new Uint8Array(marks.length)
  for (let i = tree.order.length - 1; i >= 0; i--) {
    const index = tree.order[i] ?? 0
    const parent = tree.parents[index] ?? -1
    if (parent !== -1 && (marks[index] === 1 || (isDeep && found[index] === 1))) found[parent] = 1
  }
  return found
}

/** Returns the siblings of the marked spans. A marked span is included only if a sibling is marked too. */
function beside(tree: SpanTree, marks: Marks): Marks {
  const counts = new Int32Array(marks.length)
  const found = new Uint8Array(marks.length)
  for (const index of tree.order) {
    const parent = tree.parents[index] ?? -1
    if (parent !== -1 && marks[index] === 1) counts[parent] = (counts[parent] ?? 0) + 1
  }
  for (const index of tree.order) {
    const parent = tree.parents[index] ?? -1
    if (parent !== -1 && (counts[parent] ?? 0) > (marks[index] ?? 0)) found[index] = 1
  }
  return found
}

/**
 * Returns the spans that are related to a marked span. For `a > b`, the spans of `a` are marked, and their children are
 * returned.
 */
function related(tree: SpanTree, relation: Relation, marks: Marks): Marks {
  switch (relation) {
    case '>':
      return below(tree, marks, false)
    case '>>':
      return below(tree, marks, true)
    case '<':
      return above(tree, marks, false)
    case '<<':
      return above(tree, marks, true)
    case '~':
      return beside(tree, marks)
    default:
      return assertNever(relation)
  }
}

const mirrored: Readonly<Record<Relation, Relation>> = { '>': '<', '>>': '<<', '<': '>', '<<': '>>', '~': '~' }

function union(trace: Trace, lhs: readonly TraceSpan[], rhs: readonly TraceSpan[]): readonly TraceSpan[] {
  const [left, right] = [marksOf(trace, lhs), marksOf(trace, rhs)]
  return trace.spans.filter(({ index }) => left[index] === 1 || right[index] === 1)
}

const relationOf = (op: string): Relation => op.replace(/^[!&]/, '') as Relation

/** Combines the spans of both sides of an operator in one trace. Takes time linear in the number of spans. */
export function combined(
  op: SpanOp,
  trace: Trace,
  lhs: readonly TraceSpan[],
  rhs: readonly TraceSpan[],
): readonly TraceSpan[] {
  work(trace.spans.length)
  if (op === '||') return union(trace, lhs, rhs)
  if (op === '&&') return lhs.length === 0 || rhs.length === 0 ? [] : union(trace, lhs, rhs)
  if (rhs.length === 0 || (lhs.length === 0 && !op.startsWith('!'))) return []
  const relation = relationOf(op)
  const found = related(trace.tree, relation, marksOf(trace, lhs))
  if (op.startsWith('!')) return rhs.filter(({ index }) => found[index] !== 1)
  const right = rhs.filter(({ index }) => found[index] === 1)
  if (!op.startsWith('&')) return right
  const others = related(trace.tree, mirrored[relation], marksOf(trace, rhs))
  return union(
    trace,
    lhs.filter(({ index }) => others[index] === 1),
    right,
  )
}
