import { SluiceError, type Diagnostic } from '../../base/index.ts'
import type { Backend } from '../../backends/index.ts'
import { toText } from '../../data/index.ts'
import {
  column,
  conjunction,
  countRows,
  not,
  test,
  type Aggregate,
  type AggregateCall,
  type KnownFields,
  type LogicalPlan,
} from '../../plan/index.ts'
import { compilePlan, type CompileOptions, type CompiledPlan } from '../compile.ts'
import { engineDiagnostic } from '../diagnostics.ts'
import type { ReadRows } from './read-names.ts'

/**
 * Returns the lowest aggregate of a plan and its table, if its input is only filtered rows of a table; otherwise
 * `undefined`.
 */
function firstAggregate(plan: LogicalPlan): { readonly node: Aggregate; readonly table: string } | undefined {
  let node = plan
  while (node.kind !== 'aggregate') {
    if (!('input' in node)) return undefined
    node = node.input
  }
  let below = node.input
  while (below.kind === 'filter') below = below.input
  return below.kind === 'scan' ? { node, table: below.table } : undefined
}

/** Returns a plan that counts the values in a call's field that are not numbers, and returns one of them. */
function strayPlan({ input }: Aggregate, { filter, origin }: AggregateCall, field: string): LogicalPlan {
  const arg = column(field, origin)
  const isNumber = test(arg, {
    kind: 'range',
    min: -Infinity,
    max: Infinity,
    isMinIncluded: true,
    isMaxIncluded: true,
  })
  const isStray = [not(test(arg, { kind: 'empty' })), not(isNumber), ...(filter === undefined ? [] : [filter])]
  const count = countRows(origin)
  return {
    kind: 'aggregate',
    input: { kind: 'filter', input, predicate: conjunction(isStray, origin), origin },
    keys: [],
    aggregates: [
      { name: 'rows', call: count, type: 'integer' },
      { name: 'value', call: { ...count, fn: 'max', args: [arg] }, type: 'any' },
    ],
    origin,
  }
}

/**
 * Returns a warning for each field in which a sum or mean skipped strings that are not numbers, with their number and
 * an example. Reads the rows again, but only if the table is known to have such strings.
 */
export async function numberAdvice(
  { bound }: CompiledPlan,
  owner: Backend,
  options: CompileOptions,
  run: (compiled: CompiledPlan, options: CompileOptions) => ReturnType<ReadRows>,
): Promise<readonly Diagnostic[]> {
  const found = firstAggregate(bound)
  if (found === undefined || options.lint === 'off' || options.scope !== undefined || options.limits.adviceMs === 0)
    return []
  const calls = found.node.aggregates.flatMap(({ call }) => {
    const kernel = options.functions.stats.get(call.fn)?.kernel
    const [arg] = call.args
    const isSum = (kernel === 'sum' || kernel === 'mean') && call.args.length === 1
    return isSum && arg?.kind === 'column' ? [{ call, field: arg.name }] : []
  })
  if (calls.length === 0) return []
  const table = owner.tables?.get(found.table)
  const known: KnownFields | undefined = table?.readFields?.() ?? (await table?.knownFields?.())
  const quiet: CompileOptions = {
    ...options,
    limits: { ...options.limits, timeoutMs: options.limits.adviceMs },
    lint: 'off',
  }
  const reported: Diagnostic[] = []
  for (const { call, field } of calls) {
    if (known?.hasStrayText?.(field) !== true) continue
    try {
      const [row] = await run(compilePlan(strayPlan(found.node, call, field), quiet), quiet)
      const rows = Number(row?.get('rows') ?? 0)
      const data = { fn: call.fn, field, rows, value: toText(row?.get('value') ?? null) }
      if (rows > 0) reported.push(engineDiagnostic('no-numbers', data, call.origin))
    } catch (error) {
      // Advice that exceeds its limits is omitted, because the query itself has been answered.
      if (!(error instanceof SluiceError)) throw error
    }
  }
  return reported
}
