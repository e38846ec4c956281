import { MAX_ATTEMPTS, SluiceError, errorCode } from '../../base/index.ts'

function isOvertaken(error: unknown): boolean {
  if (error instanceof SluiceError) return error.code === 'durable/damaged' || error.code === 'durable/missing'
  return errorCode(error) === 'ENOENT'
}

/** Reads a folder that another process may be writing to: logs take each other's places and files leave, damage stays. */
export async function whileOvertaken<T>(read: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (tries === MAX_ATTEMPTS || !isOvertaken(error)) throw error
    }
  }
}
