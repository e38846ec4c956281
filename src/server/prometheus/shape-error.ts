import { SluiceError } from '../../base/index.ts'
import { promqlErrorText, promqlErrorType } from '../../engine/metrics/index.ts'
import { HttpFault } from '../http-fault.ts'
import type { ErrorAnswer, ErrorContext } from '../to-error-response.ts'

/** The kinds of failure that metric tools tell apart, with the status that goes with each. */
const STATUS_OF = { bad_data: 400, execution: 422, timeout: 503, canceled: 503, internal: 500 } as const

const TYPE_OF_FAULT: ReadonlyMap<number, string> = new Map([
  [400, 'bad_data'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [429, 'too_many_requests'],
  [500, 'internal'],
  [503, 'unavailable'],
])

const MAX_TEXT = 600

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/**
 * The error as metric tools read it, `{status, errorType, error}`, beside the members of the one envelope.
 * Statuses are theirs: 400 for what is wrong in a request, 422 for what cannot be evaluated, 503 for time and load.
 */
export function shapePrometheusError(error: unknown, answer: ErrorAnswer, source: ErrorContext['source']): ErrorAnswer {
  const isFault = error instanceof HttpFault
  const type = promqlErrorType(error)
  const status = isFault || !(error instanceof SluiceError) ? answer.status : STATUS_OF[type]
  const errorType = isFault ? (TYPE_OF_FAULT.get(status) ?? 'bad_data') : type
  // Long echoes are cut in `message`; only errors of the text have a place that is worth repeating.
  const isPlaced = !isFault && error instanceof SluiceError && error.code.startsWith('promql/')
  const text = isPlaced ? cut(promqlErrorText(error, source?.text ?? '')) : answer.body.message
  const body = { status: 'error', errorType, error: text, ...answer.body }
  return { status, headers: answer.headers, body }
}
