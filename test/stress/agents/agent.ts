/** Addresses and credentials to which agents send. */
export interface Targets {
  /** HTTP port on `127.0.0.1`. */
  readonly port: number
  readonly tcpPort: number
  readonly udpPort: number
  readonly forwardPort: number
  /** Port of the Fluent forward protocol on which senders must authenticate with `key`. */
  readonly keyedForwardPort: number
  readonly key: string
  /** Folder in which the agent's `module` was found. */
  readonly module: string
  /** An empty folder for the agent's files. */
  readonly folder: string
}

/** A third-party program that sends as its own documentation describes. */
export interface Agent {
  readonly name: string
  /** Name of the protocol that the agent uses. */
  readonly protocol: string
  /** Name of the executable, searched in the folders of `--path` and on the PATH. */
  readonly program: string
  /** npm package that the agent's script uses, searched in `node_modules` of the folders of `--path`. */
  readonly module?: string
  /** Sends `records` records whose text contains `word`. Resolves when the program has ended. */
  readonly send: (run: Run, word: string, targets: Targets) => Promise<void>
  readonly records: number
}

/**
 * Runs the agent's program until it ends, or stops it after `endAfterMs` milliseconds. Resolves with its output.
 * Rejects with its output if it fails.
 */
export type Run = (
  args: readonly string[],
  options?: { readonly input?: string | Uint8Array; readonly endAfterMs?: number },
) => Promise<string>
