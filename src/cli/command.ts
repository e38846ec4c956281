import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** One command. Its module is loaded when the command runs. */
export interface CommandModule {
  /**
   * Adds arguments and options; the action calls `run` with the parsed values. `whole` returns the program with all
   * commands.
   */
  readonly define: (command: Command, terminal: Terminal, whole: () => Promise<Command>) => void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** True if the command reads the environment and the configuration itself, so that errors in them do not stop it. */
  readonly readsSettings?: true
  readonly load: () => Promise<CommandModule>
}
