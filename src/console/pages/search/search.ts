import { batch, computed, signal } from '@preact/signals'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { AskFailure, Dialect, Domain, FoundRequest, QueryState, TimeRange } from '../../ask/requests.ts'
import { rangeOfWords } from '../../app/time-words.ts'
import { remember, zone } from '../../app/settings.ts'
import type { LanguageClient } from '../../language/client.ts'
import { Overview } from './overview.ts'

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
  readonly overview: Overview
  readonly isRunning = signal(false)
  readonly rows = computed(() => this.shown.value?.state.rows ?? 0)
  readonly #ask: Ask
  readonly #language: LanguageClient
  #run = new AbortController()

  constructor(ask: Ask, language: LanguageClient) {
    this.#ask = ask
    this.#language = language
    this.overview = new Overview(ask, language)
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
      this.isRunning.value = false
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
      this.overview.clear()
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
      if (!isGroups) await this.overview.read(request, state.fields, signal)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'cancelled') return
      batch(() => {
        this.isRunning.value = false
        this.failure.value = failure
      })
    }
  }
}
