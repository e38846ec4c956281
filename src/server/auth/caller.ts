import type { DataScope } from '../../policy/index.ts'

/** The caller of a request. */
export interface Caller {
  /** Id of the backend; `undefined` if there is only one. */
  readonly backend: string | undefined
  /** Rows that the caller's policies allow; `undefined` allows everything. */
  readonly scope: DataScope | undefined
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal
  /** Must be called with a member's name and text before the text is parsed, so that error spans refer to it. */
  readonly readsText: (member: string, text: string) => void
}
