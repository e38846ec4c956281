import { printableLines } from '../base/index.ts'

/** `drawn`: the text moves the cursor or has colours, and its other parts are already printable. */
export type Written = 'drawn' | undefined

/** Environment of a command; tests provide their own. */
export interface Terminal {
  /** Resolves when the text or UTF-8 is written; rejects with `EPIPE` if the reader is gone. */
  write(text: string | Uint8Array, how?: Written): Promise<void>
  writeError(text: string, how?: Written): void
  readonly isInputTty: boolean
  readonly isOutputTty: boolean
  readonly isErrorTty: boolean
  readonly columns: number
  readonly rows: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Current time in ns since 1970. */
  nowNs(): bigint
  /** Monotonic clock, ms. */
  nowMs(): number
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** Calls `work` at each SIGHUP, which ends the process otherwise, until the returned function is called. */
  onHangup(work: () => void): () => void
}

/**
 * Returns a terminal that text cannot control: text that is not `drawn` is made printable on a screen. Pipes and files
 * get all bytes.
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
