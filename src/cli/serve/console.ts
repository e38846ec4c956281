import { fileURLToPath } from 'node:url'
import type { SluiceServer } from '../../server/index.ts'

/** Folder of the built console for the module at `self`, an `import.meta.url`: beside the program, or that of a clone. */
export function consoleFolder(self: string): string {
  return fileURLToPath(new URL(self.endsWith('.ts') ? '../../../dist/console' : '../console', self))
}

/**
 * The line with a link that opens the console signed in. Logs are shipped, terminals are not: elsewhere there is no link
 * (`isShown`), unless the key itself is printed there. `undefined` also without a console.
 */
export function consoleLine(
  address: string,
  server: Pick<SluiceServer, 'consoleCode'>,
  isShown: boolean,
): string | undefined {
  const code = isShown ? server.consoleCode() : undefined
  if (code === undefined) return undefined
  // Browsers do not open the address of all interfaces.
  const local = address.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1')
  return `Console, signed in (the link works once, within 10 minutes): ${local}/#code=${code}`
}
