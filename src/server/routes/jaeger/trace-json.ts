import { printJsonExact, toText, type ExactJson } from '../../../data/index.ts'
import { exactText } from '../../http/respond.ts'
import type { AttributeValue, Attributes, SpanEvent, StoredSpan } from '../../../ingest/otlp/stored/index.ts'

/** A tag of a span, a process or a log. Integers beyond 2^53 are `bigint`. */
export interface Tag {
  readonly key: string
  readonly type: 'string' | 'bool' | 'int64' | 'float64' | 'binary'
  readonly value: string | boolean | number | bigint
}

const SERVICE_NAME = 'service.name'
/** Service name of spans whose resource has no service name. */
export const UNKNOWN_SERVICE = 'unknown_service'

const US_NS = 1000n

function jsonOf(value: AttributeValue): ExactJson {
  switch (value.type) {
    case 'int': {
      const number = Number(value.value)
      return Number.isSafeInteger(number) ? number : value.value
    }
    case 'double':
      return Number.isFinite(value.value) ? value.value : toText(value.value)
    case 'array':
      return value.value.map(jsonOf)
    case 'map':
      return Object.fromEntries(Array.from(value.value, ([name, member]) => [name, jsonOf(member)]))
    case 'empty':
      return null
    default:
      return value.value
  }
}

function tag(key: string, value: AttributeValue): Tag {
  switch (value.type) {
    case 'string':
      return { key, type: 'string', value: value.value }
    case 'bool':
      return { key, type: 'bool', value: value.value }
    case 'int':
      return { key, type: 'int64', value: value.value }
    case 'double':
      // JSON cannot represent NaN and infinities, so they become strings.
      if (!Number.isFinite(value.value)) return { key, type: 'string', value: toText(value.value) }
      return { key, type: 'float64', value: value.value }
    case 'bytes':
      return { key, type: 'binary', value: value.value }
    case 'empty':
      return { key, type: 'string', value: '' }
    default:
      return { key, type: 'string', value: printJsonExact(jsonOf(value)) }
  }
}

function textTags(entries: readonly (readonly [key: string, value: string])[]): readonly Tag[] {
  return entries.flatMap(([key, value]) => (value === '' ? [] : [{ key, type: 'string', value } as const]))
}

function tagsOf(attributes: Attributes): readonly Tag[] {
  return Array.from(attributes, ([key, value]) => tag(key, value))
}

/** Returns the tags of a span: its attributes, and fields that Jaeger represents as tags. */
export function spanTags({ attributes, kind, status, statusMessage, scope, traceState }: StoredSpan): readonly Tag[] {
  return [
    ...tagsOf(attributes),
    ...textTags([
      ['span.kind', kind === 'unspecified' ? '' : kind],
      ['otel.status_code', status === 'unset' ? '' : status.toUpperCase()],
      ['otel.status_description', statusMessage],
      ['otel.scope.name', scope.name],
      ['otel.scope.version', scope.version],
      ['w3c.tracestate', traceState],
    ]),
    ...(status === 'error' && !attributes.has('error') ? [{ key: 'error', type: 'bool', value: true } as const] : []),
  ]
}

/** Returns the name of the service of a span. */
export function serviceOf({ resource }: StoredSpan): string {
  const name = resource.get(SERVICE_NAME)
  return name === undefined ? UNKNOWN_SERVICE : toText(String(tag('', name).value)) || UNKNOWN_SERVICE
}

/** Returns the tags of a span's process: attributes of its resource. */
export function processTags({ resource }: StoredSpan): readonly Tag[] {
  return tagsOf(resource).filter(({ key }) => key !== SERVICE_NAME)
}

/** Returns the fields of a Jaeger log, which is an event of a span. */
export function logFields({ name, attributes }: SpanEvent): readonly Tag[] {
  return [...textTags([['event', name]]), ...tagsOf(attributes)]
}

function referencesOf({ traceId, parentId, links }: StoredSpan): readonly object[] {
  const parent = parentId === '' ? [] : [{ refType: 'CHILD_OF', traceID: traceId, spanID: parentId }]
  const follows = links.map((link) => ({ refType: 'FOLLOWS_FROM', traceID: link.traceId, spanID: link.spanId }))
  return [...parent, ...follows]
}

function spanJson(span: StoredSpan, processID: string): object {
  return {
    traceID: span.traceId,
    spanID: span.spanId,
    operationName: span.name,
    references: referencesOf(span),
    startTime: Number(span.startNs / US_NS),
    duration: Number(span.durationNs / US_NS),
    tags: spanTags(span),
    logs: span.events.map((event) => ({ timestamp: Number(event.timeNs / US_NS), fields: logFields(event) })),
    processID,
    flags: 1,
    warnings: null,
  }
}

function sortedText(tags: readonly Tag[]): string {
  return JSON.stringify(tags.map(({ key, type, value }) => `${key}\u0000${type}\u0000${String(value)}`).sort())
}

/** Yields a trace in Jaeger's JSON in chunks, one for each span. All `spans` must belong to the trace. */
export function* traceTexts(spans: readonly StoredSpan[]): Generator<string> {
  const ids = new Map<string, string>()
  const processes: Record<string, object> = {}
  yield `{"traceID":${JSON.stringify(spans[0]?.traceId ?? '')},"spans":[`
  for (const [at, span] of spans.entries()) {
    const serviceName = serviceOf(span)
    const tags = processTags(span)
    const key = `${serviceName}\u0000${sortedText(tags)}`
    let id = ids.get(key)
    if (id === undefined) {
      id = `p${ids.size + 1}`
      ids.set(key, id)
      processes[id] = { serviceName, tags }
    }
    yield `${at === 0 ? '' : ','}${exactText(spanJson(span, id))}`
  }
  yield `],"processes":${exactText(processes)},"warnings":null}`
}

/** Groups spans by trace, in the order of their first spans. Leading zeros of ids are ignored. */
export function byTrace(spans: readonly StoredSpan[]): readonly (readonly StoredSpan[])[] {
  return [...Map.groupBy(spans, ({ traceId }) => traceId.replace(/^0+/, '')).values()]
}
