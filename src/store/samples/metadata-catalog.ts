/** What a sender told of a metric: `counter`, `gauge` …, a sentence, a unit; empty where it told nothing. */
export interface MetricDescription {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly unit: string
}

const MAX_METRICS = 100_000
const MAX_PER_METRIC = 8

/** Descriptions by metric name, each different one once. Bounded: further metrics are not described. */
export class MetricCatalog {
  readonly #byName = new Map<string, MetricDescription[]>()
  readonly #all: MetricDescription[] = []
  /** What was told since it was last taken. */
  #told = new Set<MetricDescription>()

  add(descriptions: Iterable<MetricDescription>): void {
    for (const { name, type, help, unit } of descriptions) {
      const known = this.#byName.get(name)
      if (known === undefined) {
        if (this.#byName.size >= MAX_METRICS) continue
        this.#byName.set(name, [this.#kept({ name, type, help, unit })])
        continue
      }
      const same = known.find((other) => other.type === type && other.help === help && other.unit === unit)
      if (same !== undefined) this.#told.add(same)
      else if (known.length < MAX_PER_METRIC) known.push(this.#kept({ name, type, help, unit }))
    }
  }

  #kept(description: MetricDescription): MetricDescription {
    this.#all.push(description)
    this.#told.add(description)
    return description
  }

  /** All descriptions in the order in which they came: a list that only grows. */
  get all(): readonly MetricDescription[] {
    return this.#all
  }

  /** What senders told, again or for the first time, since the last call. */
  takeTold(): readonly MetricDescription[] {
    const told = [...this.#told]
    this.#told = new Set()
    return told
  }

  descriptionsOf(name: string): readonly MetricDescription[] {
    return this.#byName.get(name) ?? []
  }

  get size(): number {
    return this.#byName.size
  }
}

/** The metric names whose description may stand for a series: histograms and summaries have several series. */
export function describedNames(seriesName: string): readonly string[] {
  const family = /^(.+)_(?:bucket|sum|count|total|created|info)$/.exec(seriesName)?.[1]
  return family === undefined ? [seriesName] : [seriesName, family]
}
