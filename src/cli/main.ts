import process from 'node:process'
import { CommanderError } from 'commander'
import { CommandError, SluiceError, errorCode, isSystemError, nowhere, renderDiagnostic } from '../base/index.ts'
import { processTerminal } from './process-terminal.ts'
import { exitCodeOf } from './diagnostics-output.ts'
import { programWith } from './program.ts'
import { applySettings } from './settings.ts'
import { guarded, type Terminal } from './terminal.ts'

/** Whether a person is at a terminal and says nothing of what to do. */
function isPrompt(argv: readonly string[], { isInputTty, isOutputTty }: Terminal): boolean {
  return argv.length === 0 && isInputTty && isOutputTty
}

/** Runs the command line and gives the exit code: 0 fine, 1 "no", 2 wrong use, 130 an interrupt. */
export async function main(argv: readonly string[], given: Terminal): Promise<number> {
  const terminal = guarded(given)
  try {
    const wanted = argv.find((arg) => !arg.startsWith('-')) ?? (isPrompt(argv, terminal) ? 'prompt' : undefined)
    const program = await programWith(wanted, terminal)
    const command = program.commands.find((each) => each.name() === wanted)
    if (command !== undefined) await applySettings(command, terminal)
    await program.parseAsync(argv.length === 0 && wanted !== undefined ? [wanted] : argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (errorCode(error) === 'EPIPE') return 0
    if (error instanceof CommandError) {
      if (error.message !== '') terminal.writeError(`${error.message}\n`)
      return error.exitCode
    }
    if (error instanceof SluiceError) {
      for (const diagnostic of error.diagnostics)
        terminal.writeError(`${renderDiagnostic({ ...diagnostic, origin: nowhere }, '')}\n`)
      return exitCodeOf(error, terminal)
    }
    if (isSystemError(error)) {
      terminal.writeError(`${error.message}\n`)
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
