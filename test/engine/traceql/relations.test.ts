import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Trace, type TraceSpan } from '../../../src/engine/traceql/model.ts'
import { combined } from '../../../src/engine/traceql/relations.ts'
import type { Relation, SpanOp } from '../../../src/lang/traceql/index.ts'
import { span } from './spans.ts'

/** Parents by index: an earlier or later span, none (a root), or a span that is missing. */
const parents = fc.array(fc.integer({ min: -2, max: 11 }), { minLength: 1, maxLength: 12 })

function traceOf(numbers: readonly number[]): Trace {
  const [first = 0, ...others] = numbers
  const of = (parent: number, index: number) =>
    span(`s${index}`, { parentId: parent === -1 ? '' : parent >= numbers.length ? 'lost' : `s${parent}` })
  return new Trace('1', [of(first, 0), ...others.map((parent, i) => of(parent, i + 1))])
}

/** Returns the ancestors of a span, nearest first; `undefined` if they do not end at a root. */
function ancestors(trace: Trace, { sent }: TraceSpan): readonly TraceSpan[] | undefined {
  const found: TraceSpan[] = []
  let parentId = sent.parentId
  while (parentId !== '') {
    const parent = trace.spans.find((each) => each.sent.spanId === parentId)
    if (parent === undefined || found.includes(parent)) return undefined
    found.push(parent)
    parentId = parent.sent.parentId
  }
  return found
}

/** Reference implementation: true if `a relation b` holds. */
function holds(trace: Trace, relation: Relation, a: TraceSpan, b: TraceSpan): boolean {
  const [ofA, ofB] = [ancestors(trace, a), ancestors(trace, b)]
  if (ofA === undefined || ofB === undefined) return false
  switch (relation) {
    case '>':
      return ofB[0] === a
    case '>>':
      return ofB.includes(a)
    case '<':
      return ofA[0] === b
    case '<<':
      return ofA.includes(b)
    case '~':
      return a !== b && ofA[0] !== undefined && ofA[0] === ofB[0]
  }
}

const relations = ['>', '>>', '<', '<<', '~'] as const
const sides = fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 6 })

describe('spans of both sides are combined as the relation defines', () => {
  for (const relation of relations)
    for (const prefix of ['', '!', '&'] as const)
      test.prop([parents, sides, sides])(`${prefix}${relation}`, (numbers, left, right) => {
        const trace = traceOf(numbers)
        const chosen = (places: readonly number[]) => trace.spans.filter(({ index }) => places.includes(index))
        const [lhs, rhs] = [chosen(left), chosen(right)]
        const isRight = (b: TraceSpan): boolean => rhs.includes(b) && lhs.some((a) => holds(trace, relation, a, b))
        const isLeft = (a: TraceSpan): boolean => lhs.includes(a) && rhs.some((b) => holds(trace, relation, a, b))
        const wanted = trace.spans.filter((each) => {
          if (prefix === '!') return rhs.includes(each) && !isRight(each)
          return isRight(each) || (prefix === '&' && isLeft(each))
        })
        const op: SpanOp = `${prefix}${relation}`
        expect(combined(op, trace, lhs, rhs).map(({ index }) => index)).toEqual(wanted.map(({ index }) => index))
      })
})

test('a chain of 100,000 spans is walked without recursion', () => {
  const count = 100_000
  const spans = Array.from({ length: count }, (_, i) => span(`s${i}`, { parentId: i === 0 ? '' : `s${i - 1}` }))
  const [first = span('s0'), ...others] = spans
  const trace = new Trace('1', [first, ...others])
  const [root] = trace.spans
  expect(combined('>>', trace, root === undefined ? [] : [root], trace.spans)).toHaveLength(count - 1)
})

test('numbers of the nested set are those of a walk through the tree', () => {
  const trace = traceOf([-1, 0, 1, 0, 12])
  const places = trace.spans.map(({ index }) => trace.tree.position(index))
  expect(places.map(({ left, right, parentLeft }) => [left, right, parentLeft])).toEqual([
    [1, 8, -1],
    [2, 5, 1],
    [3, 4, 2],
    [6, 7, 1],
    [0, 0, 0],
  ])
})
