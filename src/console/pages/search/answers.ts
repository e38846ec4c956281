import type { Ask } from '../../ask/client.ts'
import type { Domain, FoundRequest, QueryState, ShownRow } from '../../ask/requests.ts'

export const tableOf: Readonly<Record<Domain, string>> = { logs: 'logs', events: 'events', traces: 'spans' }

let lastAnswer = 0

/** Returns a new answer number, under which the data source keeps rows. */
export function nextAnswer(): number {
  return (lastAnswer += 1)
}

/** Appends a stage to a query, on a new line so that a comment at the end of the query does not swallow it. */
export function behind(query: string, stage: string): string {
  return `${query.trim() === '' ? '*' : query}\n| ${stage}`
}

export interface AllRows {
  readonly rows: readonly ShownRow[]
  readonly state: QueryState
}

/** Runs a query and reads all its rows, with values of at most `maxChars`. Rejects with AskError. */
export async function allRows(
  ask: Ask,
  request: FoundRequest & { readonly maxRows: number },
  maxChars: number,
  signal: AbortSignal,
): Promise<AllRows> {
  const answer = nextAnswer()
  try {
    const state = await ask('query', { answer, ...request }, { signal })
    return { state, rows: await ask('rows', { answer, from: 0, to: state.rows, maxChars }, { signal }) }
  } finally {
    void ask('drop', { answer })
  }
}
