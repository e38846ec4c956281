import { readFileSync } from 'node:fs'
import { CommandError, SluiceError, renderDiagnostic } from '../base/index.ts'
import type { Terminal } from './terminal.ts'

export function readCatalogFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(
      `The catalog ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Does the work; what is wrong is shown at its place in the catalog, and the command ends with 1. */
export async function withPlaces<T>(
  text: string,
  path: string,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    for (const each of error.diagnostics) terminal.writeError(`${renderDiagnostic(each, text, path)}\n`)
    throw new CommandError('', 1)
  }
}
