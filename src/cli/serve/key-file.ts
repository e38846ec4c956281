import { readFileSync, statSync } from 'node:fs'
import type { KeyFileView } from '../../server/index.ts'
import { CommandError } from '../terminal.ts'

/** The key file at a path. Throws CommandError when there is none to begin with. */
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
    throw new CommandError(`The key file ${path} cannot be read: ${reason}`)
  }
  return file
}
