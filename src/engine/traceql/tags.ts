import { ENTRY_BYTES, type Budget, type Interval } from '../../base/index.ts'
import { JsonText, plainValue } from '../../data/index.ts'
import type { Attributes, StoredSpan } from '../../ingest/otlp/stored/index.ts'
import { OTLP_FIELDS, RESOURCE_OF_FIELDS, STORED_FIELDS, spanOf } from '../../ingest/otlp/stored/index.ts'
import type { AttributeScope, FieldRef, IntrinsicName, SpanExpr } from '../../lang/traceql/index.ts'
import { column, conjunction, disjunction, test } from '../../plan/index.ts'
import { spansTable } from '../../store/index.ts'
import { columnsOfFields, columnsOfTraces, fieldsIn, intrinsicColumns } from './columns.ts'
import { fieldValue } from './fields.ts'
import { Trace } from './model.ts'
import { needsTrace } from './needs.ts'
import { eachSpanOf, spanSets } from './pipeline.ts'
import { prefilterOf } from './prefilter.ts'
import { distinctRows, eachSpan, fieldHits, has, type FieldNames, type SpanAccess } from './read-spans.ts'
import { eachTrace } from './search.ts'
import { keyOf, type Operand } from './values.ts'

/** Attribute scopes whose names can be listed. */
export type TagScope = Exclude<AttributeScope, 'none'>

export type TagNames = Readonly<Record<TagScope, ReadonlySet<string>>>

const declared: ReadonlySet<string> = new Set([
  ...spansTable.schema.fields.map(({ name }) => name),
  ...STORED_FIELDS,
  '_stream',
  '_stream_id',
])

const JSON_FIELDS = [...OTLP_FIELDS, 'events', 'links']
const LISTS = ['_time', 'resource_attributes', ...JSON_FIELDS]

/** Collects distinct attribute names by scope. */
class Names {
  readonly #budget: Budget
  readonly found: Record<TagScope, Set<string>> = {
    span: new Set(),
    resource: new Set(),
    event: new Set(),
    link: new Set(),
    instrumentation: new Set(),
  }

  constructor(budget: Budget) {
    this.#budget = budget
  }

  add(scope: TagScope, names: Iterable<string>): void {
    const found = this.found[scope]
    for (const name of names) {
      if (found.has(name)) continue
      this.#budget.charge(ENTRY_BYTES + name.length * 2)
      found.add(name)
    }
  }

  addSpan({ attributes, resource, scope, events, links }: StoredSpan): void {
    this.add('span', attributes.keys())
    this.add('resource', resource.keys())
    this.addLists({ scope, events, links })
  }

  addLists({ scope, events, links }: Pick<StoredSpan, 'scope' | 'events' | 'links'>): void {
    this.add('instrumentation', scope.attributes.keys())
    for (const { attributes } of events) this.add('event', attributes.keys())
    for (const { attributes } of links) this.add('link', attributes.keys())
  }
}

/** Yields the names of the fields that store the members of maps. */
function* flatNames(attributes: Attributes, prefix = ''): Generator<string> {
  for (const [name, value] of attributes) {
    if (value.type === 'map') yield* flatNames(value.value, `${prefix}${name}.`)
    else if (prefix !== '') yield prefix + name
  }
}

/**
 * Adds the attribute names of all spans in a range, without reading all spans. A field is a span attribute if some rows
 * have it whose resource does not supply it.
 */
async function addAllNames(access: SpanAccess, fieldNames: FieldNames, range: Interval, names: Names): Promise<void> {
  const hits = new Map(await fieldHits(access, fieldNames, has('resource_attributes'), range))
  const explain = (name: string, rows: number): void => void hits.set(name, (hits.get(name) ?? 0) - rows)
  await distinctRows(access, ['resource_attributes'], has('resource_attributes'), range, (row, count) => {
    const sent = row.get('resource_attributes')
    const list = sent instanceof JsonText ? (plainValue(sent) as readonly string[]) : []
    names.add('resource', list)
    for (const name of list) explain(name, count)
  })
  const isUnusual = disjunction(JSON_FIELDS.map(has))
  await eachSpan(access, { predicate: isUnusual, columns: LISTS }, range, (span) => {
    names.addSpan(span)
    for (const name of [...flatNames(span.attributes), ...flatNames(span.resource)]) explain(name, 1)
  })
  for (const [name, rows] of hits) if (rows > 0 && !declared.has(name)) names.add('span', [name])
  await addForeignNames(access, fieldNames, range, names)
}

