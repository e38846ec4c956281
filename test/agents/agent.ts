/** Where agents send to. */
export interface Targets {
  /** Of the HTTP port, `127.0.0.1`. */
  readonly port: number
  readonly tcpPort: number
  readonly udpPort: number
  readonly key: string
  /** An empty folder for what an agent needs. */
  readonly folder: string
}

/** A program that somebody else wrote, sending as its own documentation says. */
export interface Agent {
  readonly name: string
  /** What it speaks. */
  readonly protocol: string
  /** Looked for on the path and in the folders of `--path`. */
  readonly program: string
  /** Sends; every record has the word in its text. Resolves when the program has ended. */
  readonly send: (run: Run, word: string, targets: Targets) => Promise<void>
  readonly records: number
}

/** Runs the agent's program to its end, or ends it after `endAfterMs`; rejects with what it says when it fails. */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string | Uint8Array; readonly endAfterMs?: number },
) => Promise<string>
