import { collect, SluiceError, always, derived, throwIfErrors } from '../../base/index.ts'
import { Instant, type Row } from '../../data/index.ts'
import { mergeStateName, partialName } from '../../functions/index.ts'
import { hasNested, lower, type Pipe, type Query } from '../../lang/log/index.ts'
import { column, mapInputs, type AggregateCall, type LogicalPlan, type Values } from '../../plan/index.ts'
import { engineDiagnostic } from '../diagnostics.ts'
import type { Engine, QueryOptions } from '../engine.ts'
import { defaultEngineLimits } from '../limits.ts'
import type { QueryResult } from '../result.ts'
import { comesNewestFirst } from './comes-newest-first.ts'
import type { Merge } from './cut.ts'
import { splitQuery } from './split-query.ts'

type Lower = (query: Query) => LogicalPlan

/** Groups with states in place of values. */
function withStates(plan: LogicalPlan): LogicalPlan {
  if (plan.kind !== 'aggregate') return plan
  const aggregates = plan.aggregates.map((each) => ({ ...each, call: { ...each.call, fn: partialName(each.call.fn) } }))
  return { ...plan, aggregates }
}

function merged(rows: LogicalPlan, { keys, results }: Extract<Merge, { kind: 'states' }>): LogicalPlan {
  const { origin } = rows
  const call = (name: string): AggregateCall => {
    const args = [column(name, origin)]
    return { fn: mergeStateName, args, params: [], limit: undefined, orderBy: [], filter: undefined, origin }
  }
  return {
    kind: 'aggregate',
    input: rows,
    keys: keys.map((name) => ({ name, expr: column(name, origin), type: 'any' })),
    aggregates: results.map((name) => ({ name, call: call(name), type: 'any' })),
    origin,
  }
}

/** Pipes over rows that are there already. */
function over(rows: LogicalPlan, pipes: readonly Pipe[], query: Query, lowerOne: Lower): LogicalPlan {
  const plan = lowerOne({ ...query, options: [], filter: undefined, pipes })
  const replace = (node: LogicalPlan): LogicalPlan =>
    node.kind === 'filter' && node.input.kind === 'scan' ? rows : mapInputs(node, replace)
  return replace(plan)
}

/** Newest first over rows of several nodes that each give them so; rows of one time in the order of the nodes. */
function byTime(rows: readonly Row[]): readonly Row[] {
  const timeOf = (row: Row): bigint => {
    const time = row.get('_time')
    return time instanceof Instant ? time.ns : 0n
  }
  return rows.toSorted((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) < timeOf(b) ? 1 : -1))
}

/**
 * The answer to a query over rows that lie on several nodes, no row on two of them. Each node runs what `splitQuery`
 * gives it, and the coordinator, which needs no data, the rest. Engines need the functions of `withPartialStates`, and
 * all the same catalog. Rows of one time come in the order of the nodes; rows without their time, node by node.
 *
 * Throws SluiceError: what the query is refused for, `engine/nested-query` when it has another query inside, which would
 * see the rows of one node only, and `engine/bridge-too-large` when nodes give more than `limits.bridgeRows` rows.
 */
export async function askNodes(
  text: string,
  nodes: readonly Engine[],
  coordinator: Engine,
  options: QueryOptions = {},
): Promise<QueryResult> {
  const { catalog, functions } = coordinator
  const { dialect = 'native' } = options
  const nowNs = options.nowNs ?? coordinator.clock.nowNs()
  const { ast, diagnostics } = coordinator.parse(text, options)
  throwIfErrors(diagnostics)
  const table = options.table ?? catalog.defaultTable
  const lowerOne: Lower = (query) =>
    lower(query, { dialect, nowNs, table, textField: catalog.tables.get(table)?.textField })
  const whole = lowerOne(ast)
  if (hasNested(ast)) throw new SluiceError([engineDiagnostic('nested-query', {}, whole.origin)])

  const { remote, merge, local } = splitQuery(ast, { dialect, catalog, functions })
  const asked = lowerOne(remote)
  const plan = merge?.kind === 'states' ? withStates(asked) : asked
  const results = nodes.map((node) => node.queryPlan(plan, { ...options, nowNs }))
  const answers = await Promise.all(results.map((result) => collect(result.rows())))
  const rows = answers.flat()
  const limit = options.limits?.bridgeRows ?? defaultEngineLimits.bridgeRows
  if (rows.length > limit) {
    throw new SluiceError([engineDiagnostic('bridge-too-large', { limit, backend: 'the nodes' }, whole.origin)])
  }

  const given: Values = {
    kind: 'values',
    outputSchema: results[0]?.schema ?? { fields: [], isOpen: true },
    rows: comesNewestFirst(asked) ? byTime(rows) : rows,
    origin: derived('nodes', [whole.origin]),
  }
  const joined = merge?.kind === 'states' ? merged(given, merge) : given
  const pipes = merge?.kind === 'hits' ? [...merge.pipes, ...local] : local
  const rest = pipes.length === 0 ? joined : over(joined, pipes, ast, lowerOne)
  return coordinator.queryPlan(rest, { ...options, nowNs, range: options.range ?? always })
}
