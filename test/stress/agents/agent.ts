/** Where agents send to. */
export interface Targets {
  /** Of the HTTP port, `127.0.0.1`. */
  readonly port: number
  readonly tcpPort: number
  readonly udpPort: number
  readonly forwardPort: number
  /** Where senders prove that they know `key`. */
  readonly keyedForwardPort: number
  readonly key: string
  /** Where the agent's `module` was found. */
  readonly module: string
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
  /** A package of npm that a script of ours uses, looked for in `node_modules` of the folders of `--path`. */
  readonly module?: string
  /** Sends; every record has the word in its text. Resolves when the program has ended. */
  readonly send: (run: Run, word: string, targets: Targets) => Promise<void>
  readonly records: number
}

/** Runs the agent's program to its end, or ends it after `endAfterMs`; rejects with what it says when it fails. */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string | Uint8Array; readonly endAfterMs?: number },
) => Promise<string>
