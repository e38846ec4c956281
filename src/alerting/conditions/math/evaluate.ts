import { Labels } from '../../../data/index.ts'
import type { LabelledValue, Value } from '../value.ts'
import { mathFunctions, type BinaryOperator, type MathExpr, type UnaryOperator } from './ast.ts'

/** The numbers of one input by label set, or `no-data` if its query had no row. */
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
  // The left side decides before NaN does, and NaN is not 0.
  if (operator === '||' && a !== 0) return 1
  if (operator === '&&' && a === 0) return 0
  return Number.isNaN(a) || Number.isNaN(b) ? NaN : arithmetic[operator](a, b)
}

function unary(operator: UnaryOperator, value: Value): Value {
  if (value === undefined || Number.isNaN(value)) return value
  return operator === '-' ? -value : boolean(value === 0)
}

/** Whether each label of `part` is in `whole` with the same value. */
function isPartOf(part: Labels, whole: Labels): boolean {
  return part.size <= whole.size && part.names.every((name, i) => whole.get(name) === part.values[i])
}

/** Labels of the result of a pair; `undefined` if the two do not pair. */
function pairLabels(left: Labels, right: Labels): Labels | undefined {
  if (isPartOf(left, right)) return right
  return isPartOf(right, left) ? left : undefined
}

function pairs(operator: BinaryOperator, left: readonly LabelledValue[], right: readonly LabelledValue[]): MathInput {
  const isLonePair = left.length === 1 && right.length === 1
  return left.flatMap((a) =>
    right.flatMap((b) => {
      const labels = pairLabels(a.labels, b.labels) ?? (isLonePair ? Labels.empty : undefined)
      return labels === undefined ? [] : [{ labels, value: binary(operator, a.value, b.value) }]
    }),
  )
}

function map(input: MathInput, change: (value: Value) => Value): MathInput {
  return input === 'no-data' ? input : input.map(({ labels, value }) => ({ labels, value: change(value) }))
}

/**
 * Evaluates an expression for each label set. Two numbers pair if the labels of one contain those of the other; numbers
 * that pair with nothing are dropped. Names without an input have no data.
 */
export function evaluateMath(expr: MathExpr, inputs: ReadonlyMap<string, MathInput>): MathInput {
  switch (expr.kind) {
    case 'number':
      return [{ labels: Labels.empty, value: expr.value }]
    case 'name':
      return inputs.get(expr.name) ?? 'no-data'
    case 'unary':
      return map(evaluateMath(expr.operand, inputs), (value) => unary(expr.operator, value))
    case 'call': {
      const { call } = expr
      const ofNothing = call === 'is_null' ? 1 : call === 'is_number' ? 0 : NaN
      return map(evaluateMath(expr.argument, inputs), (value) =>
        value === undefined ? ofNothing : mathFunctions[call](value),
      )
    }
    case 'binary': {
      const left = evaluateMath(expr.left, inputs)
      const right = evaluateMath(expr.right, inputs)
      return left === 'no-data' || right === 'no-data' ? 'no-data' : pairs(expr.operator, left, right)
    }
  }
}
