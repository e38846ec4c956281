import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { CommandError, SluiceError, nowhere, renderDiagnostic, version } from '../base/index.ts'
import { commands } from './commands/index.ts'
import { processTerminal } from './process-terminal.ts'
import type { Terminal } from './terminal.ts'

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

/** Runs the command line and gives the exit code: 0 fine, 1 "no", 2 wrong use. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('sluice')
    .description('Query logs, events, traces and metrics.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void terminal.write(text), writeErr: (text) => terminal.writeError(text) })
  const wanted = argv.find((arg) => !arg.startsWith('-'))
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.summary)
    // Only the wanted command's module is loaded; the others stand in the help text by name.
    if (entry.name === wanted) (await entry.load()).define(command, terminal)
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (isBrokenPipe(error)) return 0
    if (error instanceof CommandError) {
      if (error.message !== '') terminal.writeError(`${error.message}\n`)
      return error.exitCode
    }
    if (error instanceof SluiceError) {
      for (const diagnostic of error.diagnostics)
        terminal.writeError(`${renderDiagnostic({ ...diagnostic, origin: nowhere }, '')}\n`)
      return 1
    }
    throw error
  }
}

/**
 * Runs the arguments of this process, whose exit code tells how it went. A module must not wait for it: in a bundle the command
 * may be in the same file, and would wait for that file.
 */
export function start(): void {
  void main(process.argv.slice(2), processTerminal()).then((code) => {
    process.exitCode = code
  })
}

if (import.meta.main === true) start()
