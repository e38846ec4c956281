import { useServices } from '../../app/services.ts'
import type { AskFailure, ShownRow } from '../../ask/requests.ts'
import { useAnswer } from '../../widgets/use-answer.ts'
import { allRows } from './answers.ts'
import type { Shown } from './search.ts'

/** Default maximum length of a value, UTF-16 units: a line or two of a table. */
const VALUE_CHARS = 500

export interface SideAnswer {
  readonly rows: readonly ShownRow[] | undefined
  readonly failure: AskFailure | undefined
}

/** Runs another query over the range of an answer and returns all its rows, at most `maxRows`. */
export function useSideQuery(shown: Shown, query: string, maxRows: number, maxChars = VALUE_CHARS): SideAnswer {
  const { ask } = useServices()
  const { domain, dialect } = shown.view
  const { answer, failure } = useAnswer(
    (signal) => allRows(ask, { domain, query, range: shown.range, dialect, maxRows }, maxChars, signal),
    [ask, shown.answer, query, maxRows, maxChars],
  )
  return { rows: answer?.rows, failure }
}
