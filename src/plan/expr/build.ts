import { nowhere, type Origin } from '../../base/index.ts'
import type { Value, ValueTest } from '../../data/index.ts'
import type { And, Call, Column, Expr, Literal, Not, Or, Test } from './index.ts'

/** Returns the value of a column by its name, which may be that of a field no row has. */
export function column(name: string, origin: Origin = nowhere): Column {
  return { kind: 'column', name, origin }
}

/** Returns a constant. */
export function literal(value: Value, origin: Origin = nowhere): Literal {
  return { kind: 'literal', value, origin }
}

/** Returns a condition that holds where all arguments hold; without arguments it always holds. */
export function and(args: readonly Expr[], origin: Origin = nowhere): And {
  return { kind: 'and', args, origin }
}

/** Returns a condition that holds where an argument holds; without arguments it never holds. */
export function or(args: readonly Expr[], origin: Origin = nowhere): Or {
  return { kind: 'or', args, origin }
}

/** Returns a condition that holds where its argument does not. */
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

/** The AND of the arguments: a single one stays itself, none gives `true`. */
export function conjunction(args: readonly Expr[], origin: Origin = nowhere): Expr {
  const [only = literal(true, origin)] = args
  return args.length <= 1 ? only : and(args, origin)
}

export function disjunction(args: readonly Expr[], origin: Origin = nowhere): Expr {
  const [only = literal(false, origin)] = args
  return args.length <= 1 ? only : or(args, origin)
}
