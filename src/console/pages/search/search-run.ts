import type { Ask } from '../../ask/client.ts'
import { everyRow, isDialect, type FoundRequest, type LogLanguage, type TimeRange } from '../../ask/requests.ts'
import type { LanguageClient } from '../../language/client.ts'
import { ROWS, type AnswerShape } from '../../language/requests.ts'
import { tableOf } from './answers.ts'
import { Overview } from './overview.ts'
import { QueryRun, explained, type AskedView } from './query-run.ts'

/** URL state of a search for rows. */
export interface LogAskedView extends AskedView {
  readonly dialect: LogLanguage
}

/** A search for rows, with the histogram and fields of these rows. */
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
    const text = query.trim() === '' ? everyRow(dialect) : query
    const asked = { text, table: tableOf[domain], dialect }
    const isLog = isDialect(dialect)
    // A query of the log language without pipes returns rows. The language service is not needed to know that.
    const shape = !isLog || query.includes('|') ? await this.#language.call('shape', asked) : ROWS
    const found = this.find({ domain, query: text, range, dialect }, shape, view, signal)
    await (isLog ? found : found.catch((error: unknown) => explained(error, this.#language, asked)))
  }

  /** Shows the results, and sets `isRunning` to false once the rows are complete. Rejects with AskError. */
  protected abstract find(request: FoundRequest, shape: AnswerShape, view: View, signal: AbortSignal): Promise<void>
}
