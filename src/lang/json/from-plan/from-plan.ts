import { hasMember, checkArgument, formatDurationNs, type Diagnostic } from '../../../base/index.ts'
import {
  asAggregate,
  column,
  declaredField,
  plainName,
  schemaOf,
  tableOfDomain,
  type AggregateCall,
  type GroupKey,
  type LogicalPlan,
  type NodeOf,
  type PlanKind,
} from '../../../plan/index.ts'
import type { Pipeline, Processor } from '../../../wire/index.ts'
import { PipelineBuilder, slots } from './from-plan-builder.ts'
import { FilterWriter } from './from-plan-filter.ts'
import { FromPlanNotes, type FromPlanOptions } from './from-plan-notes.ts'
import { Selection, type Item } from './from-plan-selection.ts'
import { statsNameOf } from '../processor.ts'

type Handler<K extends PlanKind> = (node: NodeOf<K>, notes: FromPlanNotes) => PipelineBuilder

function below(node: { readonly input: LogicalPlan }, notes: FromPlanNotes): PipelineBuilder {
  return builderOf(node.input, notes)
}

function scan(node: NodeOf<'scan'>, notes: FromPlanNotes): PipelineBuilder {
  const body: Pipeline = {}
  if (node.table !== (notes.options.table ?? 'logs')) {
    body.domain = [...tableOfDomain].find(([, table]) => table === node.table)?.[0] ?? node.table
  }
  if ((node.rangeShiftNs ?? 0n) > 0n) body.timeOffset = formatDurationNs(node.rangeShiftNs ?? 0n)
  if ((node.rangeShiftNs ?? 0n) < 0n) {
    notes.fail('a range that is moved into the future', 'Its `timeOffset` looks back.', node.origin)
  }
  if (node.ignoresRequestRange === true) {
    const instead = 'Every pipeline answers over the range of its request.'
    notes.fail('`ignore_global_time_filter`', instead, node.origin)
  }
  return new PipelineBuilder(notes, body)
}

/**
 * Converts an aggregate to a selection item, including the scalar steps of its argument. Returns `undefined` after
 * reporting an error.
 */
function aggregateItem(
  name: string,
  call: AggregateCall,
  builder: PipelineBuilder,
  input: LogicalPlan,
): Extract<Item, { kind: 'aggregate' }> | undefined {
  const { notes } = builder
  const one = 'A selector has one column and one aggregate, such as `sum` or `countDistinct`.'
  const [arg] = call.args
  const chain = arg === undefined ? undefined : builder.chain(arg)
  if (call.args.length > 1 || (arg !== undefined && chain === undefined)) {
    const what = call.args.length > 1 || arg?.kind === 'columns' ? 'of several columns' : 'of such a value'
    notes.fail(`\`${call.fn}\` ${what}`, one, call.origin)
    return undefined
  }
  if (call.limit !== undefined || call.orderBy.length > 0) {
    notes.fail(`\`${call.fn}\` with a limit or an order`, one, call.origin)
    return undefined
  }
  if (statsNameOf(call.fn, notes.options.functions) !== call.fn) {
    notes.fail(`the function \`${call.fn}\``, one, call.origin)
    return undefined
  }
  const args = call.params.filter((param) => typeof param === 'number' || typeof param === 'string')
  const processor: Processor = args.length === 0 ? { op: call.fn } : { op: call.fn, args }
  const filter =
    call.filter === undefined ? undefined : new FilterWriter(notes, schemaOf(input)).group(builder.inlined(call.filter))
  return { kind: 'aggregate', name, chain, call: processor, fn: call.fn, filter, after: [], partitionBy: undefined }
}

function keyItems(
  keys: readonly GroupKey[],
  builder: PipelineBuilder,
): Extract<Item, { kind: 'column' }>[] | undefined {
  const items: Extract<Item, { kind: 'column' }>[] = []
  for (const { name, expr } of keys) {
    const chain = builder.chain(expr)
    if (chain === undefined) return undefined
    items.push({ kind: 'column', name, key: chain.key, steps: chain.steps })
  }
  return items
}

