import { fileURLToPath } from 'node:url'
import type { SluiceServer } from '../../server/index.ts'

/**
 * Folder of the built console. `self` is the `import.meta.url` of the module that asks; a clone and the package have
 * different layouts.
 */
export function consoleFolder(self: string): string {
  return fileURLToPath(new URL(self.endsWith('.ts') ? '../../../dist/console' : '../console', self))
}

/**
 * Log line with a link that opens the console signed in. Logs are often collected and terminals are not, so the line
 * appears on a terminal (`isShown`), or if the key itself is printed. `undefined` also without a console.
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
