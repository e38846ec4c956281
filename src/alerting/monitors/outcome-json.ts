import { Labels } from '../../data/index.ts'
import type { Value } from '../conditions/index.ts'
import type { FailedOutcome, QueryOutcome, QueryOutput, QuerySeries } from './query-output.ts'

/** A value as JSON: a string for NaN and infinities, null for no value. */
export type ValueJson = number | string | null

export function encodeValue(value: Value): ValueJson {
  if (value === undefined) return null
  return Number.isFinite(value) ? value : String(value)
}

export function decodeValue(json: ValueJson): Value {
  return json === null ? undefined : Number(json)
}

interface SeriesJson {
  readonly labels: Readonly<Record<string, string>>
  readonly points: readonly (readonly [timeMs: number, value: ValueJson])[]
  readonly columns: Readonly<Record<string, ValueJson>>
}

interface OutputJson {
  readonly name: string
  readonly series: readonly SeriesJson[]
  readonly countsRows: boolean
}

/** Answers of queries as JSON, to be posted between threads. */
export type OutcomeJson = { readonly outputs: readonly OutputJson[] } | FailedOutcome

function encodeSeries({ labels, points, columns }: QuerySeries): SeriesJson {
  return {
    labels: labels.toRecord(),
    points: points.map(({ timeMs, value }) => [timeMs, encodeValue(value)]),
    columns: Object.fromEntries([...columns].map(([name, value]) => [name, encodeValue(value)])),
  }
}

function decodeSeries({ labels, points, columns }: SeriesJson): QuerySeries {
  return {
    labels: Labels.of(labels),
    points: points.map(([timeMs, value]) => ({ timeMs, value: decodeValue(value) })),
    columns: new Map(Object.entries(columns).map(([name, value]) => [name, decodeValue(value)])),
  }
}

export function encodeOutcome(outcome: QueryOutcome): OutcomeJson {
  if ('error' in outcome) return outcome
  return { outputs: outcome.outputs.map((output) => ({ ...output, series: output.series.map(encodeSeries) })) }
}

export function decodeOutcome(json: OutcomeJson): QueryOutcome {
  if ('error' in json) return json
  return {
    outputs: json.outputs.map((output): QueryOutput => ({ ...output, series: output.series.map(decodeSeries) })),
  }
}
