import type { PlainJson } from '../../data/index.ts'
import { idText, unixNano } from '../otlp/attributes.ts'
import type { AnyValue } from '../otlp/messages.ts'
import type { PartCount } from '../part-count.ts'
import {
  NO_SCOPE,
  TEMPORALITIES,
  type Attribute,
  type Exemplar,
  type ExponentialBuckets,
  type Metric,
  type MetricKind,
  type Point,
  type ResourceMetrics,
  type Scope,
  type ScopeMetrics,
  type Temporality,
} from './points.ts'

type Members = Readonly<Record<string, PlainJson | undefined>>

/** Where a metric has its data. */
const KINDS: readonly (readonly [string, MetricKind])[] = [
  ['gauge', 'gauge'],
  ['sum', 'sum'],
  ['histogram', 'histogram'],
  ['exponentialHistogram', 'exponential'],
  ['summary', 'summary'],
]

const NO_MEMBERS: Members = {}

function objectOf(value: PlainJson | undefined, name: string): Members {
  if (value === undefined || value === null) return NO_MEMBERS
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(`\`${name}\` is not an object`)
  return value as Members
}

function listOf(value: PlainJson | undefined, name: string): readonly PlainJson[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Error(`\`${name}\` is not a list`)
  return value
}

function textOf(value: PlainJson | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** A number, or the text of one: 64-bit integers, and what JSON has no number for, are texts. */
function numberOf(value: PlainJson | undefined, name: string): number {
  if (value === undefined || value === null) return 0
  const number = typeof value === 'object' || typeof value === 'boolean' || value === '' ? NaN : Number(value)
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`\`${name}\` is not a number`)
  return number
}

function wholeOf(value: PlainJson | undefined, name: string): number {
  const number = numberOf(value, name)
  if (!Number.isInteger(number) || number < -(2 ** 31) || number >= 2 ** 32)
    throw new Error(`\`${name}\` is not an integer in range`)
  return number
}

function timeOf(value: PlainJson | undefined): number {
  if (value === null || typeof value === 'object' || typeof value === 'boolean') return 0
  return Number((unixNano(value) ?? 0n) / 1_000_000n)
}

/** An enum as its number or as its name. */
function temporalityOf(value: PlainJson | undefined): Temporality {
  if (typeof value === 'string' && !/^\d+$/.test(value))
    return TEMPORALITIES.find((word) => value.toLowerCase().endsWith(word)) ?? 'unspecified'
  return TEMPORALITIES[Number(value ?? 0)] ?? 'unspecified'
}

/** Reads a parsed export of metrics; throws an Error that names the member that is not what it should be. */
export class JsonMetricsReader {
  readonly #parts: PartCount

  constructor(parts: PartCount) {
    this.#parts = parts
  }

  *resources(document: PlainJson): Generator<ResourceMetrics> {
    if (document === null) throw new Error('it is not an object')
    for (const given of this.#list(objectOf(document, 'the document'), 'resourceMetrics')) {
      this.#parts.begin()
      yield {
        attributes: this.#attributes(objectOf(given['resource'], 'resource')),
        scopes: this.#scopes(given),
      }
    }
  }

  /** A list of objects. */
  *#list(members: Members, name: string): Generator<Members> {
    for (const item of listOf(members[name], name)) {
      this.#parts.add()
      if (item === null) throw new Error(`something in \`${name}\` is not an object`)
      yield objectOf(item, name)
    }
  }

  *#scopes(given: Members): Generator<ScopeMetrics> {
    for (const scoped of this.#list(given, 'scopeMetrics')) {
      this.#parts.begin()
      yield { scope: this.#scope(objectOf(scoped['scope'], 'scope')), metrics: this.#metrics(scoped) }
    }
  }

  #scope(given: Members): Scope {
    if (given === NO_MEMBERS) return NO_SCOPE
    return { name: textOf(given['name']), version: textOf(given['version']), attributes: this.#attributes(given) }
  }

  *#metrics(scoped: Members): Generator<Metric> {
    for (const given of this.#list(scoped, 'metrics')) {
      const [member, kind] = KINDS.find(([name]) => (given[name] ?? null) !== null) ?? ['', undefined]
      const data = objectOf(given[member], member)
      yield {
        name: textOf(given['name']),
        unit: textOf(given['unit']),
        description: textOf(given['description']),
        kind,
        temporality: temporalityOf(data['aggregationTemporality']),
        isMonotonic: data['isMonotonic'] === true,
        points: () => this.#points(kind, data),
      }
    }
  }

  *#points(kind: MetricKind | undefined, data: Members): Generator<Point> {
    for (const given of this.#list(data, 'dataPoints')) {
      this.#parts.begin()
      yield this.#point(kind, given)
    }
  }

  #point(kind: MetricKind | undefined, given: Members): Point {
    const base = {
      attributes: this.#attributes(given),
      startTimeMs: timeOf(given['startTimeUnixNano']),
      timeMs: timeOf(given['timeUnixNano']),
      flags: wholeOf(given['flags'], 'flags'),
      exemplars: Array.from(this.#list(given, 'exemplars'), (exemplar) => this.#exemplar(exemplar)),
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
          bucketCounts: this.#numbers(given, 'bucketCounts'),
          bounds: this.#numbers(given, 'explicitBounds'),
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
          positive: this.#buckets(objectOf(given['positive'], 'positive')),
          negative: this.#buckets(objectOf(given['negative'], 'negative')),
        }
      case 'summary':
        return {
          kind,
          ...base,
          count,
          sum: sum ?? 0,
          quantiles: Array.from(this.#list(given, 'quantileValues'), (pair) => [
            numberOf(pair['quantile'], 'quantile'),
            numberOf(pair['value'], 'value'),
          ]),
        }
      default:
        return { kind: 'number', ...base, value: valueOf(given) }
    }
  }

  #buckets(given: Members): ExponentialBuckets {
    return { offset: wholeOf(given['offset'], 'offset'), counts: this.#numbers(given, 'bucketCounts') }
  }

  #exemplar(given: Members): Exemplar {
    return {
      timeMs: timeOf(given['timeUnixNano']),
      value: valueOf(given) ?? 0,
      traceId: idText(textOf(given['traceId']).slice(0, 32)) ?? '',
      spanId: idText(textOf(given['spanId']).slice(0, 32)) ?? '',
      attributes: this.#attributes(given, 'filteredAttributes'),
    }
  }

  #numbers(given: Members, name: string): number[] {
    const list = listOf(given[name], name)
    this.#parts.add(list.length)
    return list.map((value) => numberOf(value, name))
  }

  #attributes(given: Members, name = 'attributes'): Attribute[] {
    return Array.from(this.#list(given, name), (attribute) => ({
      key: textOf(attribute['key']),
      value: objectOf(attribute['value'], 'value') as unknown as AnyValue,
    }))
  }
}

function valueOf(given: Members): number | undefined {
  const { asDouble, asInt } = given
  if (asDouble !== undefined) return numberOf(asDouble, 'asDouble')
  return asInt === undefined ? undefined : numberOf(asInt, 'asInt')
}
