/** What a command sees of the world: tests hand in their own. */
export interface Terminal {
  /** Resolves when the text, or its UTF-8, is taken; rejects with `EPIPE` when nobody reads any more. */
  write(text: string | Uint8Array): Promise<void>
  writeError(text: string): void
  readonly isInputTty: boolean
  readonly isOutputTty: boolean
  readonly isErrorTty: boolean
  readonly columns: number
  readonly rows: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Nanoseconds since the epoch. */
  nowNs(): bigint
  /** A monotonic clock. */
  nowMs(): number
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
}
