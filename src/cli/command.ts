import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** One command of the command line; its module is loaded when it runs. */
export interface CommandModule {
  /** Adds arguments and options; the action calls `run` with what was parsed. `whole` gives the command line with all commands defined. */
  readonly define: (command: Command, terminal: Terminal, whole: () => Promise<Command>) => void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}
