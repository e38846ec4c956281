import { Labels } from '../../../data/index.ts'
import type { LabelledValue, Value } from '../value.ts'
import { mathFunctions, type BinaryOperator, type MathExpr, type UnaryOperator } from './ast.ts'

/** Numbers of one input by label set, or `no-data` if its query returned no row. */
export type MathInput = readonly LabelledValue[] | 'no-data'

const boolean = (holds: boolean): number => (holds ? 1 : 0)

const arithmetic: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '||': (a, b) => boolean(a !== 0 || b !== 0),
  '&&': (a, b) => boolean(a !== 0 && b !== 0),
  '<': (a, b) => boolean(a < b),
  '<=': (a, b) => boolean(a <= b),
  '>': (a, b) => boolean(a > b),
  '>=': (a, b) => boolean(a >= b),
  '==': (a, b) => boolean(a === b),
  '!=': (a, b) => boolean(a !== b),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
}

function binary(operator: BinaryOperator, a: Value, b: Value): Value {
  if (a === undefined || b === undefined) return undefined
  // The left operand alone may decide `||` and `&&`, even if the right operand is NaN. NaN counts as not 0.
  if (operator === '||' && a !== 0) return 1
  if (operator === '&&' && a === 0) return 0
  return Number.isNaN(a) || Number.isNaN(b) ? NaN : arithmetic[operator](a, b)
}

function unary(operator: UnaryOperator, value: Value): Value {
  if (value === undefined || Number.isNaN(value)) return value
  return operator === '-' ? -value : boolean(value === 0)
}

/** True if `whole` contains all labels of `subset` with equal values. */
function isSubsetOf(subset: Labels, whole: Labels): boolean {
  return subset.size <= whole.size && subset.names.every((name, i) => whole.get(name) === subset.values[i])
}

/** Returns the labels of the result of two label sets; `undefined` if the sets do not match. */
function pairLabels(left: Labels, right: Labels): Labels | undefined {
  if (isSubsetOf(left, right)) return right
  return isSubsetOf(right, left) ? left : undefined
}

/** Maximum number of results of one operation; equal to the maximum number of label sets of a monitor. */
const MAX_RESULTS = 1000

/**
 * Maximum number of label set comparisons in one expression. A thousand sets on each side of an operator need a
 * million.
 */
const MAX_COMPARISONS = 4_000_000

/** An expression that takes too long or has too many results. The message is shown to users. */
export class MathFault extends Error {}

/** Work of one expression over all its operators. */
interface MathWork {
  comparisons: number
}

/**
 * Matches numbers of both operands by labels. A label set with an equal counterpart matches only that counterpart.
 * Other sets match if one contains the labels of the other.
 */
function pairs(
  operator: BinaryOperator,
  left: readonly LabelledValue[],
  right: readonly LabelledValue[],
  work: MathWork,
): MathInput {
  const results: LabelledValue[] = []
  const add = (labels: Labels, a: LabelledValue, b: LabelledValue): void => {
    if (results.length === MAX_RESULTS) throw new MathFault(`\`${operator}\` pairs more than ${MAX_RESULTS} values`)
    results.push({ labels, value: binary(operator, a.value, b.value) })
  }
  const rightByLabels = new Map(right.map((b) => [b.labels.key, b]))
  const leftLabels = new Set(left.map((a) => a.labels.key))
  const others = right.filter((b) => !leftLabels.has(b.labels.key))
  const [a, b] = [left[0], right[0]]
  const isLonePair = left.length === 1 && right.length === 1
  for (const each of left) {
    const equal = rightByLabels.get(each.labels.key)
    if (equal !== undefined) {
      add(each.labels, each, equal)
      continue
    }
    work.comparisons += others.length
    if (work.comparisons > MAX_COMPARISONS) throw new MathFault('the expression compares too many label sets')
    for (const other of others) {
      const labels = pairLabels(each.labels, other.labels)
      if (labels !== undefined) add(labels, each, other)
    }
  }
  if (isLonePair && results.length === 0 && a !== undefined && b !== undefined) add(Labels.empty, a, b)
  return results
}

function map(input: MathInput, change: (value: Value) => Value): MathInput {
  return input === 'no-data' ? input : input.map(({ labels, value }) => ({ labels, value: change(value) }))
}

/**
 * Evaluates an expression for each label set. Numbers without a match are dropped. Names without an input have no data.
 * Throws MathFault.
 */
export function evaluateMath(expr: MathExpr, inputs: ReadonlyMap<string, MathInput>): MathInput {
  return evaluate(expr, inputs, { comparisons: 0 })
}

function evaluate(expr: MathExpr, inputs: ReadonlyMap<string, MathInput>, work: MathWork): MathInput {
  switch (expr.kind) {
    case 'number':
      return [{ labels: Labels.empty, value: expr.value }]
    case 'name':
      return inputs.get(expr.name) ?? 'no-data'
    case 'unary':
      return map(evaluate(expr.operand, inputs, work), (value) => unary(expr.operator, value))
    case 'call': {
      const { call } = expr
      const ofNothing = call === 'is_null' ? 1 : call === 'is_number' ? 0 : NaN
      return map(evaluate(expr.argument, inputs, work), (value) =>
        value === undefined ? ofNothing : mathFunctions[call](value),
      )
    }
    case 'binary': {
      const left = evaluate(expr.left, inputs, work)
      const right = evaluate(expr.right, inputs, work)
      return left === 'no-data' || right === 'no-data' ? 'no-data' : pairs(expr.operator, left, right, work)
    }
  }
}
