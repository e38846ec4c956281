import type { DataScope } from '../../policy/index.ts'

/** On whose behalf a request runs. */
export interface Caller {
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** What the caller's policies let through; `undefined` is everything. */
  readonly scope: DataScope | undefined
  /** Fires when the client has gone or the server stops. */
  readonly signal: AbortSignal
  /** To be told a member and its text before the text is read, so that the spans of an error find their place. */
  readonly readsText: (member: string, text: string) => void
}
