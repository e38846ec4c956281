import type { SeriesAnswer } from '../../backends/columnar/series/index.ts'
import { Instant, type Row, type Value } from '../../data/index.ts'
import { sampleValue } from '../../store/index.ts'

function rowOf(labels: Readonly<Record<string, string>>, timeMs: number, value: Value): Row {
  const row = new Map<string, Value>([['_time', new Instant(BigInt(timeMs) * 1_000_000n)]])
  for (const [name, text] of Object.entries(labels)) row.set(name, text)
  return row.set('value', value)
}

/**
 * Returns an answer as rows, one per sample: `_time`, the labels, and `value`, which for a histogram is its count and
 * sum.
 */
export function rowsOfSeries(answer: SeriesAnswer): readonly Row[] {
  switch (answer.type) {
    case 'scalar':
    case 'string':
      return [rowOf({}, answer.timeMs, answer.value)]
    case 'vector':
      return answer.samples.map(({ labels, value, histogram }) =>
        rowOf(labels.toRecord(), answer.timeMs, sampleValue(value, histogram)),
      )
    case 'matrix':
      return answer.series.flatMap(({ labels, timesMs, values, histograms }) =>
        Array.from(timesMs, (timeMs, i) =>
          rowOf(labels.toRecord(), timeMs, sampleValue(values[i] ?? NaN, histograms?.[i])),
        ),
      )
  }
}
