import { batch, signal } from '@preact/signals'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { AskFailure, Domain, Facet, FoundRequest, Hits, TimeRange } from '../../ask/requests.ts'
import { sourceOfRows } from '../../app/services.ts'
import { stepFor } from '../../app/time-words.ts'
import type { LanguageClient } from '../../language/client.ts'

/** Bars of the histogram: about one for each 16 pixels of a common window. */
const BARS = 60

/** Values of each field that the list of fields shows. */
const FACET_VALUES = 10

/** Field by whose values the bars are stacked. */
const STACKED_BY: Readonly<Record<Domain, string>> = { logs: 'level', events: 'type', traces: 'status' }

/**
 * Rows whose fields are counted. A server counts a million in a second; the engine in the page holds its thread
 * meanwhile, so it counts fewer.
 */
const COUNTED_ROWS = { server: 1_000_000, files: 100_000 } as const

/** Returns the newest part of a range with at most so many rows, in whole bars of its histogram. */
export function newestPart(range: TimeRange, { timesMs, groups }: Hits, most: number): TimeRange {
  let rows = 0
  for (let i = timesMs.length - 1; i > 0; i--) {
    rows += groups.reduce((sum, { hits }) => sum + (hits[i] ?? 0), 0)
    const before = groups.reduce((sum, { hits }) => sum + (hits[i - 1] ?? 0), 0)
    if (rows + before > most) return { ...range, startMs: timesMs[i] ?? range.startMs }
  }
  return range
}

/** The context of the rows of a search: their number over time, and the values of their fields. */
export class Overview {
  readonly hits = signal<Hits | AskFailure | undefined>(undefined)
  readonly facets = signal<readonly Facet[] | AskFailure | undefined>(undefined)
  /** Start of the part of the range whose fields are counted, if it is not the whole range. */
  readonly countedSinceMs = signal<number | undefined>(undefined)
  readonly #ask: Ask
  readonly #language: LanguageClient

  constructor(ask: Ask, language: LanguageClient) {
    this.#ask = ask
    this.#language = language
  }

  clear(): void {
    batch(() => {
      this.hits.value = undefined
      this.facets.value = undefined
      this.countedSinceMs.value = undefined
    })
  }

  /**
   * Asks for the histogram, then for the fields; the rows are there before. Completion offers the fields afterwards, and
   * those that the rows have (`known`). Never rejects: each part says why it is not there.
   */
  async read(request: FoundRequest, known: readonly string[], ended: AbortSignal): Promise<void> {
    const options = { signal: ended }
    const counted = await this.#readHits(request, ended)
    try {
      const facets = await this.#ask('facets', { ...request, range: counted, limit: FACET_VALUES }, options)
      this.facets.value = facets
      const names = facets.map(({ name }) => name)
      const values = Object.fromEntries(facets.map((facet) => [facet.name, facet.values.map(({ value }) => value)]))
      await this.#language.call('know', { fields: [...new Set([...known, ...names])], values })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'cancelled') this.facets.value = failure
    }
  }

  /** Returns the range whose fields are counted. */
  async #readHits(request: FoundRequest, ended: AbortSignal): Promise<TimeRange> {
    const { domain, range } = request
    try {
      const asked = { ...request, stepMs: stepFor(range, BARS), field: STACKED_BY[domain] }
      const hits = await this.#ask('hits', asked, { signal: ended })
      const counted = newestPart(range, hits, COUNTED_ROWS[sourceOfRows()])
      batch(() => {
        this.hits.value = hits
        this.countedSinceMs.value = counted.startMs > range.startMs ? counted.startMs : undefined
      })
      return counted
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'cancelled') this.hits.value = failure
      return range
    }
  }
}
