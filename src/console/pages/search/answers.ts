import type { Ask } from '../../ask/client.ts'
import type { Domain, FoundRequest, QueryState, ShownRow } from '../../ask/requests.ts'

export const tableOf: Readonly<Record<Domain, string>> = { logs: 'logs', events: 'events', traces: 'spans' }

let lastAnswer = 0

/** Returns a number under which the source keeps the rows of a new answer. */
export function nextAnswer(): number {
  return (lastAnswer += 1)
}

/** Adds a stage to a query. It begins a line, since a comment ends at one. */
export function behind(query: string, stage: string): string {
  return `${query.trim() === '' ? '*' : query}\n| ${stage}`
}

export interface AllRows {
  readonly rows: readonly ShownRow[]
  readonly state: QueryState
}

/** Asks a query and reads the rows of its answer, with values of at most `maxChars`. Rejects with AskError. */
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
