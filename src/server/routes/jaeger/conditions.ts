import { and, column, conjunction, disjunction, literal, not, test, type Expr } from '../../../plan/index.ts'
import { nowhere } from '../../../base/index.ts'
import { OTLP_FIELDS, RESOURCE_OF_FIELDS, isAttributeField } from '../../../ingest/otlp/stored/index.ts'
import { UNKNOWN_SERVICE } from './trace-json.ts'

const SERVICE_NAME = 'service.name'
/** Declared field with the service name, for rows that were not received by OTLP. */
const SERVICE_FIELD = 'workload'

function isEmpty(name: string): Expr {
  return test(column(name), { kind: 'empty' })
}

/** Returns a condition that a field has a value with this text, whatever its type. */
function hasText(name: string, value: string): Expr {
  return value === '' ? isEmpty(name) : test(column(name), { kind: 'equals', value, isFolded: false, isTyped: false })
}

function contains(name: string, text: string): Expr {
  return test(column(name), { kind: 'contains', text, isFolded: false })
}

/** Expression for the service name of a row. */
export const serviceName: Expr = {
  kind: 'case',
  branches: [
    { when: not(isEmpty(SERVICE_NAME)), value: column(SERVICE_NAME) },
    { when: and([isEmpty('resource_attributes'), not(isEmpty(SERVICE_FIELD))]), value: column(SERVICE_FIELD) },
  ],
  otherwise: literal(UNKNOWN_SERVICE),
  origin: nowhere,
}

/** Fields that Jaeger presents as tags, with the condition for a tag value. */
const FIELDS_OF_TAGS: ReadonlyMap<string, (value: string) => Expr> = new Map([
  ['error', (value) => (value === 'true' ? hasText('status', 'error') : literal(false))],
  ['span.kind', (value) => hasText('kind', value)],
  ['otel.status_code', (value) => hasText('status', value.toLowerCase())],
  ['otel.status_description', (value) => hasText('status_message', value)],
  ['otel.scope.name', (value) => hasText('scope.name', value)],
  ['otel.scope.version', (value) => hasText('scope.version', value)],
  ['w3c.tracestate', (value) => contains('otlp', JSON.stringify(value))],
  ['event', (value) => contains('events', JSON.stringify(value))],
])

/** Declared fields that correspond to a resource attribute, for rows not received by OTLP. */
const PLACES_OF_TAGS: ReadonlyMap<string, string> = new Map(
  Array.from(RESOURCE_OF_FIELDS, ([field, attribute]) => [attribute, field]),
)

/**
 * Necessary condition for a span to have a tag with a text: the text occurs in a field, or in the JSON of events and
 * remaining attributes. Rows that match must be checked exactly.
 */
function mayHaveTag(key: string, value: string): Expr {
  const place = PLACES_OF_TAGS.get(key)
  const special = FIELDS_OF_TAGS.get(key)
  const name = JSON.stringify(key)
  return disjunction([
    ...(isAttributeField(key) ? [hasText(key, value)] : []),
    ...(place === undefined ? [] : [hasText(place, value)]),
    ...(special === undefined ? [] : [special(value)]),
    ...[...OTLP_FIELDS, 'events'].map((field) => contains(field, name)),
  ])
}

/** Criteria for a span; absent members match every span. */
export interface SpanCriteria {
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** Tags that a span must have, as key and text. */
  readonly tags: readonly (readonly [key: string, value: string])[]
  readonly minDurationNs?: bigint | undefined
  readonly maxDurationNs?: bigint | undefined
}

/** Durations are stored in seconds as doubles, so bounds are widened by more than the rounding error. */
const SECONDS_MARGIN = 1e-9

/** Necessary condition for a span to meet the criteria. Rows that match must be checked exactly. */
export function mayMeet({ service, operation, tags, minDurationNs = 0n }: SpanCriteria): Expr {
  const min = Number(minDurationNs) / 1e9
  return conjunction([
    ...(service === undefined ? [] : [mayBeOf(service)]),
    ...(operation === undefined ? [] : [hasText('span_name', operation)]),
    ...tags.map(([key, value]) => mayHaveTag(key, value)),
    ...(min > 0
      ? [
          test(column('duration_seconds'), {
            kind: 'range',
            min: min * (1 - SECONDS_MARGIN) - SECONDS_MARGIN,
            max: Infinity,
            isMinIncluded: true,
            isMaxIncluded: true,
          }),
        ]
      : []),
  ])
}

/** Necessary condition for a span to belong to a service. */
export function mayBeOf(service: string): Expr {
  if (service === UNKNOWN_SERVICE) return literal(true)
  return disjunction([
    hasText(SERVICE_NAME, service),
    hasText(SERVICE_FIELD, service),
    ...OTLP_FIELDS.map((field) => contains(field, `"${SERVICE_NAME}"`)),
  ])
}
