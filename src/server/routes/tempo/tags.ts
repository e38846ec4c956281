import { z } from 'zod'
import { tagNames, tagValues, type Operand, type TagNames, type TagScope } from '../../../engine/traceql/index.ts'
import { parseTraceql, renderTraceqlError, type FieldRef, type SpanExpr } from '../../../lang/traceql/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { AnyRoute } from '../definition/route.ts'
import { answered } from '../loki/query.ts'
import { namesOf } from '../../search/fields/questions.ts'
import { defineTempoRoutes, refuse, type TempoCall } from './define-tempo-routes.ts'
import { lenientRange } from './parameters.ts'
import { spanAccess } from './spans.ts'
import { tagText, tagValue, tagValueSchema } from './values.ts'

/** Intrinsic fields that a list of tags contains. */
const INTRINSICS = [
  'duration',
  'event:name',
  'event:timeSinceStart',
  'instrumentation:name',
  'instrumentation:version',
  'kind',
  'link:spanID',
  'link:traceID',
  'name',
  'rootName',
  'rootServiceName',
  'span:duration',
  'span:id',
  'span:kind',
  'span:name',
  'span:parentID',
  'span:status',
  'span:statusMessage',
  'status',
  'statusMessage',
  'trace:duration',
  'trace:id',
  'trace:rootName',
  'trace:rootService',
  'traceDuration',
]

const SCOPES = ['event', 'instrumentation', 'link', 'resource', 'span'] as const satisfies readonly TagScope[]

/** Default number of values in an answer. */
const MAX_VALUES = 10_000

/** Returns the limit of a list of names; no limit if the parameter is 0 or not a number, as in Tempo. */
function limitOf({ parameters }: TempoCall): number {
  const limit = Number(parameters.get('limit') ?? 0)
  return Number.isInteger(limit) && limit > 0 ? limit : Infinity
}

/** Returns a condition on the spans to list. As in Tempo, a query that is invalid or matches every span is ignored. */
function spansOf(call: TempoCall): SpanExpr | undefined {
  const text = call.parameters.get('q') ?? ''
  call.caller.readsText('q', text)
  const { ast } = parseTraceql(text)
  if (ast?.kind !== 'trace-query') return undefined
  const { spans } = ast
  return spans.kind === 'filter' && spans.condition === undefined ? undefined : spans
}

function scopesOf({ parameters }: TempoCall): ReadonlySet<string> {
  const scope = parameters.get('scope') ?? 'none'
  if (scope === 'none') return new Set([...SCOPES, 'intrinsic'])
  const isKnown = scope === 'intrinsic' || SCOPES.some((each) => each === scope)
  return isKnown ? new Set([scope]) : refuse(`invalid scope: ${scope}`)
}

async function namesFor(call: TempoCall, scopes: ReadonlySet<string>): Promise<TagNames | undefined> {
  if (scopes.size === 1 && scopes.has('intrinsic')) return undefined
  return tagNames(
    spanAccess(call),
    (rows) => namesOf(rows, undefined),
    spansOf(call),
    lenientRange(call.parameters, call.context.nowNs()),
  )
}

