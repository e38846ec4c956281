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

/** The aggregate of a plan whose rows are those of a table, some of them left out. */
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

/** The rows of a call whose value is something and no number: how many, and one such value. */
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
 * A warning for each field of which a sum or mean leaves out texts that are no numbers: how many, with one of them. The rows are read
 * again for it, but only where what is known of the table has such texts.
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
  const told: Diagnostic[] = []
  for (const { call, field } of calls) {
    if (known?.hasStrayText?.(field) !== true) continue
    try {
      const [row] = await run(compilePlan(strayPlan(found.node, call, field), quiet), quiet)
      const rows = Number(row?.get('rows') ?? 0)
      const data = { fn: call.fn, field, rows, value: toText(row?.get('value') ?? null) }
      if (rows > 0) told.push(engineDiagnostic('no-numbers', data, call.origin))
    } catch (error) {
      // Advice that takes too long is left out; the query has its answer.
      if (!(error instanceof SluiceError)) throw error
    }
  }
  return told
}
