import { printableLines } from '../base/index.ts'

/** `drawn`: it moves the cursor or has colours, and everything else in it is printable already. */
export type Written = 'drawn' | undefined

/** What a command sees of the world: tests hand in their own. */
export interface Terminal {
  /** Resolves when the text, or its UTF-8, is taken; rejects with `EPIPE` when nobody reads any more. */
  write(text: string | Uint8Array, how?: Written): Promise<void>
  writeError(text: string, how?: Written): void
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

/**
 * The same terminal, on which nothing that is written can steer it: what is not drawn is made printable where a person looks
 * at it. Pipes and files get every byte.
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
