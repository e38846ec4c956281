import { batch, signal } from '@preact/signals'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { AskFailure, Dialect, Domain, FoundRequest } from '../../ask/requests.ts'
import { remember, zone } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { rangeOfWords } from '../../app/time-words.ts'
import type { LanguageClient } from '../../language/client.ts'
import { ROWS, type AnswerShape } from '../../language/requests.ts'
import { tableOf } from './answers.ts'
import { Overview } from './overview.ts'

/** What a link says of any search. */
export interface AskedView {
  readonly domain: Domain
  readonly query: string
  readonly from: string
  readonly to: string
  readonly dialect: Dialect
}

/** A search of a page. A new run ends the one before; its failure takes the place of what it would find. */
export abstract class SearchRun<View extends AskedView> {
  readonly failure = signal<AskFailure | undefined>(undefined)
  readonly isRunning = signal(false)
  readonly overview: Overview
  protected readonly ask: Ask
  readonly #language: LanguageClient
  #run = new AbortController()

  constructor(ask: Ask, language: LanguageClient) {
    this.ask = ask
    this.#language = language
    this.overview = new Overview(ask, language)
  }

  cancel(): void {
    this.#run.abort()
    this.isRunning.value = false
  }

  async run(view: View): Promise<void> {
    this.#run.abort()
    const { signal } = (this.#run = new AbortController())
    const { domain, query, from, to, dialect } = view
    const range = rangeOfWords(from, to, Date.now(), zone.peek() === 'utc')
    batch(() => {
      this.isRunning.value = range !== undefined
      this.failure.value =
        range === undefined ? { kind: 'other', message: texts.time.badRange(from, to), diagnostics: [] } : undefined
      if (range !== undefined) this.overview.clear()
    })
    if (range === undefined) return
    remember(query)
    try {
      // A query without pipes has rows; the language needs not be loaded to know that.
      const shape = query.includes('|')
        ? await this.#language.call('shape', { text: query, table: tableOf[domain], dialect })
        : ROWS
      await this.find({ domain, query: query.trim() === '' ? '*' : query, range, dialect }, shape, view, signal)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'cancelled') return
      batch(() => {
        this.isRunning.value = false
        this.failure.value = failure
      })
    }
  }

  /** Shows what is found, and ends `isRunning` when the rows are there. Rejects with AskError. */
  protected abstract find(request: FoundRequest, shape: AnswerShape, view: View, signal: AbortSignal): Promise<void>
}
