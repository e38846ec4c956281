import { existsSync } from 'node:fs'
import process from 'node:process'
import { CommanderError } from 'commander'
import { CommandError, SluiceError, errorCode, isSystemError, nowhere, renderDiagnostic } from '../base/index.ts'
import { commands } from './commands/index.ts'
import { processTerminal } from './process-terminal.ts'
import { exitCodeOf } from './diagnostics-output.ts'
import { programWith } from './program.ts'
import { applySettings } from './settings.ts'
import { guarded, type Terminal } from './terminal.ts'

/** Adds the command `prompt` if there are no arguments on a terminal, or if the first argument is a file. */
function withCommand(argv: readonly string[], { isInputTty, isOutputTty }: Terminal): readonly string[] {
  const [first] = argv
  const isPrompt =
    first === undefined
      ? isInputTty && isOutputTty
      : !commands.some(({ name }) => name === first) && !first.startsWith('-') && existsSync(first)
  return isPrompt ? ['prompt', ...argv] : argv
}

/** Runs the command line and returns the exit code: 0 success, 1 failure, 2 wrong usage, 130 interrupt. */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  const terminal = guarded(given)
  try {
    const argv = withCommand(args, terminal)
    const wanted = argv.find((arg) => !arg.startsWith('-'))
    const program = await programWith(wanted, terminal)
    const command = program.commands.find((each) => each.name() === wanted)
    const readsSettings = commands.find(({ name }) => name === wanted)?.readsSettings
    if (command !== undefined && readsSettings !== true) await applySettings(command, terminal)
    await program.parseAsync(argv, { from: 'user' })
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
 * Runs the arguments of this process and sets its exit code. Do not await it in a module: in the bundle the command may
 * be in the same file, which would then wait for itself.
 */
export function start(): void {
  void main(process.argv.slice(2), processTerminal()).then((code) => {
    process.exitCode = code
  })
}

if (import.meta.main === true) start()
