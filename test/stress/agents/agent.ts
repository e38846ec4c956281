/** The addresses and credentials that agents send to. */
export interface Targets {
  /** The HTTP port on `127.0.0.1`. */
  readonly port: number
  readonly tcpPort: number
  readonly udpPort: number
  readonly forwardPort: number
  /** Port of the forward protocol at which senders must prove to know `key`. */
  readonly keyedForwardPort: number
  readonly key: string
  /** The folder in which the agent's `module` was found. */
  readonly module: string
  /** An empty folder for the agent's files. */
  readonly folder: string
}

/** A third-party program that sends as its own documentation describes. */
export interface Agent {
  readonly name: string
  /** The protocol that the agent uses. */
  readonly protocol: string
  /** Name of the executable, which is searched for on the PATH and in the folders of `--path`. */
  readonly program: string
  /** The npm package that our script uses. It is searched for in `node_modules` of the folders of `--path`. */
  readonly module?: string
  /** Sends records that all contain the word in their text. Resolves when the program has ended. */
  readonly send: (run: Run, word: string, targets: Targets) => Promise<void>
  readonly records: number
}

/** Runs the agent's program until it ends, or stops it after `endAfterMs`. Rejects with its output if it fails. */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string | Uint8Array; readonly endAfterMs?: number },
) => Promise<string>
