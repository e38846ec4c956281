import { readFileSync, statSync } from 'node:fs'
import { SluiceError, nowhere } from '../../base/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { KeyFileView } from './live-keys.ts'

/**
 * Returns a string that changes whenever a file may have changed. It includes the change time, which programs cannot
 * set, and the inode, which differs for a replaced file. Throws the system's error for a missing file.
 */
export function fileStamp(path: string): string {
  const { ino, size, ctimeNs } = statSync(path, { bigint: true })
  return `${ino} ${size} ${ctimeNs}`
}

/** Returns a view of the key file at a path. Throws a SluiceError if it does not exist. */
export function keyFileAt(path: string): KeyFileView {
  const file: KeyFileView = {
    stamp: () => fileStamp(path),
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

/** Permission bits of the file's group and of all other users. */
const OTHERS = 0o077

/** Returns warnings about a key file that other users can read or write. */
export function keyFileWarnings(path: string): readonly string[] {
  const mode = statSync(path).mode & 0o777
  // On Windows the mode says nothing about permissions.
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return []
  return [
    `Others can read or write the key file ${path} (mode ${mode.toString(8)}); \`chmod 600\` leaves it to its owner.`,
  ]
}
