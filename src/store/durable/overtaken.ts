import { SluiceError, errorCode } from '../../base/index.ts'

/** How often a folder is looked at anew when its files take each other's places meanwhile. */
const TRIES = 6

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
      if (tries === TRIES || !isOvertaken(error)) throw error
    }
  }
}
