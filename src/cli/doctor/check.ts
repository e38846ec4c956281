import type { ServeArguments } from '../commands/serve.ts'
import type { ConfigurationState } from './configuration-state.ts'

export type Status = 'ok' | 'warning' | 'problem'

/** Result of a check, as a sentence. */
export interface Finding {
  readonly status: Status
  readonly message: string
  /** The remedy; `undefined` for `ok`. */
  readonly fix?: string
}

/** Options and machine state with which `sluice serve` would start. */
export interface Setup {
  readonly options: ServeArguments
  readonly configuration: ConfigurationState
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time of this machine, ns since 1970. */
  readonly nowNs: bigint
  /** Port of the server; 0 lets the system choose a free port. */
  readonly port: number
  readonly workers: number
  /** Memory limit, bytes; `undefined` for the default. */
  readonly memoryBytes: number | undefined
  readonly storeBytes: number | undefined
  readonly diskReserveBytes: number | undefined
}

/**
 * A check and its line in the report. `find` must not change anything; an error that it throws is reported as a
 * problem.
 */
export interface Check {
  readonly name: string
  readonly find: (setup: Setup) => readonly Finding[] | Promise<readonly Finding[]>
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warning = (message: string, fix: string): Finding => ({ status: 'warning', message, fix })
export const problem = (message: string, fix: string): Finding => ({ status: 'problem', message, fix })

/** Formats permission bits: `0o640` as `640`. */
export const modeText = (mode: number): string => (mode & 0o777).toString(8).padStart(3, '0')
