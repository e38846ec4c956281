import type { Ask } from '../../ask/client.ts'
import type { Dialect, FoundRequest, TimeRange } from '../../ask/requests.ts'
import type { LanguageClient } from '../../language/client.ts'
import { ROWS, type AnswerShape } from '../../language/requests.ts'
import { tableOf } from './answers.ts'
import { Overview } from './overview.ts'
import { QueryRun, type AskedView } from './query-run.ts'

/** The part of a link that a search in the log language has. */
export interface LogAskedView extends AskedView {
  readonly dialect: Dialect
}

/** A search of a page in the log language, with what stands around its rows. */
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
    // A query without pipes has rows; the language needs not be loaded to know that.
    const shape = query.includes('|')
      ? await this.#language.call('shape', { text: query, table: tableOf[domain], dialect })
      : ROWS
    await this.find({ domain, query: query.trim() === '' ? '*' : query, range, dialect }, shape, view, signal)
  }

  /** Shows what is found, and ends `isRunning` when the rows are there. Rejects with AskError. */
  protected abstract find(request: FoundRequest, shape: AnswerShape, view: View, signal: AbortSignal): Promise<void>
}
