import { CommandError, SluiceError, isError, renderDiagnostic, type Diagnostic } from '../base/index.ts'
import type { Terminal } from './terminal.ts'

export function tellDiagnostics(diagnostics: readonly Diagnostic[], text: string, terminal: Terminal): void {
  for (const diagnostic of diagnostics) terminal.writeError(`${renderDiagnostic(diagnostic, text)}\n`)
}

/** Does the work; a SluiceError is shown with the caret under the spot, and the command ends with 1, with 130 where it was interrupted. */
export async function withCarets<T>(text: string, terminal: Terminal, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    tellDiagnostics(error.diagnostics.filter(isError), text, terminal)
    throw new CommandError('', error.code === 'budget/cancelled' && terminal.signal.aborted ? 130 : 1)
  }
}
