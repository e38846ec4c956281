import { SluiceError } from '../../base/index.ts'

/** Whether an error says nothing of a file but that the system could not read it. */
export function isSystemFailure(error: unknown): boolean {
  return error instanceof SluiceError && error.code === 'durable/read-failed'
}
