import type { Span } from '../../../base/index.ts'

export type UnaryOperator = '-' | '!'
export type BinaryOperator = '||' | '&&' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '+' | '-' | '*' | '/' | '%' | '**'

/** An expression of a `math` reducer. */
export type MathExpr =
  | { readonly kind: 'number'; readonly value: number | undefined }
  /** The value of a query, reducer or number, by its name. */
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
  | { readonly kind: 'call'; readonly call: MathFunction; readonly argument: MathExpr }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: MathExpr }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: MathExpr; readonly right: MathExpr }

/**
 * Functions of one value. Without a value a function returns NaN, except `is_null` and `is_number`, which return 1 or
 * 0.
 */
export const mathFunctions = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  // Rounds half away from zero, as Go does; Math.round rounds half up.
  round: (value: number) => Math.sign(value) * Math.round(Math.abs(value)),
  log: Math.log,
  is_nan: (value: number) => (Number.isNaN(value) ? 1 : 0),
  is_inf: (value: number) => (value === Infinity || value === -Infinity ? 1 : 0),
  is_null: () => 0,
  is_number: (value: number) => (Number.isFinite(value) ? 1 : 0),
} as const satisfies Readonly<Record<string, (value: number) => number>>

export type MathFunction = keyof typeof mathFunctions

/** Constants, written as calls without arguments; `undefined` means no value. */
export const mathConstants: ReadonlyMap<string, number | undefined> = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['infn', -Infinity],
  ['null', undefined],
])
