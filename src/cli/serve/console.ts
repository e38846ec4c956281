import { fileURLToPath } from 'node:url'
import type { SluiceServer } from '../../server/index.ts'

/**
 * Returns the folder of the built console. `self` is the `import.meta.url` of the calling module; a clone and the
 * package have different layouts.
 */
export function consoleFolder(self: string): string {
  return fileURLToPath(new URL(self.endsWith('.ts') ? '../../../dist/console' : '../console', self))
}

/**
 * Returns a log line with a link that opens the console signed in; `undefined` unless `isShown`, or without a console.
 * Logs are often collected, so `isShown` is true only on a terminal or if the key itself is printed.
 */
export function consoleLine(
  address: string,
  server: Pick<SluiceServer, 'consoleCode'>,
  isShown: boolean,
): string | undefined {
  const code = isShown ? server.consoleCode() : undefined
  if (code === undefined) return undefined
  // Browsers cannot open the wildcard address, so the link uses loopback.
  const local = address.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1')
  return `Console, signed in (the link works once, within 10 minutes): ${local}/#code=${code}`
}
