import { CommandError, SluiceError, isError, renderDiagnostic, spanOf, type Diagnostic } from '../base/index.ts'
import { isOfOtherBuild } from '../store/durable/index.ts'
import type { Terminal } from './terminal.ts'

/** Prints diagnostics with their position in the text; `name` is the name of the file, if it is one. */
export function tellDiagnostics(
  diagnostics: readonly Diagnostic[],
  text: string,
  terminal: Terminal,
  name?: string,
): void {
  for (const diagnostic of diagnostics) terminal.writeError(`${renderDiagnostic(diagnostic, text, name)}\n`)
}

/** Prints the errors of a file. For an error without a position, a note names the file or object `where`. */
export function tellFileFaults(
  { diagnostics }: SluiceError,
  text: string,
  file: string,
  terminal: Terminal,
  where = file,
): void {
  const named = diagnostics.map((each) =>
    spanOf(each.origin) === undefined ? { ...each, notes: [...each.notes, `In ${where}.`] } : each,
  )
  tellDiagnostics(named, text, terminal, file)
}

/** Returns the exit code for an error: 130 after an interrupt, 2 for a data folder of another release, else 1. */
export function exitCodeOf(error: SluiceError, { signal }: Terminal): 1 | 2 | 130 {
  if (error.code === 'budget/cancelled' && signal.aborted) return 130
  return isOfOtherBuild(error) ? 2 : 1
}

/** Runs `work`; prints a SluiceError with a caret under its position and ends the command. */
export async function withCarets<T>(text: string, terminal: Terminal, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    tellDiagnostics(error.diagnostics.filter(isError), text, terminal)
    throw new CommandError('', exitCodeOf(error, terminal))
  }
}
