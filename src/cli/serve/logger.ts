import type { Logger } from '../../server/index.ts'

/** Structured lines of JSON on standard error. */
export async function jsonLogger(level: string): Promise<Logger> {
  const { destination, pino } = await import('pino')
  const logger = pino({ level, base: null }, destination({ dest: 2, sync: false }))
  return {
    info: (fields, message) => logger.info(fields, message),
    error: (fields, message) => logger.error(fields, message),
  }
}
