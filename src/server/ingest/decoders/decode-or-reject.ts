import { SluiceError, type StepwiseTask } from '../../../base/index.ts'
import { fault } from '../../errors/http-fault.ts'

/**
 * Runs a decoder. An error that is not a SluiceError means that the body is not in the format, and is reported as
 * `bad-payload`.
 */
export function* decodeOrReject<T>(format: string, read: () => StepwiseTask<T>): StepwiseTask<T> {
  try {
    return yield* read()
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw fault('bad-payload', { format, reason: error instanceof Error ? error.message : String(error) })
  }
}
