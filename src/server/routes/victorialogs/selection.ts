import { always } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import { withExtraFilter, withoutPipes, type Filter, type Query } from '../../../lang/log/index.ts'
import {
  column,
  mapInputs,
  plainName,
  propertiesOf,
  type LogicalPlan,
  type PlanKind,
  type TableDefinition,
} from '../../../plan/index.ts'
import type { SearchAnswer, SearchRequest } from '../../search/service-interfaces.ts'
import { durationParameter, extraFilters, queryParameter, rangeParameters, timeParameter } from './parameters.ts'
import type { SelectCall } from './define-select-routes.ts'

/** Search for the rows that a request of the select API selects. */
export interface Selection extends SearchRequest {
  readonly query: string
  readonly nowNs: bigint
}

/** Combines filters with AND into one flat filter, so that many filters do not nest. */
function conjunctionOf(filters: readonly Filter[]): Filter | undefined {
  const [first] = filters
  if (first === undefined || filters.length === 1) return first
  const args = filters.map((arg): Filter => ({ kind: 'group', arg, field: undefined, span: arg.span }))
  return { kind: 'and', args, isExplicit: true, field: undefined, span: first.span }
}

/**
 * Returns the search of a request: query, range, extra filters and time limit. As in VictoriaLogs, relative times in
 * the query count from `time`, or else from `end`, or else from now. `ignoresPipes` removes the pipes of the query.
 */
export function selectionOf({ parameters, caller, context }: SelectCall, ignoresPipes = false): Selection {
  const clockNs = context.nowNs()
  const query = queryParameter(parameters)
  const { startNs, endNs, hasEnd } = rangeParameters(parameters, clockNs)
  const nowNs = timeParameter(parameters, 'time', clockNs) ?? (hasEnd ? endNs : clockNs)
  const timeoutNs = durationParameter(parameters, 'timeout', 0n)
  const extra = conjunctionOf(extraFilters(parameters, caller))
  const adapt = (given: Query): Query => {
    const bare = ignoresPipes ? withoutPipes(given) : given
    return extra === undefined ? bare : withExtraFilter(bare, extra)
  }
  return {
    ...caller,
    domain: 'logs',
    range: { startNs, endNs },
    query,
    nowNs,
    filters: undefined,
    sources: undefined,
    pipeline: undefined,
    dialect: 'logsql',
    adapt,
    ...(timeoutNs > 0n ? { timeoutMs: Number(timeoutNs) / 1e6 } : {}),
  }
}

/** Returns the search without its time range, for arriving rows. */
export function withoutRange(selection: Selection): Selection {
  return { ...selection, range: always }
}

const STREAM_NAMES = ['_stream', '_stream_id'] as const

/** Kinds of nodes that keep all fields that they do not name. */
const KEEPING: ReadonlySet<PlanKind> = new Set<PlanKind>([
  'filter',
  'extend',
  'sort',
  'limit',
  'limit-by',
  'sample',
  'window',
  'apply',
  'rename',
  'drop',
])

/** Returns the inputs of a node that keeps all fields except those that it names; `undefined` for other nodes. */
function keptInputs(plan: LogicalPlan): readonly LogicalPlan[] | undefined {
  if (plan.kind === 'join') return [plan.left]
  if (plan.kind === 'union') return plan.inputsList
  const isKeeping = plan.kind === 'table-apply' ? plan.keepsInputFields : KEEPING.has(plan.kind)
  return isKeeping && 'input' in plan ? [plan.input] : undefined
}

/** True if each output row is a stored row, possibly with some named fields changed. */
export function isOfWholeRows(plan: LogicalPlan): boolean {
  return plan.kind === 'scan' || keptInputs(plan)?.every(isOfWholeRows) === true
}

/** True for a scan with only filters above it, which is the query before its pipes. */
function isFound(plan: LogicalPlan): boolean {
  return plan.kind === 'scan' || (plan.kind === 'filter' && isFound(plan.input))
}

/** Adds `_stream` and `_stream_id` as columns below the pipes, where VictoriaLogs has these columns too. */
function named(plan: LogicalPlan): LogicalPlan {
  const { origin } = plan
  if (isFound(plan)) {
    const assignments = STREAM_NAMES.map((name) => ({ name, expr: column(name, origin), type: 'string' as const }))
    return { kind: 'extend', input: plan, assignments, origin }
  }
  const kept = keptInputs(plan) ?? []
  return mapInputs(plan, (input) => (kept.includes(input) ? named(input) : input))
}

/** True for a stage that writes its own `_stream`. */
function makesStream(node: LogicalPlan): boolean {
  if (node.kind !== 'apply') return false
  return propertiesOf(node).touches?.some((pattern) => plainName(pattern) === '_stream') === true
}

/** Adds the stream columns if the output rows are stored rows and no stage writes `_stream`. */
export function withStreams(plan: LogicalPlan): LogicalPlan {
  const some = (node: LogicalPlan): boolean => makesStream(node) || keptInputs(node)?.some(some) === true
  return isOfWholeRows(plan) && !some(plan) ? named(plan) : plan
}

type Names = Pick<TableDefinition, 'timeField' | 'textField'>

/**
 * Returns the name of a field in VictoriaLogs' answers: `_time` and `_msg` for the time and text field of the table.
 */
export function shownName(names: Names | undefined, name: string): string {
  if (name === names?.timeField) return '_time'
  return name === names?.textField ? '_msg' : name
}

/**
 * Renames the columns of a batch for VictoriaLogs' answers. If a stage has created a field whose name the table's own
 * field would get, the table's field is left out.
 */
function shownBatch(batch: RecordBatch, names: Names | undefined): RecordBatch {
  const { fields } = batch.schema
  const taken = new Set(fields.map(({ name }) => name))
  const kept = fields.flatMap((field, index) => {
    const name = shownName(names, field.name)
    if (name === field.name) return [{ field, index }]
    return taken.has(name) ? [] : [{ field: { ...field, name }, index }]
  })
  return {
    schema: { ...batch.schema, fields: kept.map(({ field }) => field) },
    rowCount: batch.rowCount,
    columns: kept.flatMap(({ index }) => batch.columns[index] ?? []),
  }
}

/** Renames the columns of an answer for VictoriaLogs' clients. */
export function shownAnswer(answer: SearchAnswer): SearchAnswer {
  return {
    ...answer,
    async *batches() {
      for await (const batch of answer.batches()) yield shownBatch(batch, answer.names)
    },
  }
}
