import { MAX_ATTEMPTS, SluiceError, errorCode } from '../../base/index.ts'

function isOvertaken(error: unknown): boolean {
  if (error instanceof SluiceError) return error.code === 'durable/damaged' || error.code === 'durable/missing'
  return errorCode(error) === 'ENOENT'
}

/**
 * Runs `read` on a folder to which another process may be writing, and retries if logs were replaced or files removed
 * during the read. An error that remains after all attempts is thrown.
 */
export async function retryIfReplaced<T>(read: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (tries === MAX_ATTEMPTS || !isOvertaken(error)) throw error
    }
  }
}
