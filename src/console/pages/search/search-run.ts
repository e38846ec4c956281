import type { Ask } from '../../ask/client.ts'
import type { Dialect, FoundRequest, TimeRange } from '../../ask/requests.ts'
import type { LanguageClient } from '../../language/client.ts'
import { ROWS, type AnswerShape } from '../../language/requests.ts'
import { tableOf } from './answers.ts'
import { Overview } from './overview.ts'
import { QueryRun, type AskedView } from './query-run.ts'

/** URL state of a search in the log language. */
export interface LogAskedView extends AskedView {
  readonly dialect: Dialect
}

/** Runs a search in the log language, with the overview of its rows. */
export abstract class SearchRun<View extends LogAskedView> extends QueryRun<View> {
  readonly overview: Overview
  readonly #language: LanguageClient

  constructor(ask: Ask, language: LanguageClient) {
    super(ask)
    this.#language = language
    this.overview = new Overview(ask, language)
  }

  protected override begin(): void {
    this.overview.clear()
  }

  protected async answer(view: View, range: TimeRange, signal: AbortSignal): Promise<void> {
    const { domain, query, dialect } = view
    // A query without pipes returns rows. Knowing that does not require the language service.
    const shape = query.includes('|')
      ? await this.#language.call('shape', { text: query, table: tableOf[domain], dialect })
      : ROWS
    await this.find({ domain, query: query.trim() === '' ? '*' : query, range, dialect }, shape, view, signal)
  }

  /** Shows the results, and sets `isRunning` to false once the rows are complete. Rejects with AskError. */
  protected abstract find(request: FoundRequest, shape: AnswerShape, view: View, signal: AbortSignal): Promise<void>
}