function aggregate(node: NodeOf<'aggregate'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = below(node, notes)
  const schema = schemaOf(node.input)
  const filters = node.aggregates.flatMap(({ call }) => (call.filter === undefined ? [] : [call.filter]))
  const args = node.aggregates.flatMap(({ call }) => (call.args.length === 1 ? call.args : []))
  const read = [...node.keys.map(({ expr }) => expr), ...args]
  builder.hold(read, schema)
  builder.flushRead(filters, schema)
  const keys = keyItems(node.keys, builder)
  if (keys === undefined) {
    const instead = 'Keys are columns, steps on them, and times floored to an interval such as `300 seconds`.'
    notes.fail('such a key to group by', instead, node.keys[0]?.expr.origin ?? node.origin)
    return builder
  }
  const selection = new Selection()
  selection.keys = keys
  selection.items = [...keys]
  for (const { name, call } of node.aggregates) {
    const item = aggregateItem(name, call, builder, node.input)
    if (item !== undefined) selection.items.push(item)
  }
  builder.freshSelection(selection)
  return builder
}

function distinct(node: NodeOf<'distinct'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = aggregate(asAggregate(node), notes)
  if (node.limit !== undefined) builder.limit(0, node.limit, schemaOf(node))
  return builder
}

function window(node: NodeOf<'window'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = below(node, notes)
  const schema = schemaOf(node.input)
  const order = node.orderBy.every(
    ({ expr, direction }) => expr.kind === 'column' && expr.name === '_time' && direction === 'asc',
  )
  if (!order || node.calls.some(({ frame }) => frame === 'running')) {
    notes.fail(
      'a running value',
      'A `windowSpec` has the value of the whole partition on each row, as `total_stats`.',
      node.origin,
    )
    return builder
  }
  const hasTime = schema.isOpen || declaredField(schema, '_time') !== undefined
  if (hasTime !== node.orderBy.length > 0) {
    notes.fail('a window in another order', 'Windows see rows in the order of their time.', node.origin)
    return builder
  }
  const names = node.calls.map(({ name }) => name)
  const filters = node.calls.flatMap(({ call }) => (call.filter === undefined ? [] : [call.filter]))
  const args = node.calls.flatMap(({ call }) => (call.args.length === 1 ? call.args : []))
  const read = [...node.partitionBy, ...args]
  const takes = (): boolean => {
    const { selection } = builder
    // A window inside a selection is always ordered by time, but a window above it is not if the time column is missing
    // there.
    if (!hasTime || !builder.isSelecting || selection?.takesWindows !== true) return false
    return names.every((name) => selection.takesName(name))
  }
  // If the rows have further, unknown columns, pending columns stay pending unless the window reads them.
  if (!schema.isOpen) builder.flush(schema)
  builder.hold(read, schema)
  builder.flushRead(filters, schema)
  builder.save(names, schema)
  if (schema.isOpen && !takes()) builder.makeArithmetic()
  const open = takes() && builder.selection !== undefined ? builder.selection : new Selection()
  if (open !== builder.selection) {
    if (schema.isOpen) open.isOpenEnded = node.origin
    else for (const { name } of schema.fields) open.items.push({ kind: 'column', name, key: name, steps: [] })
  }
  const partitionBy = builder.selectorsOf(node.partitionBy, schema)
  for (const { name, call } of node.calls) {
    const item = aggregateItem(name, call, builder, node.input)
    if (item === undefined || partitionBy === undefined) continue
    open.items = [...open.items.filter((each) => each.name !== name), { ...item, partitionBy }]
  }
  if (open !== builder.selection) builder.openSelection(open)
  builder.overwrite(names)
  return builder
}

/** Returns one input of a join as a pipeline with at least one member, because an empty pipeline counts as missing. */
function side(plan: LogicalPlan, notes: FromPlanNotes): Pipeline {
  const body = builderOf(plan, notes).finish(schemaOf(plan))
  if (Object.keys(body).length > 0) return body
  const table = notes.options.table ?? 'logs'
  return { domain: [...tableOfDomain].find(([, each]) => each === table)?.[0] ?? table }
}

