import { SluiceError } from '../../base/index.ts'

/** True if an error means that the system could not read a file, for a reason unrelated to the file's content. */
export function isSystemFailure(error: unknown): boolean {
  return error instanceof SluiceError && error.code === 'durable/read-failed'
}
