import { and, column, conjunction, disjunction, literal, not, test, type Expr } from '../../../plan/index.ts'
import { nowhere } from '../../../base/index.ts'
import { OTLP_FIELDS, RESOURCE_OF_FIELDS, isAttributeField } from '../../../ingest/otlp/stored/index.ts'
import { UNKNOWN_SERVICE } from './trace-json.ts'

const SERVICE_NAME = 'service.name'
/** The declared field that names the service of a row that did not come by OTLP. */
const SERVICE_FIELD = 'workload'

function isEmpty(name: string): Expr {
  return test(column(name), { kind: 'empty' })
}

/** The condition that a field has a text, whatever the type of its value. */
function hasText(name: string, value: string): Expr {
  return value === '' ? isEmpty(name) : test(column(name), { kind: 'equals', value, isFolded: false, isTyped: false })
}

function contains(name: string, text: string): Expr {
  return test(column(name), { kind: 'contains', text, isFolded: false })
}

/** The name of the service of a row. */
export const serviceName: Expr = {
  kind: 'case',
  branches: [
    { when: not(isEmpty(SERVICE_NAME)), value: column(SERVICE_NAME) },
    { when: and([isEmpty('resource_attributes'), not(isEmpty(SERVICE_FIELD))]), value: column(SERVICE_FIELD) },
  ],
  otherwise: literal(UNKNOWN_SERVICE),
  origin: nowhere,
}

/** Fields that hold what Jaeger writes as a tag, with the value that the tag has. */
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

/** Fields of rows that did not come by OTLP which stand for an attribute of the resource. */
const PLACES_OF_TAGS: ReadonlyMap<string, string> = new Map(
  Array.from(RESOURCE_OF_FIELDS, ([field, attribute]) => [attribute, field]),
)

/**
 * A condition that every row fulfils whose span has a tag with a text: as an attribute in a field, or in the JSON of
 * events and of what fields do not hold. Others may fulfil it too.
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

/** Conditions on a span; those that are absent hold for every span. */
export interface SpanCriteria {
  readonly service?: string | undefined
  readonly operation?: string | undefined
  /** Texts by the keys of tags. */
  readonly tags: readonly (readonly [key: string, value: string])[]
  readonly minDurationNs?: bigint | undefined
  readonly maxDurationNs?: bigint | undefined
}

/** Durations are stored as seconds, so a bound is moved by more than their rounding. */
const SECONDS_MARGIN = 1e-9

/** A condition that every row fulfils whose span meets the criteria; others may fulfil it too. */
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

/** A condition that every row of a service fulfils. */
export function mayBeOf(service: string): Expr {
  if (service === UNKNOWN_SERVICE) return literal(true)
  return disjunction([
    hasText(SERVICE_NAME, service),
    hasText(SERVICE_FIELD, service),
    ...OTLP_FIELDS.map((field) => contains(field, `"${SERVICE_NAME}"`)),
  ])
}
