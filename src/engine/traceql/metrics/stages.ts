import { chargeWork, work } from '../../../base/index.ts'
import type { MetricArithmetic, SecondStage } from '../../../lang/traceql/index.ts'
import { calculateNumbers, compareNumbers } from '../values.ts'
import { NAME, seriesKey, type TraceSeries } from './series.ts'

/** Returns the series that have at least one sample. */
function present(series: readonly TraceSeries[]): readonly TraceSeries[] {
  return series.filter(({ values }) => !values.every(Number.isNaN))
}

function labelText({ labels }: TraceSeries): string {
  return labels
    .map(({ name, value }) => `${name}=${value === undefined ? 'nil' : String((value as { value?: unknown }).value)}`)
    .join()
}

/** Keeps, at each sample time, only the `limit` series with the largest or smallest values. */
function ranked(series: readonly TraceSeries[], limit: number, isTop: boolean): readonly TraceSeries[] {
  const kept = series.map((each) => ({ ...each, values: new Float64Array(each.values.length).fill(NaN) }))
  const texts = series.map(labelText)
  const count = series[0]?.values.length ?? 0
  for (let i = 0; i < count; i++) {
    work(series.length)
    const indexes = series.flatMap(({ values }, index) => (Number.isNaN(values[i]) ? [] : [index]))
    indexes.sort((a, b) => {
      work(1)
      const [left, right] = [series[a]?.values[i] ?? 0, series[b]?.values[i] ?? 0]
      if (left !== right) return isTop ? right - left : left - right
      return (texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1
    })
    for (const index of indexes.slice(0, limit)) {
      const values = kept[index]?.values
      if (values !== undefined) values[i] = series[index]?.values[i] ?? NaN
    }
  }
  return present(kept)
}

function bytesOf(value: MetricValue): number {
  return typeof value === 'number' ? 0 : value.reduce((sum, { values }) => sum + values.byteLength, 0)
}

/** Applies the second-stage functions of a metric. The memory of their series is charged to the query. */
export function staged(series: readonly TraceSeries[], stages: readonly SecondStage[]): readonly TraceSeries[] {
  // The input and the output of a stage exist at the same time.
  if (stages.length > 0) chargeWork(2 * bytesOf(series))
  return stages.reduce<readonly TraceSeries[]>((current, stage) => {
    work(bytesOf(current) / 8)
    if (stage.kind !== 'compare') return ranked(current, stage.limit, stage.kind === 'topk')
    return present(
      current.map(({ labels, values }) => ({
        labels,
        values: values.map((value) => (compareNumbers(stage.op, value, stage.value) ? value : NaN)),
      })),
    )
  }, series)
}

type ArithmeticOp = MetricArithmetic['op']

/** Returns the result of an operation. A division by 0 returns NaN, which means that there is no sample. */
function calculated(op: ArithmeticOp, a: number, b: number): number {
  return op === '/' && b === 0 ? NaN : calculateNumbers(op, a, b)
}

/** Several series, or one number for all sample times. */
export type MetricValue = readonly TraceSeries[] | number

function isSingle(series: readonly TraceSeries[]): series is readonly [TraceSeries] {
  return series.length === 1 && series[0]?.labels.every(({ name }) => name === NAME) === true
}

function nameOf({ labels }: TraceSeries): string {
  const value = labels.find(({ name }) => name === NAME)?.value
  return value?.type === 'string' ? value.value : ''
}

function combinedValues(op: ArithmeticOp, a: TraceSeries, b: TraceSeries): Float64Array {
  return a.values.map((value, i) => calculated(op, value, b.values[i] ?? NaN))
}

function ofBoth(op: ArithmeticOp, lhs: readonly TraceSeries[], rhs: readonly TraceSeries[]): readonly TraceSeries[] {
  if (isSingle(lhs) && isSingle(rhs)) {
    const name = `(${nameOf(lhs[0])} ${op} ${nameOf(rhs[0])})`
    return [
      { labels: [{ name: NAME, value: { type: 'string', value: name } }], values: combinedValues(op, lhs[0], rhs[0]) },
    ]
  }
  if (isSingle(rhs)) return lhs.map((each) => ({ labels: each.labels, values: combinedValues(op, each, rhs[0]) }))
  if (isSingle(lhs)) return rhs.map((each) => ({ labels: each.labels, values: combinedValues(op, lhs[0], each) }))
  const byLabels = new Map(rhs.map((each) => [seriesKey(each.labels), each]))
  return lhs.flatMap((each) => {
    const other = byLabels.get(seriesKey(each.labels))
    return other === undefined ? [] : [{ labels: each.labels, values: combinedValues(op, each, other) }]
  })
}

/**
 * Combines series with equal labels by arithmetic. A series without labels is combined with every series of the other
 * side. A division by 0 gives no sample. The memory of the result is charged to the query.
 */
export function arithmetic(op: ArithmeticOp, lhs: MetricValue, rhs: MetricValue): MetricValue {
  const bytes = bytesOf(lhs) + bytesOf(rhs)
  chargeWork(bytes)
  work(bytes / 8)
  if (typeof lhs === 'number' && typeof rhs === 'number') return calculated(op, lhs, rhs)
  if (typeof lhs === 'number')
    return present(
      (rhs as readonly TraceSeries[]).map(({ labels, values }) => ({
        labels,
        values: values.map((b) => calculated(op, lhs, b)),
      })),
    )
  if (typeof rhs === 'number')
    return present(lhs.map(({ labels, values }) => ({ labels, values: values.map((a) => calculated(op, a, rhs)) })))
  return present(ofBoth(op, lhs, rhs))
}
