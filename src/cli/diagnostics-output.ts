import { CommandError, SluiceError, isError, renderDiagnostic, type Diagnostic } from '../base/index.ts'
import type { Terminal } from './terminal.ts'

/** Shows each with the spot in the text, which has a name where it is that of a file. */
export function tellDiagnostics(
  diagnostics: readonly Diagnostic[],
  text: string,
  terminal: Terminal,
  name?: string,
): void {
  for (const diagnostic of diagnostics) terminal.writeError(`${renderDiagnostic(diagnostic, text, name)}\n`)
}

/** With what a command ends that an error ended: 130 where it was interrupted, else 1. */
export function exitCodeOf(error: SluiceError, { signal }: Terminal): 1 | 130 {
  return error.code === 'budget/cancelled' && signal.aborted ? 130 : 1
}

/** Does the work; a SluiceError is shown with the caret under the spot, and the command ends. */
export async function withCarets<T>(text: string, terminal: Terminal, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    tellDiagnostics(error.diagnostics.filter(isError), text, terminal)
    throw new CommandError('', exitCodeOf(error, terminal))
  }
}