function join(node: NodeOf<'join'>, notes: FromPlanNotes): PipelineBuilder {
  const [left, right] = [schemaOf(node.left), schemaOf(node.right)]
  const keys = new Set(node.on.map((pair) => pair.right))
  const clashes = right.fields.some(({ name }) => !keys.has(name) && declaredField(left, name) !== undefined)
  const isSure = !left.isOpen && !right.isOpen && !clashes
  const hasPrefix = node.prefixMode === 'collision' && node.prefix !== undefined && node.prefix !== ''
  if (!hasPrefix && (!isSure || (node.prefix !== undefined && node.prefix !== ''))) {
    const instead = 'Write `prefix name clashing`: names that both sides have come out as `name.field`.'
    notes.fail('a join that names the columns of the other side in this way', instead, node.origin)
  }
  const join: NonNullable<Pipeline['join']> = {
    leftPipeline: side(node.left, notes),
    rightPipeline: side(node.right, notes),
    type: node.type,
    ...(hasPrefix ? { prefix: node.prefix } : {}),
  }
  if (node.on.length > 0) {
    join.onConditions = node.on.map((pair) => ({ leftColumn: { key: pair.left }, rightColumn: { key: pair.right } }))
  }
  return new PipelineBuilder(notes, { join })
}

function union({ inputsList }: NodeOf<'union'>, notes: FromPlanNotes): PipelineBuilder {
  const [first, ...others] = inputsList.map((input) => side(input, notes))
  const body = others.reduce(
    (left, right): Pipeline => ({ union: { leftPipeline: left, rightPipeline: right } }),
    first,
  )
  return new PipelineBuilder(notes, body ?? {})
}

function sort(node: NodeOf<'sort'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = below(node, notes)
  const schema = schemaOf(node.input)
  const { keys, offset, limit, partitionBy, rankName, origin } = node
  if (rankName !== undefined || keys.length === 0 || keys.some(({ expr }) => expr.kind === 'columns')) {
    const what = rankName === undefined ? 'a sort by all fields' : 'the rank of a sort'
    notes.fail(what, 'Its `orderBy` names columns and directions.', origin)
    return builder
  }
  builder.order(keys, schema, origin)
  if (partitionBy.length > 0) {
    if (offset > 0 || limit !== undefined) {
      builder.limitBy(partitionBy, offset, limit ?? Number.MAX_SAFE_INTEGER, schema, origin)
    }
  } else if (offset > 0 || limit !== undefined) builder.limit(offset, limit, schema)
  return builder
}

function rename(node: NodeOf<'rename'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = below(node, notes)
  for (const step of node.steps) {
    const [from, to] = [plainName(step.from), plainName(step.to)]
    if (from === undefined || to === undefined) {
      notes.fail('fields renamed by pattern', 'Its selectors name each column and its `alias`.', node.origin)
      return builder
    }
    if (from === to) continue
    builder.assign(to, column(from, node.origin), node.origin, schemaOf(node.input))
    if (!node.isCopy) builder.drop(from, node.origin)
  }
  return builder
}

function unpacked(node: NodeOf<'apply'>): { readonly alias: string; readonly from: string } | undefined {
  const params = node.params as Readonly<Record<string, unknown>> | null
  if (node.fn !== 'unpack_json' || params === null || node.condition !== undefined) return undefined
  const { from, fieldPatterns, preserveKeys, prefix, keepsOriginal, skipsEmpty } = params
  const isWhole = fieldPatterns === null && Array.isArray(preserveKeys) && preserveKeys.length === 0
  if (!isWhole || keepsOriginal === true || skipsEmpty === true) return undefined
  if (typeof prefix !== 'string' || !/.\.$/.test(prefix) || typeof from !== 'string' || from === '') return undefined
  return { alias: prefix.slice(0, -1), from }
}

const inTransforms =
  'Of all pipes that rewrite fields it has `unpack_json result_prefix "name."` and `datetime_extract`.'

