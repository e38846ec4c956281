import { nowhere, type Origin } from '../../base/index.ts'
import type { Value, ValueTest } from '../../data/index.ts'
import type { And, Call, Column, Expr, Literal, Not, Or, Test } from './index.ts'

/** Returns an expression for the value of a field. The field need not exist. */
export function column(name: string, origin: Origin = nowhere): Column {
  return { kind: 'column', name, origin }
}

/** Returns a constant. */
export function literal(value: Value, origin: Origin = nowhere): Literal {
  return { kind: 'literal', value, origin }
}

/** Returns a condition that is true if all arguments are true; without arguments it is always true. */
export function and(args: readonly Expr[], origin: Origin = nowhere): And {
  return { kind: 'and', args, origin }
}

/** Returns a condition that is true if any argument is true; without arguments it is never true. */
export function or(args: readonly Expr[], origin: Origin = nowhere): Or {
  return { kind: 'or', args, origin }
}

/** Returns the negation of a condition. */
export function not(arg: Expr, origin: Origin = nowhere): Not {
  return { kind: 'not', arg, origin }
}

/** Returns a condition on one value, such as `test(column("status"), { kind: "equals", value: "500", … })`. */
export function test(arg: Expr, valueTest: ValueTest, origin: Origin = nowhere): Test {
  return { kind: 'test', arg, test: valueTest, origin }
}

export function call(name: string, args: readonly Expr[], origin: Origin = nowhere): Call {
  return { kind: 'call', name, args, origin }
}

/** Returns the AND of the arguments, a single argument unchanged, or `true` without arguments. */
export function conjunction(args: readonly Expr[], origin: Origin = nowhere): Expr {
  const [only = literal(true, origin)] = args
  return args.length <= 1 ? only : and(args, origin)
}

export function disjunction(args: readonly Expr[], origin: Origin = nowhere): Expr {
  const [only = literal(false, origin)] = args
  return args.length <= 1 ? only : or(args, origin)
}
