import { assertNever, work } from '../../base/index.ts'
import type { Attribute, FieldRef, IntrinsicName, LiteralValue } from '../../lang/traceql/index.ts'
import { serviceOf, type TraceSpan } from './model.ts'
import { arrayOf, operandOf, type Operand } from './values.ts'

const text = (value: string): Operand => ({ type: 'string', value })
const int = (value: number): Operand => ({ type: 'int', value: BigInt(value) })
const duration = (value: bigint): Operand => ({ type: 'duration', value })

/** Returns a trace or span id as in answers: without leading zeros. */
export function shownId(id: string): string {
  return id.replace(/^0+(?=.)/, '')
}

function treeValue(name: 'nestedSetLeft' | 'nestedSetRight' | 'nestedSetParent', span: TraceSpan): Operand {
  const { left, right, parentLeft } = span.trace.tree.position(span.index)
  return int(name === 'nestedSetLeft' ? left : name === 'nestedSetRight' ? right : parentLeft)
}

function intrinsicValue(name: IntrinsicName, span: TraceSpan): Operand | undefined {
  const { sent, trace } = span
  switch (name) {
    case 'name':
      return text(sent.name)
    case 'status':
      return { type: 'status', value: sent.status }
    case 'statusMessage':
      return text(sent.statusMessage)
    case 'kind':
      return { type: 'kind', value: sent.kind }
    case 'duration':
      return duration(sent.durationNs)
    case 'rootName':
      return text(trace.root?.name ?? '')
    case 'rootServiceName':
      return text(trace.root === undefined ? '' : serviceOf(trace.root))
    case 'traceDuration':
      return duration(trace.durationNs)
    case 'trace:id':
      return text(shownId(trace.id))
    case 'span:id':
      return text(sent.spanId)
    case 'span:parentID':
      return span.isRoot ? undefined : text(sent.parentId)
    case 'span:childCount':
      return int(trace.tree.childCounts[span.index] ?? 0)
    case 'nestedSetLeft':
    case 'nestedSetRight':
    case 'nestedSetParent':
      return treeValue(name, span)
    case 'event:name':
      return arrayOf(sent.events.map((event) => text(event.name)))
    case 'event:timeSinceStart':
      return arrayOf(sent.events.map(({ timeNs }) => duration(timeNs - sent.startNs)))
    case 'link:traceID':
      return arrayOf(sent.links.map(({ traceId }) => text(shownId(traceId))))
    case 'link:spanID':
      return arrayOf(sent.links.map(({ spanId }) => text(shownId(spanId))))
    case 'instrumentation:name':
      return text(sent.scope.name)
    case 'instrumentation:version':
      return text(sent.scope.version)
    default:
      return assertNever(name)
  }
}

/** Name of the resource attribute that every span has. Its value is the empty string if none was sent. */
const SERVICE = 'service.name'

function resourceValue(name: string, { sent }: TraceSpan): Operand | undefined {
  return operandOf(sent.resource.get(name)) ?? (name === SERVICE ? text('') : undefined)
}

function attributeValue({ scope, name }: Attribute, span: TraceSpan): Operand | undefined {
  const { sent } = span
  switch (scope) {
    case 'none':
      return operandOf(sent.attributes.get(name)) ?? resourceValue(name, span)
    case 'span':
      return operandOf(sent.attributes.get(name))
    case 'resource':
      return resourceValue(name, span)
    case 'instrumentation':
      return operandOf(sent.scope.attributes.get(name))
    case 'event':
      return arrayOf(sent.events.map(({ attributes }) => operandOf(attributes.get(name))))
    case 'link':
      return arrayOf(sent.links.map(({ attributes }) => operandOf(attributes.get(name))))
    default:
      return assertNever(scope)
  }
}

/** Returns the value of a span's field; `undefined` if it is missing. Fields of events and links give arrays. */
export function fieldValue(field: FieldRef, span: TraceSpan): Operand | undefined {
  work(1)
  return field.kind === 'attribute' ? attributeValue(field, span) : intrinsicValue(field.name, span)
}

/** Intrinsics that are the empty string if their value is missing. */
const emptyTexts: ReadonlySet<IntrinsicName> = new Set(['event:name', 'link:traceID', 'link:spanID', 'span:parentID'])

/** True if a field has one value for each event or link of a span. */
export function isOfMany(field: FieldRef): boolean {
  const scope = field.kind === 'attribute' ? field.scope : field.name.replace(/:.*/, '')
  return scope === 'event' || scope === 'link'
}

/**
 * Returns the value of a field for grouping and for `select`. For fields of events and links, it is the first value.
 * Any other array gives its only item, or counts as missing if it has several.
 */
export function singleValue(field: FieldRef, span: TraceSpan): Operand | undefined {
  const value = fieldValue(field, span)
  if (value === undefined && field.kind === 'intrinsic' && emptyTexts.has(field.name)) return text('')
  if (value?.type !== 'array') return value
  return value.items.length === 1 || isOfMany(field) ? value.items[0] : undefined
}

/** Returns a literal as an operand. `nil` becomes a missing value. */
export function literalOperand(literal: LiteralValue): Operand | undefined {
  return literal.type === 'nil' ? undefined : literal
}
