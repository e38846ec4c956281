import { fc } from '@fast-check/vitest'
import type { AttributeValue, Attributes, StoredSpan } from '../../../src/ingest/otlp/stored/index.ts'

/** 2026-01-01T00:00:00Z, in ns */
export const START_NS = 1_767_225_600_000_000_000n

const text: fc.Arbitrary<string> = fc.constantFrom('', 'a', 'GET /pay', 'größer', '17', '{"a":1}')
const int = fc.constantFrom(0n, 1n, -1n, 500n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n))
const double = fc.constantFrom(0, -0, 1, 0.5, -2.25, 1e300, NaN, Infinity, -Infinity)

const scalar = fc.oneof<fc.Arbitrary<AttributeValue>[]>(
  text.map((value) => ({ type: 'string', value })),
  int.map((value) => ({ type: 'int', value })),
  double.map((value) => ({ type: 'double', value })),
  fc.boolean().map((value) => ({ type: 'bool', value })),
)

function mapOf<T>(list: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  return new Map(list)
}

const memberNames = fc.constantFrom('x', 'y', 'x.y', '')

const { value: anyValue } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: scalar },
    { weight: 1, arbitrary: fc.constant<AttributeValue>({ type: 'empty' }) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes): AttributeValue => ({
        type: 'bytes',
        value: Buffer.from(bytes).toString('base64'),
      })),
    },
    {
      weight: 1,
      arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((value): AttributeValue => ({ type: 'array', value })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(memberNames, tie('value')), { maxLength: 3 })
        .map((list): AttributeValue => ({ type: 'map', value: mapOf(list) })),
    },
  ),
}))

/**
 * Attribute names: common ones, names of declared and derived fields, names nested below others, and the empty name.
 */
const names: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('http.route', 'http.status_code', 'rpc.system', 'n', 'größe', 'm', 'm.x') },
  { weight: 2, arbitrary: fc.constantFrom('service.name', 'service.namespace', 'k8s.pod.name', 'peer.service') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'status',
      'kind',
      'server',
      'workload',
      'pod',
      'trace_id',
      '_time',
      'time',
      'content',
      'events',
      'otlp',
      'span_name.content',
      '_time.time',
      'resource_attributes',
      'scope.version',
      '__proto__',
      'duration_seconds',
    ),
  },
)

/** Attributes as a list in which names may repeat. The last value of a name counts. */
const attributes = fc.array(fc.tuple(names, anyValue), { maxLength: 6 })

/** Draws a hexadecimal id that is not all zero. */
function id(bytes: number): fc.Arbitrary<string> {
  return fc
    .bigInt({ min: 1n, max: 2n ** BigInt(8 * bytes) - 1n })
    .map((number) => number.toString(16).padStart(2 * bytes, '0'))
}

const time = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((ns) => START_NS + ns)
const duration = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 10n }),
  fc.constantFrom(0n, 1n, 2n ** 50n - 1n, 2n ** 50n, 2n ** 53n + 1n, 2n ** 60n + 7n),
)
type List = readonly (readonly [string, AttributeValue])[]

const event = fc.record({ timeNs: fc.oneof(time, fc.constant(0n)), name: text, attributes })
const link = fc.record({
  traceId: fc.oneof(id(16), fc.constant('')),
  spanId: fc.oneof(id(8), fc.constant('')),
  traceState: text,
  attributes,
})

const drawn = fc.record({
  traceId: id(16),
  spanId: id(8),
  parentId: fc.oneof(id(8), fc.constant('')),
  name: text,
  kind: fc.constantFrom('unspecified', 'internal', 'server', 'client', 'producer', 'consumer'),
  status: fc.constantFrom('unset', 'ok', 'error'),
  statusMessage: text,
  startNs: time,
  durationNs: duration,
  traceState: fc.constantFrom<string[]>('', '', 'a=b'),
  attributes,
  resource: attributes,
  scope: fc.record({ name: text, version: text, attributes }),
  events: fc.array(event, { maxLength: 2 }),
  links: fc.array(link, { maxLength: 2 }),
} as const)

function sentValue(value: AttributeValue, isJson: boolean): object {
  switch (value.type) {
    case 'string':
      return { stringValue: value.value }
    case 'int':
      return { intValue: String(value.value) }
    case 'double': {
      const isNumber = Number.isFinite(value.value) && !Object.is(value.value, -0)
      return { doubleValue: isJson && !isNumber ? (value.value === 0 ? '-0' : String(value.value)) : value.value }
    }
    case 'bool':
      return { boolValue: value.value }
    case 'array':
      return { arrayValue: { values: value.value.map((item) => sentValue(item, isJson)) } }
    case 'map':
      return { kvlistValue: { values: sentList([...value.value], isJson) } }
    case 'bytes':
      return { bytesValue: isJson ? value.value : Buffer.from(value.value, 'base64') }
    case 'empty':
      return {}
  }
}

function sentList(list: List, isJson: boolean): object[] {
  return list.map(([key, value]) => ({ key, value: sentValue(value, isJson) }))
}

/** A drawn span. Its attributes are lists. */
export type DrawnSpan = typeof drawn extends fc.Arbitrary<infer T> ? T : never

/** Draws any OTLP span. */
export const anySpan: fc.Arbitrary<DrawnSpan> = drawn

/** Returns the span that must be read back. */
export function expectedOf({ scope, events, links, ...span }: DrawnSpan): StoredSpan {
  const attributesOf = (list: List): Attributes => mapOf(list)
  return {
    ...span,
    attributes: attributesOf(span.attributes),
    resource: attributesOf(span.resource),
    scope: { ...scope, attributes: attributesOf(scope.attributes) },
    events: events.map((each) => ({ ...each, attributes: attributesOf(each.attributes) })),
    links: links.map((each) => ({ ...each, attributes: attributesOf(each.attributes) })),
  }
}

export interface SentSpan {
  readonly resource: readonly object[]
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: readonly object[] }
  readonly span: object
}

/**
 * Returns a span in sent form. In JSON, ids are hexadecimal and large numbers are strings; in protobuf, ids are bytes.
 */
export function sentOf(span: DrawnSpan, isJson: boolean): SentSpan {
  const idOf = (hex: string): string | Uint8Array => (isJson ? hex : Buffer.from(hex, 'hex'))
  const list = (given: List): object[] => sentList(given, isJson)
  return {
    resource: list(span.resource),
    scope: { ...span.scope, attributes: list(span.scope.attributes) },
    span: {
      traceId: idOf(span.traceId),
      spanId: idOf(span.spanId),
      parentSpanId: idOf(span.parentId),
      traceState: span.traceState,
      name: span.name,
      kind: ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'].indexOf(span.kind),
      startTimeUnixNano: String(span.startNs),
      endTimeUnixNano: String(span.startNs + span.durationNs),
      attributes: list(span.attributes),
      status: { code: ['unset', 'ok', 'error'].indexOf(span.status), message: span.statusMessage },
      events: span.events.map(({ timeNs, name, attributes: own }) => ({
        timeUnixNano: String(timeNs),
        name,
        attributes: list(own),
      })),
      links: span.links.map(({ traceId, spanId, traceState, attributes: own }) => ({
        traceId: idOf(traceId),
        spanId: idOf(spanId),
        traceState,
        attributes: list(own),
      })),
    },
  }
}
