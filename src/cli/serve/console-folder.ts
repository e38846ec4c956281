import { fileURLToPath } from 'node:url'

/** Folder of the built console for the module at `self`, an `import.meta.url`: beside the program, or that of a clone. */
export function consoleFolder(self: string): string {
  return fileURLToPath(new URL(self.endsWith('.ts') ? '../../../dist/console' : '../console', self))
}
