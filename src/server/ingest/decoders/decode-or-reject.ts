import { SluiceError, type StepwiseTask } from '../../../base/index.ts'
import { fault } from '../../errors/http-fault.ts'

/** Runs a decoder; errors other than its own mean that the payload is not of its declared format. */
export function* decodeOrReject<T>(format: string, read: () => StepwiseTask<T>): StepwiseTask<T> {
  try {
    return yield* read()
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw fault('bad-payload', { format, reason: error instanceof Error ? error.message : String(error) })
  }
}
