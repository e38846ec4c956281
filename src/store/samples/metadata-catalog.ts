/** A metric's type (`counter`, `gauge` …), help text and unit, as sent. Members that the sender omitted are empty. */
export interface MetricDescription {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly unit: string
}

const MAX_METRICS = 100_000
const MAX_PER_METRIC = 8

/**
 * Distinct descriptions by metric name, for a limited number of metrics. Descriptions of further metrics are ignored.
 */
export class MetricCatalog {
  readonly #byName = new Map<string, MetricDescription[]>()
  readonly #all: MetricDescription[] = []
  /** Descriptions that were sent since the last `takeNew`. */
  #unpublished = new Set<MetricDescription>()

  add(descriptions: Iterable<MetricDescription>): void {
    for (const { name, type, help, unit } of descriptions) {
      const known = this.#byName.get(name)
      if (known === undefined) {
        if (this.#byName.size >= MAX_METRICS) continue
        this.#byName.set(name, [this.#kept({ name, type, help, unit })])
        continue
      }
      const same = known.find((other) => other.type === type && other.help === help && other.unit === unit)
      if (same !== undefined) this.#unpublished.add(same)
      else if (known.length < MAX_PER_METRIC) known.push(this.#kept({ name, type, help, unit }))
    }
  }

  #kept(description: MetricDescription): MetricDescription {
    this.#all.push(description)
    this.#unpublished.add(description)
    return description
  }

  /** All descriptions in order of arrival. Entries are never removed. */
  get all(): readonly MetricDescription[] {
    return this.#all
  }

  /** Returns the descriptions that were sent since the last call, including repeated ones. */
  takeNew(): readonly MetricDescription[] {
    const unpublished = [...this.#unpublished]
    this.#unpublished = new Set()
    return unpublished
  }

  descriptionsOf(name: string): readonly MetricDescription[] {
    return this.#byName.get(name) ?? []
  }

  get size(): number {
    return this.#byName.size
  }
}

/**
 * Returns the metric names whose description may apply to a series. A histogram or summary has several series with
 * suffixed names.
 */
export function describedNames(seriesName: string): readonly string[] {
  const family = /^(.+)_(?:bucket|sum|count|total|created|info)$/.exec(seriesName)?.[1]
  return family === undefined ? [seriesName] : [seriesName, family]
}
