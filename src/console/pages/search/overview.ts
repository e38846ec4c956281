import { batch, signal } from '@preact/signals'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { AskFailure, Domain, Facet, FoundRequest, Hits, TimeRange } from '../../ask/requests.ts'
import { sourceOfRows } from '../../app/services.ts'
import { stepFor } from '../../app/time-words.ts'
import type { LanguageClient } from '../../language/client.ts'

/** Maximum number of histogram bars: about one for every 16 pixels of a common window. */
const BARS = 60

/** Number of values shown for each field. */
const FACET_VALUES = 10

/** Field by whose values the histogram bars are stacked. */
const STACKED_BY: Readonly<Record<Domain, string>> = { logs: 'level', events: 'type', traces: 'status' }

/**
 * Maximum number of rows whose field values are counted. The engine in the page counts fewer, because other requests
 * wait meanwhile.
 */
const COUNTED_ROWS = { server: 1_000_000, files: 100_000 } as const

/** Returns the newest part of a range with at most `most` rows, in whole histogram bars. */
export function newestRange(range: TimeRange, { timesMs, groups }: Hits, most: number): TimeRange {
  let rows = 0
  for (let i = timesMs.length - 1; i > 0; i--) {
    rows += groups.reduce((sum, { hits }) => sum + (hits[i] ?? 0), 0)
    const before = groups.reduce((sum, { hits }) => sum + (hits[i - 1] ?? 0), 0)
    if (rows + before > most) return { ...range, startMs: timesMs[i] ?? range.startMs }
  }
  return range
}

/** Overview of the rows of a search: a histogram over time, and the values of the fields. */
export class Overview {
  readonly hits = signal<Hits | AskFailure | undefined>(undefined)
  readonly facets = signal<readonly Facet[] | AskFailure | undefined>(undefined)
  /** Start of the part of the range whose fields are counted, Unix ms; `undefined` if the whole range is counted. */
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
   * Requests the histogram, then the field values. The caller has requested the rows before. Completion then offers
   * these fields and those in `known`. Never rejects: each part has its own failure.
   */
  async read(request: FoundRequest, known: readonly string[], ended: AbortSignal): Promise<void> {
    const options = { signal: ended }
    const counted = await this.readHits(request, ended)
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

  /** Requests the histogram. Returns the range whose fields can be counted. Never rejects. */
  async readHits(request: FoundRequest, ended: AbortSignal): Promise<TimeRange> {
    const { domain, range } = request
    try {
      const asked = { ...request, stepMs: stepFor(range, BARS), field: STACKED_BY[domain] }
      const hits = await this.#ask('hits', asked, { signal: ended })
      const counted = newestRange(range, hits, COUNTED_ROWS[sourceOfRows()])
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
