import { expect, test } from 'vitest'
import { DEFAULT_FLAGS } from '../../../src/backends/columnar/series/index.ts'
import { kahanTotal, Labels } from '../../../src/data/index.ts'
import { seriesAggregations, type SeriesColumn } from '../../../src/functions/series/index.ts'
import { meanOf } from '../../../src/functions/series/moving.ts'
import { random } from '../../backends/columnar/series/metrics.ts'

type Numbers = readonly (number | undefined)[]

function columnOf(numbers: Numbers): SeriesColumn {
  return {
    labels: Labels.empty,
    isNameDropped: false,
    values: Float64Array.from(numbers, (value) => value ?? 7),
    kinds: Uint8Array.from(numbers, (value) => (value === undefined ? 0 : 1)),
    histograms: undefined,
  }
}

/** Returns the result of an aggregation for each group and step; `undefined` if there is none. */
function aggregated(name: string, groups: readonly (readonly Numbers[])[], stepCount: number): readonly Numbers[] {
  const aggregation = seriesAggregations.get(name)
  if (aggregation === undefined) throw new Error(`${name} is not an aggregation`)
  const given = groups.map((members) => ({
    labels: Labels.empty,
    isNameDropped: false,
    members: members.map(columnOf),
  }))
  const origin = { kind: 'none' } as const
  const result = aggregation.evaluate(given, {
    query: { startMs: 0, endMs: 0, stepMs: 0 },
    steps: { timesMs: new Float64Array(stepCount), count: stepCount },
    flags: DEFAULT_FLAGS,
    budget: { charge: () => undefined, samples: () => undefined, checkpoint: () => undefined },
    annotate: () => undefined,
    origin,
    inputOrigin: origin,
    paramOrigin: origin,
    param: undefined,
  })
  const { series } = result
  return series.map(({ values, kinds }) => Array.from(kinds, (kind, step) => (kind === 0 ? undefined : values[step])))
}

const kinds: Readonly<Record<string, (next: () => number) => number | undefined>> = {
  plain: (next) => next() * 2000 - 1000,
  'with gaps': (next) => (next() < 0.4 ? undefined : next()),
  'with NaN, infinities and -0': (next) => [NaN, Infinity, -Infinity, -0, 1][Math.floor(next() * 12)] ?? next(),
  'that overflow': (next) => (next() - 0.5) * 2 * Number.MAX_VALUE,
  'of two magnitudes': (next) => (next() < 0.3 ? 1e100 * (next() < 0.5 ? -1 : 1) : next()),
}

test.each(Object.entries(kinds))(
  'sums and means of groups of numbers %s are those of each step on its own',
  (_, make) => {
    const next = random(7)
    // The largest step count exceeds the size of the arrays that are reused from group to group.
    for (const stepCount of [1, 40, 5000]) {
      const groups = [1, 2, 5].map((size) =>
        Array.from({ length: size }, () => Array.from({ length: stepCount }, () => make(next))),
      )
      const wanted = (of: (numbers: Float64Array) => number): readonly Numbers[] =>
        groups
          .map((members) =>
            Array.from({ length: stepCount }, (__, step) => {
              const numbers = members.flatMap((member) => member[step] ?? [])
              return numbers.length === 0 ? undefined : of(Float64Array.from(numbers))
            }),
          )
          .filter((steps) => steps.some((value) => value !== undefined))
      expect(aggregated('sum', groups, stepCount)).toStrictEqual(wanted((all) => kahanTotal(all, 0, all.length)))
      expect(aggregated('avg', groups, stepCount)).toStrictEqual(wanted((all) => meanOf(all, 0, all.length)))
    }
  },
)
