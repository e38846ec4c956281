import { present, type Span } from '../../../base/index.ts'
import { scalarFunctions } from '../../../functions/scalar/index.ts'
import { quoteText } from '../print/quote.ts'
import type { LiteralType } from '../stats/call.ts'

export type MathOp = '^' | '*' | '/' | '%' | '+' | '-' | '&' | 'xor' | 'or' | 'default'

export type MathExpr =
  /** Operand that is a number, duration, size, time or address, as written. */
  | {
      readonly kind: 'number'
      readonly text: string
      readonly isQuoted: boolean
      /** Name of the parameter that supplied this value. */
      readonly parameter?: string | undefined
      readonly span: Span
    }
  | { readonly kind: 'field'; readonly name: string; readonly isQuoted: boolean; readonly span: Span }
  /** Literal argument of a function. */
  | { readonly kind: 'text'; readonly text: string; readonly parameter?: string | undefined; readonly span: Span }
  | { readonly kind: 'negate'; readonly arg: MathExpr; readonly span: Span }
  | {
      readonly kind: 'binary'
      readonly op: MathOp
      readonly left: MathExpr
      readonly right: MathExpr
      readonly span: Span
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly MathExpr[]; readonly span: Span }

interface OpInfo {
  /** Precedence of the operator; a higher one binds tighter. */
  readonly precedence: number
  /** Scalar function that computes the operator. */
  readonly fn: string
}

export const mathOps: Readonly<Record<MathOp, OpInfo>> = {
  '^': { precedence: 7, fn: 'pow' },
  '*': { precedence: 6, fn: 'mul' },
  '/': { precedence: 6, fn: 'div' },
  '%': { precedence: 6, fn: 'mod' },
  '+': { precedence: 5, fn: 'add' },
  '-': { precedence: 5, fn: 'sub' },
  '&': { precedence: 4, fn: 'bit_and' },
  xor: { precedence: 3, fn: 'bit_xor' },
  or: { precedence: 2, fn: 'bit_or' },
  default: { precedence: 1, fn: 'default' },
}

/** Syntax of a function that the pipe `math` may call. */
export interface MathForm {
  /** Minimum number of arguments, literals included. */
  readonly min: number
  readonly max: number
  /** Types of the literal arguments, which precede all other arguments. */
  readonly literals?: readonly LiteralType[]
}

export type MathForms = ReadonlyMap<string, MathForm>

/** Scalar functions that `math` cannot call by name. Most are written as operators; the others cannot be written. */
const operators = new Set(['neg', 'number', ...Object.values(mathOps).map(({ fn }) => fn)])

/** Functions that `math` can call by name: scalar functions, and `now`, the time of the query. */
export const mathFunctions: MathForms = new Map<string, MathForm>([
  ...scalarFunctions
    .filter(({ name, isMathCall = true }) => isMathCall && /^\w+$/.test(name) && !operators.has(name))
    .map(({ name, signature: { minArgs: min, maxArgs: max } }) => [name, { min, max }] as const),
  ['now', { min: 0, max: 0 }],
])

interface Sized {
  readonly tree: MathExpr
  readonly depth: number
}

/**
 * Builds the expression tree from operands and the operators between them. Operators of equal precedence are
 * left-associative.
 */
export function mathTree(operands: readonly MathExpr[], ops: readonly MathOp[]): Sized {
  const values: Sized[] = [{ tree: present(operands[0]), depth: 0 }]
  const waiting: MathOp[] = []
  const reduce = (): void => {
    const op = waiting.pop() ?? '+'
    const right = present(values.pop())
    const left = values.pop() ?? right
    const span = { start: left.tree.span.start, end: right.tree.span.end }
    const tree: MathExpr = { kind: 'binary', op, left: left.tree, right: right.tree, span }
    values.push({ tree, depth: Math.max(left.depth, right.depth) + 1 })
  }
  for (const [i, op] of ops.entries()) {
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      if (mathOps[last].precedence < mathOps[op].precedence) break
      reduce()
    }
    waiting.push(op)
    values.push({ tree: present(operands[i + 1]), depth: 0 })
  }
  while (waiting.length > 0) reduce()
  return present(values[0])
}

/** Returns an expression as query text; `name` prints field names. */
export function printMath(expr: MathExpr, name: (text: string) => string): string {
  switch (expr.kind) {
    case 'number':
      if (expr.parameter !== undefined) return `$${expr.parameter}`
      return expr.isQuoted ? `"${expr.text}"` : expr.text
    case 'field':
      return name(expr.name)
    case 'text':
      return expr.parameter === undefined ? quoteText(expr.text) : `$${expr.parameter}`
    case 'negate':
      return `-${expr.arg.kind === 'binary' || expr.arg.kind === 'negate' ? `(${printMath(expr.arg, name)})` : printMath(expr.arg, name)}`
    case 'call':
      return `${expr.name}(${expr.args.map((arg) => printMath(arg, name)).join(', ')})`
    case 'binary': {
      const { precedence } = mathOps[expr.op]
      const side = (arg: MathExpr, isRight: boolean): string => {
        const text = printMath(arg, name)
        if (arg.kind !== 'binary') return text
        const inner = mathOps[arg.op].precedence
        return inner < precedence || (isRight && inner === precedence) ? `(${text})` : text
      }
      return `${side(expr.left, false)} ${expr.op} ${side(expr.right, true)}`
    }
  }
}
