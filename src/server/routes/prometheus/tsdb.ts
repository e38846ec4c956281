import { ENTRY_BYTES } from '../../../base/index.ts'
import { METRIC_NAME, compareText } from '../../../data/index.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { countParameter } from '../../metrics/parameters.ts'
import { dataResponse } from './respond.ts'
import { tsdbAnswer } from './schemas.ts'

const DEFAULT_LIMIT = 10

class Counts {
  readonly #byName = new Map<string, number>()
  readonly #charge: (bytes: number) => void

  constructor(charge: (bytes: number) => void) {
    this.#charge = charge
  }

  /** Adds to the count of a name; true if the name is new. */
  add(name: string, count: number): boolean {
    const known = this.#byName.get(name)
    if (known === undefined) this.#charge(ENTRY_BYTES + name.length * 2)
    this.#byName.set(name, (known ?? 0) + count)
    return known === undefined
  }

  get size(): number {
    return this.#byName.size
  }

  /** Returns the largest counts; ties are sorted by name. */
  top(limit: number): readonly { readonly name: string; readonly value: number }[] {
    return Array.from(this.#byName, ([name, value]) => ({ name, value }))
      .sort((a, b) => b.value - a.value || compareText(a.name, b.name))
      .slice(0, limit)
  }
}

/** Counts only visible series, because counts would reveal hidden ones. */
export const prometheusTsdbRoutes = defineReadRoutes({
  name: 'prometheusTsdb',
  path: '/api/v1/status/tsdb',
  summary: 'Count series and labels',
  parameters: { limit: 'At most so many entries of each list; 10 when it is not given.' },
  answer: tsdbAnswer,
  hasForm: false,
  isQuery: true,
  handle: async ({ parameters, service, caller, ...limits }) => {
    const limit = countParameter(parameters, 'limit') ?? DEFAULT_LIMIT
    const budget = service.budget(caller)
    const charge = (bytes: number): void => budget.charge(bytes)
    const [names, pairs, values, bytes] = [
      new Counts(charge),
      new Counts(charge),
      new Counts(charge),
      new Counts(charge),
    ]
    let [minTime, maxTime] = [Infinity, -Infinity]
    const found = await service.spans(caller, budget)
    for (const [i, { labels, firstMs, lastMs }] of found.entries()) {
      if (i % 64 === 0) budget.checkpoint()
      minTime = Math.min(minTime, firstMs)
      maxTime = Math.max(maxTime, lastMs)
      for (const [name, value] of labels.toPairs()) {
        if (name === METRIC_NAME) names.add(value, 1)
        if (!pairs.add(`${name}=${value}`, 1)) continue
        values.add(name, 1)
        bytes.add(name, Buffer.byteLength(value))
      }
    }
    const data = {
      headStats: {
        numSeries: found.length,
        numLabelPairs: pairs.size,
        // Each series counts as one chunk.
        chunkCount: found.length,
        minTime: found.length === 0 ? 0 : minTime,
        maxTime: found.length === 0 ? 0 : maxTime,
      },
      seriesCountByMetricName: names.top(limit),
      labelValueCountByLabelName: values.top(limit),
      memoryInBytesByLabelName: bytes.top(limit),
      seriesCountByLabelValuePair: pairs.top(limit),
    }
    return dataResponse(data, limits)
  },
})
