import { batch, signal } from '@preact/signals'
import { AskError, failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { AskFailure, Domain, QueryLanguage, TimeRange } from '../../ask/requests.ts'
import { remember, zone } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { rangeOfWords } from '../../app/time-words.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import type { TextRequest } from '../../language/requests.ts'

/** URL state that all searches have in common. */
export interface AskedView {
  readonly domain: Domain
  readonly query: string
  readonly from: string
  readonly to: string
  readonly dialect: QueryLanguage
}

/**
 * Rejects with the error of a query that the server has rejected. The server's message has the words of another
 * product, so the diagnostics come from the language service, with positions and fixes.
 */
export async function explained(error: unknown, language: EditorLanguage, request: TextRequest): Promise<never> {
  const failure = failureOf(error)
  if (failure.kind !== 'query') throw error
  throw new AskError({ ...failure, diagnostics: await language.call('check', request) })
}

/** A query of a page. A new run ends the previous one. The failure of a run replaces its results. */
export abstract class QueryRun<View extends AskedView> {
  readonly failure = signal<AskFailure | undefined>(undefined)
  readonly isRunning = signal(false)
  protected readonly ask: Ask
  #run = new AbortController()

  constructor(ask: Ask) {
    this.ask = ask
  }

  cancel(): void {
    this.#run.abort()
    this.isRunning.value = false
  }

  async run(view: View): Promise<void> {
    this.#run.abort()
    const { signal } = (this.#run = new AbortController())
    const { query, from, to, dialect } = view
    const range = rangeOfWords(from, to, Date.now(), zone.peek() === 'utc')
    batch(() => {
      this.isRunning.value = range !== undefined
      this.failure.value =
        range === undefined ? { kind: 'other', message: texts.time.badRange(from, to), diagnostics: [] } : undefined
      if (range !== undefined) this.begin()
    })
    if (range === undefined) return
    remember(query, dialect)
    try {
      await this.answer(view, range, signal)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'cancelled') return
      batch(() => {
        this.isRunning.value = false
        this.failure.value = failure
      })
    }
  }

  /** Clears the results of the previous run. */
  protected begin(): void {}

  /** Shows the answer, and sets `isRunning` to false once it is complete. Rejects with AskError. */
  protected abstract answer(view: View, range: TimeRange, signal: AbortSignal): Promise<void>
}
