import { bind } from '../../analyze/index.ts'
import { span, throwIfErrors } from '../../base/index.ts'
import { schemaOf as schemaOfPlan, inputs, type Catalog, type LogicalPlan } from '../../plan/index.ts'
import { foldPipes, lower, withInheritedOptions, type Pipe, type Query } from '../../lang/log/index.ts'
import { FieldSet, needsOfInputs } from '../../optimize/index.ts'
import { comesNewestFirst } from './comes-newest-first.ts'
import { cutAt, isEachRow, isMergeable, type CutContext, type Merge } from './cut.ts'
import { neededPipes } from './needed-pipes.ts'

/** A query as two: what each node that has some of the rows runs, and what is done with all their answers. */
export interface SplitQuery {
  readonly remote: Query
  /** How rows of the nodes that belong together become one; nothing when they are put side by side. */
  readonly merge: Merge | undefined
  /** Run over what the nodes have given. */
  readonly local: readonly Pipe[]
}

export interface SplitContext extends CutContext {
  readonly catalog: Catalog
}

function queryOf(pipes: readonly Pipe[]): Query {
  return { options: [], filter: undefined, pipes, isIncomplete: false, span: span(0, 0) }
}

function bound(query: Query, { dialect, catalog, functions }: SplitContext): LogicalPlan {
  const table = catalog.defaultTable
  const textField = catalog.tables.get(table)?.textField
  const { plan, diagnostics } = bind(lower(query, { dialect, nowNs: 0n, table, textField }), {
    catalog,
    functions,
    dialect,
  })
  throwIfErrors(diagnostics)
  return plan
}

function needsAtScan(plan: LogicalPlan, needs: FieldSet): FieldSet {
  const [first] = inputs(plan)
  if (first === undefined) return needs
  return needsAtScan(first, needsOfInputs(plan, needs)[0])
}

/** Whether the order of the rows that a pipe sees makes no difference. */
function isBlindToOrder(plan: LogicalPlan, { functions }: SplitContext): boolean {
  if (plan.kind === 'distinct') return true
  if (plan.kind === 'table-apply') return !plan.keepsInputFields
  return plan.kind === 'aggregate' && plan.aggregates.every(({ call }) => isMergeable(call.fn, functions))
}

/** What is read of the rows of the nodes, as pipes at the end of their query. */
function narrowed(remote: Query, local: readonly Pipe[], context: SplitContext): Query {
  if (local.length === 0) return remote
  const asked = bound(remote, context)
  const first = bound(queryOf(local.slice(0, 1)), context)
  const read = needsAtScan(bound(queryOf(local), context), FieldSet.all)
  // Rows of several nodes are put in order by their times.
  const needs = isBlindToOrder(first, context) || !comesNewestFirst(asked) ? read : read.with([{ parts: ['_time'] }])
  const { fields, isOpen } = schemaOfPlan(asked)
  if (!isOpen && fields.every(({ name }) => needs.has(name))) return remote
  const steps = neededPipes(needs).map(({ kind, fields: patterns }): Pipe => {
    const refs = patterns.map(({ parts }) => ({ parts, span: span(0, 0) }))
    return { kind, fields: refs, span: span(0, 0) }
  })
  return { ...remote, pipes: [...remote.pipes, ...steps] }
}

/** The same with filters in front of all pipes in the filter part, and chains of limits as one. */
function folded(query: Query, { dialect }: SplitContext): Query {
  // Natively it matters whether filters stand in one part or in two.
  return foldPipes(query, dialect !== 'native')
}

/**
 * Shares a query between nodes and a coordinator: pipes that look at rows one by one run where the rows are; the first
 * other pipe is cut in two when its work can be shared, and the rest sees what the nodes have given, of which they send
 * only the fields that somebody reads. Queries inside are left to the coordinator with the options that they inherit.
 * Throws SluiceError for a query that cannot be bound.
 */
export function splitQuery(query: Query, context: SplitContext): SplitQuery {
  const { options, filter, pipes, ...rest } = folded(query, context)
  const end = pipes.findIndex((each) => !isEachRow(each, context))
  if (end === -1) return { remote: { options, filter, pipes, ...rest }, merge: undefined, local: [] }
  const { remote, merge, local } = cutAt(pipes[end], context)
  const all = [...local, ...pipes.slice(end + 1)].map((each) => withInheritedOptions(each, options))
  const here: Query = { options, filter, pipes: [...pipes.slice(0, end), ...remote], ...rest }
  return { remote: merge === undefined ? narrowed(here, all, context) : here, merge, local: all }
}
