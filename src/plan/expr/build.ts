import { nowhere, type Origin } from '../../base/index.ts'
import type { Value, ValueTest } from '../../data/index.ts'
import type { And, Call, Column, Expr, Literal, Not, Or, Test } from './index.ts'

export function column(name: string, origin: Origin = nowhere): Column {
  return { kind: 'column', name, origin }
}

export function literal(value: Value, origin: Origin = nowhere): Literal {
  return { kind: 'literal', value, origin }
}

export function and(args: readonly Expr[], origin: Origin = nowhere): And {
  return { kind: 'and', args, origin }
}

export function or(args: readonly Expr[], origin: Origin = nowhere): Or {
  return { kind: 'or', args, origin }
}

export function not(arg: Expr, origin: Origin = nowhere): Not {
  return { kind: 'not', arg, origin }
}

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
