import { batch, computed, signal } from '@preact/signals'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type {
  AskFailure,
  Dialect,
  Domain,
  Facet,
  FoundRequest,
  Hits,
  QueryState,
  TimeRange,
} from '../../ask/requests.ts'
import { rangeOfWords, stepFor } from '../../app/time-words.ts'
import { sourceOfRows } from '../../app/services.ts'
import { remember, zone } from '../../app/settings.ts'
import type { LanguageClient } from '../../language/client.ts'

export const tableOf: Readonly<Record<Domain, string>> = { logs: 'logs', events: 'events', traces: 'spans' }

/** What a link says of a search. */
export interface SearchView {
  readonly domain: Domain
  readonly query: string
  readonly from: string
  readonly to: string
  readonly dialect: Dialect
  readonly maxRows: number
}

/** The answer that the page shows. */
export interface Shown {
  /** Number of the answer, under which the source keeps its rows. */
  readonly answer: number
  readonly view: SearchView
  readonly range: TimeRange
  readonly state: QueryState
  readonly shape: 'rows' | 'groups'
}

/** Bars of the histogram: about one for each 16 pixels of a common window. */
const BARS = 60

/** Values of each field that the list of fields shows. */
const FACET_VALUES = 10

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

let lastAnswer = 0

/** Returns a number under which the source keeps the rows of a new answer. */
export function nextAnswer(): number {
  return (lastAnswer += 1)
}

const nothingFound: QueryState = {
  rows: 0,
  fields: [],
  bytes: 0,
  elapsedMs: 0,
  isDone: false,
  isCut: false,
  advice: [],
}

/** One search of the page: its rows, its histogram and its fields. A new run ends the one before. */
export class Search {
  readonly shown = signal<Shown | undefined>(undefined)
  readonly failure = signal<AskFailure | undefined>(undefined)
  readonly hits = signal<Hits | undefined>(undefined)
  readonly facets = signal<readonly Facet[] | AskFailure | undefined>(undefined)
  /** Start of the part of the range whose fields are counted, if it is not the whole range. */
  readonly countedSinceMs = signal<number | undefined>(undefined)
  readonly isRunning = signal(false)
  readonly rows = computed(() => this.shown.value?.state.rows ?? 0)
  readonly #ask: Ask
  readonly #language: LanguageClient
  #run = new AbortController()

  constructor(ask: Ask, language: LanguageClient) {
    this.#ask = ask
    this.#language = language
  }

  cancel(): void {
    this.#run.abort()
    this.isRunning.value = false
  }

  /** Runs the search of a view. Rows come first; the histogram and the fields follow. */
  async run(view: SearchView): Promise<void> {
    this.#run.abort()
    const { signal } = (this.#run = new AbortController())
    const range = rangeOfWords(view.from, view.to, Date.now(), zone.peek() === 'utc')
    if (range === undefined) {
      this.failure.value = {
        kind: 'other',
        message: `The range from ${view.from} to ${view.to} is no time.`,
        diagnostics: [],
      }
      return
    }
    const { domain, query, dialect, maxRows } = view
    const request: FoundRequest = { domain, query: query.trim() === '' ? '*' : query, range, dialect }
    const answer = nextAnswer()
    const before = this.shown.peek()
    const show = (state: QueryState, shape: Shown['shape']): void => {
      this.shown.value = { answer, view, range, state, shape }
    }
    batch(() => {
      this.isRunning.value = true
      this.failure.value = undefined
      this.hits.value = undefined
      this.facets.value = undefined
    })
    remember(query)
    try {
      // A query without pipes has rows; the language needs not be loaded to know that.
      const shape = query.includes('|')
        ? await this.#language.call('shape', { text: query, table: tableOf[domain], dialect })
        : 'rows'
      const isGroups = shape === 'groups'
      const onEvent = (state: QueryState): void => {
        // Groups are in order only when all are there.
        if (!isGroups) show(state, shape)
      }
      if (before === undefined) show(nothingFound, shape)
      const state = await this.#ask('query', { answer, maxRows, ...request }, { signal, onEvent })
      show(state, shape)
      this.isRunning.value = false
      if (before !== undefined) void this.#ask('drop', { answer: before.answer })
      if (!isGroups) await this.#lookAround(request, signal)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'cancelled') return
      batch(() => {
        this.isRunning.value = false
        this.failure.value = failure
      })
    }
  }

  /** Asks for the histogram, then for the fields: neither may delay the rows. */
  async #lookAround(request: FoundRequest, signal: AbortSignal): Promise<void> {
    const field = request.domain === 'traces' ? 'status' : 'level'
    const hits = await this.#ask(
      'hits',
      { ...request, stepMs: stepFor(request.range, BARS), field: request.domain === 'events' ? 'type' : field },
      { signal },
    )
    this.hits.value = hits
    const counted = newestPart(request.range, hits, COUNTED_ROWS[sourceOfRows()])
    this.countedSinceMs.value = counted.startMs > request.range.startMs ? counted.startMs : undefined
    try {
      const facets = await this.#ask('facets', { ...request, range: counted, limit: FACET_VALUES }, { signal })
      this.facets.value = facets
      const values = Object.fromEntries(
        facets.map(({ name, values: found }) => [name, found.map(({ value }) => value)]),
      )
      const { fields } = this.shown.peek()?.state ?? nothingFound
      void this.#language.call('know', { fields: [...new Set([...fields, ...facets.map(({ name }) => name)])], values })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'cancelled') this.facets.value = failure
    }
  }
}
