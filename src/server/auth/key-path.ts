import { readFileSync, statSync } from 'node:fs'
import { SluiceError, nowhere } from '../../base/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { KeyFileView } from './live-keys.ts'

/** The key file at a path. Throws a SluiceError when there is none to begin with. */
export function keyFileAt(path: string): KeyFileView {
  const file: KeyFileView = {
    // The time of change cannot be set by hand, and a file put in its place is another one.
    stamp: () => {
      const { ino, size, ctimeNs } = statSync(path, { bigint: true })
      return `${ino} ${size} ${ctimeNs}`
    },
    read: () => readFileSync(path, 'utf8'),
  }
  try {
    file.read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SluiceError([setupDiagnostic('no-key-file', { path, reason }, nowhere)])
  }
  return file
}

/** What others than the owner may do with a file. */
const OTHERS = 0o077

/** What a start says of a key file that others may come by, a sentence each. */
export function keyFileWarnings(path: string): readonly string[] {
  const mode = statSync(path).mode & 0o777
  // Windows has no such modes, and tells the same of every file.
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return []
  return [
    `Others can read or write the key file ${path} (mode ${mode.toString(8)}); \`chmod 600\` leaves it to its owner.`,
  ]
}
