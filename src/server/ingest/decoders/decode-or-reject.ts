import { SluiceError, type StepwiseTask } from '../../../base/index.ts'
import { fault } from '../../errors/http-fault.ts'

/** Runs a decoder. Any error other than its own becomes an error that the payload does not have the declared format. */
export function* decodeOrReject<T>(format: string, read: () => StepwiseTask<T>): StepwiseTask<T> {
  try {
    return yield* read()
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw fault('bad-payload', { format, reason: error instanceof Error ? error.message : String(error) })
  }
}
