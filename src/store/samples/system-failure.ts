import { SluiceError } from '../../base/index.ts'

/** True if an error only means that the system could not read a file, which says nothing about its content. */
export function isSystemFailure(error: unknown): boolean {
  return error instanceof SluiceError && error.code === 'durable/read-failed'
}
