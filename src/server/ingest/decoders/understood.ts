import { SluiceError, type Turns } from '../../../base/index.ts'
import { fault } from '../../errors/http-fault.ts'

/** Runs a reader; whatever it trips over but its own errors, the payload is not what it says it is. */
export function* understoodTurns<T>(format: string, read: () => Turns<T>): Turns<T> {
  try {
    return yield* read()
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw fault('bad-payload', { format, reason: error instanceof Error ? error.message : String(error) })
  }
}
