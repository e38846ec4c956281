import type { DataType, Value } from '../data/index.ts'
import type { StatsFunction } from '../functions/index.ts'
import { matchesField, type AggregateCall, type Expr } from '../plan/index.ts'
import type { BindTools } from './bind-expr.ts'
import { analyzeDiagnostic } from './diagnostics.ts'

function fits(value: Value, type: DataType): boolean {
  if (type === 'number') return typeof value === 'number' || typeof value === 'bigint'
  if (type === 'integer') return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  if (type === 'string') return typeof value === 'string'
  if (type === 'bool') return typeof value === 'boolean'
  return true
}

/** Returns a key that is equal for expressions that differ only in their origins. */
export function exprKey(expr: Expr): string {
  const hideOrigins = (name: string, value: unknown): unknown =>
    name === 'origin' ? undefined : typeof value === 'bigint' ? String(value) : value
  return JSON.stringify(expr, hideOrigins)
}

/**
 * Removes duplicate arguments of a function that accepts any number of fields, also fields that a pattern argument
 * matches.
 */
function distinctArgs(args: readonly Expr[], { signature, form }: StatsFunction): readonly Expr[] {
  const hasKeyInFront = form?.isAllByDefault === false
  if (args.length < 2 || signature.maxArgs !== Infinity || hasKeyInFront) return args
  const patterns = args.flatMap((arg) => (arg.kind === 'columns' ? [arg.fields] : []))
  const isCovered = (arg: Expr): boolean =>
    arg.kind === 'column' && patterns.some((pattern) => matchesField(pattern, arg.name))
  const byKey = new Map<string, Expr>()
  for (const arg of args) {
    const key = exprKey(arg)
    if (!byKey.has(key) && !isCovered(arg)) byKey.set(key, arg)
  }
  return [...byKey.values()]
}

/** Resolves a stats function by name and checks its arguments. */
export function bindAggregateCall(tools: BindTools, call: AggregateCall, bind: (expr: Expr) => Expr): AggregateCall {
  const definition = tools.functions.stats.get(call.fn)
  const bound: AggregateCall = {
    ...call,
    fn: definition?.name ?? call.fn,
    args: definition === undefined ? call.args.map(bind) : distinctArgs(call.args.map(bind), definition),
    orderBy: call.orderBy.map((key) => ({ ...key, expr: bind(key.expr) })),
    filter: call.filter === undefined ? undefined : bind(call.filter),
  }
  if (definition === undefined) {
    tools.report(analyzeDiagnostic('unknown-stats', tools.nearest(call.fn, 'stats'), call.origin))
    return bound
  }
  const { name, signature } = definition
  const required = signature.params.filter((parameter) => parameter.isOptional !== true).length
  if (call.params.length < required || call.params.length > signature.params.length) {
    const names = signature.params.map((p) => p.name)
    tools.report(analyzeDiagnostic('wrong-parameters', { name, names, count: call.params.length }, call.origin))
  } else {
    signature.params.slice(0, call.params.length).forEach((parameter, i) => {
      if (fits(call.params[i] ?? null, parameter.type)) return
      const data = { name, parameter: parameter.name, wanted: parameter.type }
      tools.report(analyzeDiagnostic('wrong-parameter-type', data, call.origin))
    })
  }
  const count = call.args.length
  const { minArgs: min, maxArgs: max } = signature
  // A field pattern may match any number of fields, so a minimum of arguments is not required.
  const isOpen = bound.args.some((arg) => arg.kind === 'columns')
  if ((count < min && !isOpen) || count > max) {
    tools.report(analyzeDiagnostic('wrong-arguments', { name, min, max, count }, call.origin))
  }
  return bound
}
