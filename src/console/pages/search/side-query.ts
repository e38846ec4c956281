import { useEffect, useState } from 'preact/hooks'
import { failureOf } from '../../ask/ask-error.ts'
import { useServices } from '../../app/services.ts'
import type { AskFailure, ShownRow } from '../../ask/requests.ts'
import { allRows } from './answers.ts'
import type { Shown } from './search.ts'

/** Longer values of the answer are cut unless the caller reads more, in UTF-16 units: a line or two of a table. */
const VALUE_CHARS = 500

export interface SideAnswer {
  readonly rows: readonly ShownRow[] | undefined
  readonly failure: AskFailure | undefined
}

/** Asks another query over the range of an answer and reads all of its rows, at most `maxRows`. */
export function useSideQuery(shown: Shown, query: string, maxRows: number, maxChars = VALUE_CHARS): SideAnswer {
  const { ask } = useServices()
  const [found, setFound] = useState<SideAnswer>({ rows: undefined, failure: undefined })
  const { domain, dialect } = shown.view
  useEffect(() => {
    const run = new AbortController()
    setFound({ rows: undefined, failure: undefined })
    const read = async (): Promise<void> => {
      try {
        const request = { domain, query, range: shown.range, dialect, maxRows }
        const { rows } = await allRows(ask, request, maxChars, run.signal)
        setFound({ rows, failure: undefined })
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'cancelled') setFound({ rows: undefined, failure })
      }
    }
    void read()
    return () => run.abort()
  }, [ask, shown.answer, query, maxRows, maxChars])
  return found
}
