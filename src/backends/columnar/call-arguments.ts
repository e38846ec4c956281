import { MAX_NS, MIN_NS, type Interval } from '../../base/index.ts'
import { compareText, type Column } from '../../data/index.ts'
import { matchesField, type AggregateCall, type Expr } from '../../plan/index.ts'
import type { ExprCompiler } from './expr/compile.ts'
import type { Frame } from './frame.ts'

/** Whether the arguments of a call depend on which fields there are. */
export function takesPatterns(call: AggregateCall): boolean {
  return call.args.some((arg) => arg.kind === 'columns')
}

/** Names and columns of a call's arguments, its sort keys behind them; `names` are the fields patterns may match. */
export function argumentColumns(
  call: AggregateCall,
  compiler: ExprCompiler,
  names: readonly string[],
): { readonly names: readonly string[]; readonly columns: (frame: Frame) => readonly Column[] } {
  const sorted = names.toSorted(compareText)
  const argNames: string[] = []
  const evaluators: ((frame: Frame) => Column)[] = []
  for (const arg of call.args) {
    if (arg.kind === 'columns') {
      for (const name of sorted) {
        if (!matchesField(arg.fields, name)) continue
        argNames.push(name)
        evaluators.push((frame) => frame.column(name))
      }
    } else {
      argNames.push(arg.kind === 'column' ? arg.name : '')
      evaluators.push(compiler.expr(arg))
    }
  }
  for (const key of call.orderBy) evaluators.push(compiler.expr(key.expr))
  return { names: argNames, columns: (frame) => evaluators.map((evaluate) => evaluate(frame)) }
}

/** The seconds that `rate` divides by: the width of a time bucket among the keys, else the query's range. */
export function statsContext(keys: readonly Expr[], range: Interval): number | undefined {
  for (const key of keys) {
    if (key.kind === 'bucket' && key.bucket.kind === 'time') return Number(key.bucket.widthNs) / 1e9
  }
  if (range.startNs === MIN_NS || range.endNs === MAX_NS) return undefined
  return Number(range.endNs - range.startNs) / 1e9
}
