import { printableLines } from '../base/index.ts'

/**
 * `drawn` marks text that moves the cursor or has colours. All other characters of such a text are already printable.
 */
export type Written = 'drawn' | undefined

/** Environment of a command; tests provide their own implementation. */
export interface Terminal {
  /** Resolves when the text (or UTF-8 bytes) is written; rejects with `EPIPE` if the reader is gone. */
  write(text: string | Uint8Array, how?: Written): Promise<void>
  writeError(text: string, how?: Written): void
  readonly isInputTty: boolean
  readonly isOutputTty: boolean
  readonly isErrorTty: boolean
  readonly columns: number
  readonly rows: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns the current time in ns since 1970. */
  nowNs(): bigint
  /** Returns the time of a monotonic clock, ms. */
  nowMs(): number
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** Calls `work` at each SIGHUP, which would otherwise end the process. The returned function removes this handler. */
  onHangup(work: () => void): () => void
}

/**
 * Returns a terminal that printed text cannot control: on a screen, text that is not `drawn` is made printable. Pipes
 * and files get all bytes unchanged.
 */
export function guarded(terminal: Terminal): Terminal {
  const decoder = new TextDecoder()
  const textOf = (text: string | Uint8Array): string =>
    typeof text === 'string' ? text : decoder.decode(text, { stream: true })
  return {
    ...terminal,
    write: (text, how) =>
      terminal.write(terminal.isOutputTty && how !== 'drawn' ? printableLines(textOf(text)) : text, how),
    writeError: (text, how) =>
      terminal.writeError(terminal.isErrorTty && how !== 'drawn' ? printableLines(text) : text, how),
  }
}