async function scopedTags(call: TempoCall): Promise<HttpAnswer> {
  const scopes = scopesOf(call)
  const names = await namesFor(call, scopes)
  const limit = limitOf(call)
  const listed = [...SCOPES, 'intrinsic' as const]
    .filter((scope) => scopes.has(scope))
    .map((name) => ({
      name,
      tags: name === 'intrinsic' ? INTRINSICS : [...(names?.[name] ?? [])].toSorted().slice(0, limit),
    }))
    .filter(({ tags }) => tags.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return answered(call, [JSON.stringify({ scopes: listed, metrics: {} })])
}

async function plainTags(call: TempoCall): Promise<HttpAnswer> {
  const scopes = scopesOf(call)
  const names = await namesFor(call, scopes)
  const all = SCOPES.filter((scope) => scopes.has(scope)).flatMap((scope) => [...(names?.[scope] ?? [])])
  const listed = scopes.size === 1 && scopes.has('intrinsic') ? INTRINSICS : [...new Set(all)].toSorted()
  return answered(call, [JSON.stringify({ tagNames: listed.slice(0, limitOf(call)), metrics: {} })])
}

/** Names that older clients use for intrinsics. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['status.code', 'status'],
  ['root.service.name', 'rootServiceName'],
  ['root.name', 'rootName'],
])

async function valuesFor(call: TempoCall, field: FieldRef): Promise<readonly Operand[]> {
  const limit = Math.min(limitOf(call), MAX_VALUES)
  const range = lenientRange(call.parameters, call.context.nowNs())
  return tagValues(spanAccess(call), field, spansOf(call), range, limit)
}

/** Parses a field name, as the grouping of a metric query would. */
function parsedField(name: string): FieldRef | undefined {
  const { ast } = parseTraceql(`{} | rate() by (${name})`)
  if (ast?.kind !== 'metrics-query' || ast.metric.kind !== 'metric') return undefined
  const [key, ...others] = ast.metric.by
  return others.length === 0 && ast.metric.stages.length === 0 ? key?.field : undefined
}

function fieldOf(name: string): FieldRef {
  const text = `{${name}}`
  const [fault] = parseTraceql(text).diagnostics
  const reason = fault === undefined ? 'no name' : renderTraceqlError(fault, text, 'range')
  return parsedField(name) ?? refuse(`please provide a valid tagName: failed to parse identifier ${name}: ${reason}`)
}

async function scopedValues(call: TempoCall): Promise<HttpAnswer> {
  const values = await valuesFor(call, fieldOf(call.path.get('tag') ?? ''))
  const listed = values.map(tagValue).toSorted((a, b) => (`${a.type} ${a.value}` < `${b.type} ${b.value}` ? -1 : 1))
  return answered(call, [JSON.stringify({ tagValues: listed, metrics: {} })])
}

async function plainValues(call: TempoCall): Promise<HttpAnswer> {
  const name = call.path.get('tag') ?? ''
  const asked = OLD_NAMES.get(name) ?? name
  const values = await valuesFor(call, parsedField(asked) ?? fieldOf(`.${asked}`))
  return answered(call, [JSON.stringify({ tagValues: [...new Set(values.map(tagText))].toSorted(), metrics: {} })])
}

const shared = {
  q: 'Query in TraceQL: only spans that it finds count. A faulty one is ignored.',
  start: 'Start of the range in seconds since 1970. Default: an hour ago.',
  end: 'End of the range in seconds, included.',
  limit: 'Names or values of the answer, at most.',
}

const scope =
  'Scope of the names: `none` for all, `resource`, `span`, `event`, `link`, `instrumentation` or `intrinsic`.'

const names = z.array(z.string())
const metrics = z.strictObject({})
const scopedNames = z.strictObject({
  scopes: z.array(z.strictObject({ name: z.enum([...SCOPES, 'intrinsic']), tags: names })),
  metrics,
})

export const tempoTagRoutes: readonly AnyRoute[] = [
  ...defineTempoRoutes({
    name: 'tempoTagsByScope',
    path: '/api/v2/search/tags',
    summary: 'List names of attributes by scope, as Tempo does',
    parameters: { ...shared, scope },
    answers: [{ description: 'Names by scope.', schema: scopedNames }],
    handle: scopedTags,
  }),
  ...defineTempoRoutes({
    name: 'tempoTags',
    path: '/api/search/tags',
    summary: 'List names of attributes, as Tempo does',
    parameters: { ...shared, scope },
    answers: [{ description: 'Names.', schema: z.strictObject({ tagNames: names, metrics }) }],
    handle: plainTags,
  }),
  ...defineTempoRoutes({
    name: 'tempoTypedTagValues',
    path: '/api/v2/search/tag/{tag}/values',
    summary: 'List values of a field with their types, as Tempo does',
    parameters: shared,
    answers: [{ description: 'Values.', schema: z.strictObject({ tagValues: z.array(tagValueSchema), metrics }) }],
    handle: scopedValues,
  }),
  ...defineTempoRoutes({
    name: 'tempoTagValues',
    path: '/api/search/tag/{tag}/values',
    summary: 'List values of a field, as Tempo does',
    parameters: shared,
    answers: [{ description: 'Values.', schema: z.strictObject({ tagValues: names, metrics }) }],
    handle: plainValues,
  }),
]