function apply(node: NodeOf<'apply'>, notes: FromPlanNotes): PipelineBuilder {
  const builder = below(node, notes)
  const unpack = unpacked(node)
  if (unpack === undefined) {
    const pipe = node.fn === 'unpack_json' ? '`unpack_json` as it is written here' : `the pipe \`${node.fn}\``
    const isShift = node.fn === 'time_add'
    notes.fail(isShift ? 'times moved by `time_add` or `time_offset`' : pipe, inTransforms, node.origin)
    return builder
  }
  builder.flush(schemaOf(node.input))
  const body = builder.place(slots.transforms, true)
  const transform = { type: 'json_unpack', alias: unpack.alias, sourceColumn: unpack.from }
  body.transforms = [...(body.transforms ?? []), transform]
  return builder
}

const handlers: { readonly [K in PlanKind]: Handler<K> } = {
  scan,
  aggregate,
  distinct,
  window,
  join,
  union,
  sort,
  rename,
  apply,
  filter: (node, notes) => {
    const builder = below(node, notes)
    builder.filter(node.predicate, schemaOf(node.input))
    return builder
  },
  extend: (node, notes) => {
    const builder = below(node, notes)
    for (const { name, expr } of node.assignments) builder.assign(name, expr, expr.origin, schemaOf(node.input))
    return builder
  },
  project: (node, notes) => {
    const builder = below(node, notes)
    const names = node.fields.map(plainName)
    if (node.fields.some(({ parts }) => parts.length === 2 && parts.every((part) => part === ''))) return builder
    if (!names.every((name) => name !== undefined && name !== '')) {
      notes.fail('fields by pattern', 'Its selectors name each column.', node.origin)
      return builder
    }
    builder.project([...new Set(names.filter((name) => name !== undefined))], schemaOf(node.input), node.origin)
    return builder
  },
  drop: (node, notes) => {
    const builder = below(node, notes)
    for (const pattern of node.fields) {
      const name = plainName(pattern)
      if (name === undefined) notes.fail('fields dropped by pattern', 'Its `except` names each column.', node.origin)
      else builder.drop(name, node.origin)
    }
    return builder
  },
  limit: (node, notes) => {
    const builder = below(node, notes)
    builder.limit(node.offset, node.limit, schemaOf(node.input))
    return builder
  },
  'limit-by': (node, notes) => {
    const builder = below(node, notes)
    builder.limitBy(node.keys, node.offset, node.limit, schemaOf(node.input), node.origin)
    return builder
  },
  sample: (node, notes) => {
    const builder = below(node, notes)
    if (node.mode !== 'rows') {
      notes.fail('one row in so many', 'Its `sample` is a number of rows, as `sample 100 rows` has it.', node.origin)
      return builder
    }
    builder.place(slots.sample).sample = node.n
    return builder
  },
  'table-apply': (node, notes) => {
    notes.fail(
      `the pipe \`${node.fn}\``,
      'It has filters, selectors, groups, arithmetic, joins, unions, orders and limits.',
      node.origin,
    )
    return below(node, notes)
  },
  values: (node, notes) => {
    notes.fail('rows written in place', 'Its sides are pipelines over stored records.', node.origin)
    return new PipelineBuilder(notes, { domain: 'logs' })
  },
}

function builderOf(plan: LogicalPlan, notes: FromPlanNotes): PipelineBuilder {
  const handler = handlers[plan.kind] as (node: LogicalPlan, notes: FromPlanNotes) => PipelineBuilder
  return handler(plan, notes)
}

/** The JSON pipeline for a plan, with diagnostics for the parts of the plan that a pipeline cannot express. */
export interface PlanPipeline {
  /** The pipeline; incomplete if the diagnostics contain an error. */
  readonly pipeline: Pipeline
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Converts a plan with unresolved names to a pipeline. Both have equal plans, or equal answers except for column names.
 * Reports each part that a pipeline cannot express, with its origin.
 */
export function planToPipeline(plan: LogicalPlan, options: FromPlanOptions): PlanPipeline {
  checkArgument(hasMember(plan, 'kind'), plan, 'a plan', 'planToPipeline(engine.plan(text).bound, options)')
  const notes = new FromPlanNotes(options)
  const pipeline = builderOf(plan, notes).finish(schemaOf(plan))
  return { pipeline, diagnostics: notes.diagnostics }
}
