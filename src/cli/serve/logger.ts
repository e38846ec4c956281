import { SluiceError } from '../../base/index.ts'
import type { Logger } from '../../server/index.ts'
import type { Terminal } from '../terminal.ts'

/** A log that also has lines which the default level shows although nothing failed. */
export interface ServeLogger extends Logger {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** Fields of an error in a log line; JSON has none for errors. */
function errorFields(error: unknown): unknown {
  if (error instanceof SluiceError)
    return {
      codes: error.diagnostics.map(({ code }) => code),
      reasons: error.diagnostics.map(({ message }) => message),
    }
  if (!(error instanceof Error)) return error
  return { reasons: [error.message], stack: error.stack }
}

/** Returns a logger of JSON lines: to standard error, through `terminal` on a screen, or to a file descriptor. */
export async function jsonLogger(
  level: string,
  terminal: Pick<Terminal, 'isErrorTty' | 'writeError'>,
  descriptor = 2,
): Promise<ServeLogger> {
  const { destination, pino } = await import('pino')
  const options = { level, base: null, serializers: { error: errorFields } }
  const logger = pino(
    options,
    terminal.isErrorTty
      ? { write: (line) => terminal.writeError(line) }
      : destination({ dest: descriptor, sync: false }),
  )
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  }
}
