import { SluiceError } from '../../base/index.ts'
import type { Logger } from '../../server/index.ts'
import type { Terminal } from '../terminal.ts'

/** A logger with the level `warn`, for messages that the default level shows although nothing failed. */
export interface ServeLogger extends Logger {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** Returns the fields of an error for a log line; `JSON.stringify` would write `{}`. */
function errorFields(error: unknown): unknown {
  if (error instanceof SluiceError)
    return {
      codes: error.diagnostics.map(({ code }) => code),
      reasons: error.diagnostics.map(({ message }) => message),
    }
  if (!(error instanceof Error)) return error
  return { reasons: [error.message], stack: error.stack }
}

/**
 * Returns a logger of JSON lines. It writes to a file descriptor, or to standard error through `terminal` if that is a
 * screen.
 */
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
