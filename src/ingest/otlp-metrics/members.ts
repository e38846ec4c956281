import { idText, unixNano } from '../otlp/attributes.ts'
import type { AnyValue } from '../otlp/messages.ts'
import {
  TEMPORALITIES,
  type Attribute,
  type Exemplar,
  type ExponentialBuckets,
  type Metric,
  type MetricKind,
  type Point,
  type Scope,
  type Temporality,
} from './points.ts'

/** The members of a message by their JSON names. Messages in protobuf are decoded to the same form. */
export type Members = Readonly<Record<string, unknown>>

/** The member with the data of each kind of metric. */
const KINDS: readonly (readonly [string, MetricKind])[] = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential'],
  ['summary', 'summary'],
]

const NO_MEMBERS: Members = {}

export function objectOf(value: unknown, name: string): Members {
  if (value === undefined || value === null) return NO_MEMBERS
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(`\`${name}\` is not an object`)
  return value as Members
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Error(`\`${name}\` is not a list`)
  return value
}

/** Returns a list of objects. Throws an Error if the member is not such a list. */
export function objectsOf(members: Members, name: string): readonly Members[] {
  return listOf(members[name], name).map((item) => {
    if (item === null) throw new Error(`something in \`${name}\` is not an object`)
    return objectOf(item, name)
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a number from a number or a string. 64-bit integers, and numbers that JSON cannot express, are strings. */
function numberOf(value: unknown, name: string): number {
  if (typeof value === 'number') return value
  if (value === undefined || value === null) return 0
  const number = typeof value === 'object' || typeof value === 'boolean' || value === '' ? NaN : Number(value)
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`\`${name}\` is not a number`)
  return number
}

function numbersOf(given: Members, name: string): number[] {
  return listOf(given[name], name).map((value) => numberOf(value, name))
}

function wholeOf(value: unknown, name: string): number {
  const number = numberOf(value, name)
  if (!Number.isInteger(number) || number < -(2 ** 31) || number >= 2 ** 32)
    throw new Error(`\`${name}\` is not an integer in range`)
  return number
}

function timeOf(value: unknown): number {
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
  return isNumber ? Number((unixNano(value) ?? 0n) / 1_000_000n) : 0
}

/** Reads an enum value, given as its number or its name. */
function temporalityOf(value: unknown): Temporality {
  if (typeof value === 'string' && !/^\d+$/.test(value))
    return TEMPORALITIES.find((word) => value.toLowerCase().endsWith(word)) ?? 'unspecified'
  return TEMPORALITIES[Number(value ?? 0)] ?? 'unspecified'
}

/** Returns the member that has the data of a metric, and the kind of the metric. */
export function dataOf(metric: Members): readonly [member: string, kind: MetricKind | undefined] {
  return KINDS.find(([name]) => (metric[name] ?? null) !== null) ?? ['', undefined]
}

/** Reads the properties of a metric from its message and from the member with its data. */
export function headOf(metric: Members, kind: MetricKind | undefined, data: Members): Omit<Metric, 'points'> {
  return {
    name: textOf(metric['name']),
    unit: textOf(metric['unit']),
    description: textOf(metric['description']),
    kind,
    temporality: temporalityOf(data['aggregationTemporality']),
    isMonotonic: data['isMonotonic'] === true,
  }
}

export function scopeOf(given: Members): Scope {
  return { name: textOf(given['name']), version: textOf(given['version']), attributes: attributesOf(given) }
}

export function attributesOf(given: Members, name = 'attributes'): Attribute[] {
  return objectsOf(given, name).map((attribute) => ({
    key: textOf(attribute['key']),
    value: objectOf(attribute['value'], 'value') as AnyValue,
  }))
}

/** Reads a point of a metric of this kind. Throws an Error that names the faulty member. */
export function pointOf(kind: MetricKind | undefined, given: Members): Point {
  const base = {
    attributes: attributesOf(given),
    startTimeMs: timeOf(given['startTimeUnixNano']),
    timeMs: timeOf(given['timeUnixNano']),
    flags: wholeOf(given['flags'], 'flags'),
    exemplars: objectsOf(given, 'exemplars').map(exemplarOf),
  }
  const count = numberOf(given['count'], 'count')
  const sum = given['sum'] === undefined ? undefined : numberOf(given['sum'], 'sum')
  switch (kind) {
    case 'histogram':
      return {
        kind,
        ...base,
        count,
        sum,
        bucketCounts: numbersOf(given, 'bucketCounts'),
        bounds: numbersOf(given, 'explicitBounds'),
      }
    case 'exponential':
      return {
        kind,
        ...base,
        count,
        sum,
        scale: wholeOf(given['scale'], 'scale'),
        zeroCount: numberOf(given['zeroCount'], 'zeroCount'),
        zeroThreshold: numberOf(given['zeroThreshold'], 'zeroThreshold'),
        positive: bucketsOf(objectOf(given['positive'], 'positive')),
        negative: bucketsOf(objectOf(given['negative'], 'negative')),
      }
    case 'summary':
      return {
        kind,
        ...base,
        count,
        sum: sum ?? 0,
        quantiles: objectsOf(given, 'quantileValues').map((pair) => [
          numberOf(pair['quantile'], 'quantile'),
          numberOf(pair['value'], 'value'),
        ]),
      }
    default:
      return { kind: 'number', ...base, value: valueOf(given) }
  }
}

function bucketsOf(given: Members): ExponentialBuckets {
  return { offset: wholeOf(given['offset'], 'offset'), counts: numbersOf(given, 'bucketCounts') }
}

function exemplarOf(given: Members): Exemplar {
  return {
    timeMs: timeOf(given['timeUnixNano']),
    value: valueOf(given) ?? 0,
    traceId: idOf(given['traceId']),
    spanId: idOf(given['spanId']),
    attributes: attributesOf(given, 'filteredAttributes'),
  }
}

/** Returns an id in hex. Ids have 8 or 16 bytes; longer bytes are not an id. */
function idOf(id: unknown): string {
  if (!(id instanceof Uint8Array)) return idText(textOf(id).slice(0, 32)) ?? ''
  return id.length <= 16 ? (idText(id) ?? '') : ''
}

function valueOf({ asDouble, asInt }: Members): number | undefined {
  if (asDouble !== undefined) return numberOf(asDouble, 'asDouble')
  return asInt === undefined ? undefined : numberOf(asInt, 'asInt')
}