/** Adds the field names of rows that were received in another way than through OpenTelemetry. */
async function addForeignNames(
  access: SpanAccess,
  fieldNames: FieldNames,
  range: Interval,
  names: Names,
): Promise<void> {
  const isForeign = test(column('resource_attributes'), { kind: 'empty' })
  for (const [name] of await fieldHits(access, fieldNames, isForeign, range)) {
    const attribute = RESOURCE_OF_FIELDS.get(name)
    if (attribute !== undefined) names.add('resource', [attribute])
    else if (!declared.has(name)) names.add('span', [name])
  }
}

/** Calls `take` with each span that a query finds. */
async function eachFound(
  access: SpanAccess,
  spans: SpanExpr,
  range: Interval,
  columns: readonly string[] | undefined,
  take: (span: Trace['spans'][number]) => void,
): Promise<void> {
  const evaluate = spanSets(spans)
  const takeAll = (trace: Trace): void => eachSpanOf(access.budget, evaluate, trace, take)
  if (needsTrace(spans)) {
    return eachTrace(access, { spans, range, limit: Infinity }, columns, ({ trace }) => {
      takeAll(trace)
      return true
    })
  }
  await eachSpan(access, { predicate: prefilterOf(spans), columns }, range, (span) => {
    takeAll(new Trace(span.traceId, [span]))
  })
}

/** Returns the names of attributes in a range: those of all spans, or those of the spans that match a query. */
export async function tagNames(
  access: SpanAccess,
  fieldNames: FieldNames,
  spans: SpanExpr | undefined,
  range: Interval,
): Promise<TagNames> {
  const names = new Names(access.budget)
  if (spans === undefined) await addAllNames(access, fieldNames, range, names)
  else
    await eachFound(access, spans, range, undefined, ({ sent }) => {
      names.addSpan(sent)
    })
  return names.found
}

/** Maps intrinsics of a trace's root to the same field of the root span. */
const ofRoot: Readonly<Partial<Record<IntrinsicName, FieldRef>>> = {
  rootName: { kind: 'intrinsic', name: 'name', span: { start: 0, end: 0 } },
  rootServiceName: { kind: 'attribute', scope: 'resource', name: 'service.name', span: { start: 0, end: 0 } },
}

/** Collects distinct values, up to a maximum number. */
class Values {
  readonly #limit: number
  readonly #budget: Budget
  readonly #found = new Map<string, Operand>()

  constructor(limit: number, budget: Budget) {
    this.#limit = limit
    this.#budget = budget
  }

  add(value: Operand | undefined): void {
    if (value?.type === 'array') for (const item of value.items) this.add(item)
    else if (value !== undefined && this.#found.size < this.#limit) {
      const key = keyOf(value)
      if (this.#found.has(key)) return
      this.#budget.charge(ENTRY_BYTES + key.length * 4)
      this.#found.set(key, value)
    }
  }

  list(): readonly Operand[] {
    return [...this.#found.values()]
  }
}

const TIME = spansTable.timeField

/**
 * Returns at most `limit` distinct values of a field in a range: those of all spans, or those of the spans that match a
 * query.
 */
export async function tagValues(
  access: SpanAccess,
  field: FieldRef,
  spans: SpanExpr | undefined,
  range: Interval,
  limit: number,
): Promise<readonly Operand[]> {
  const values = new Values(limit, access.budget)
  const root = field.kind === 'intrinsic' ? ofRoot[field.name] : undefined
  const missing: Operand | undefined = root === undefined ? undefined : { type: 'string', value: '' }
  const target = root ?? field
  const isRoot = root === undefined ? undefined : test(column('parent_span_id'), { kind: 'empty' })
  if (spans !== undefined) {
    const columns = columnsOfTraces([...fieldsIn(spans), field])
    await eachFound(access, spans, range, columns, (span) => {
      values.add(fieldValue(field, span))
    })
    return values.list()
  }
  if (target.kind === 'intrinsic' && intrinsicColumns[target.name] === undefined) return []
  const columns = columnsOfFields([target]).filter((name) => name !== TIME)
  const predicate = conjunction(isRoot === undefined ? [] : [isRoot])
  await distinctRows(access, columns, predicate, range, (row) => {
    const sent = spanOf(row)
    const [span] = new Trace(sent.traceId, [sent]).spans
    if (span !== undefined) values.add(fieldValue(target, span) ?? missing)
  })
  return values.list()
}
