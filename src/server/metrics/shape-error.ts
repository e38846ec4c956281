import { SluiceError } from '../../base/index.ts'
import { promqlErrorText, promqlErrorType } from '../../engine/metrics/index.ts'
import { HttpFault } from '../errors/http-fault.ts'
import { MAX_MESSAGE, type ErrorAnswer, type ErrorContext } from '../errors/to-error-response.ts'

/** Error types of Prometheus's API with their statuses. */
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

function cut(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Parameters to which errors of a query's times refer. */
const PARAMETER_OF: ReadonlyMap<string, string> = new Map([
  ['series/bad-ends', 'end'],
  ['series/bad-step', 'step'],
  ['series/bad-range-type', 'query'],
  ['series/bad-duration', 'query'],
])

/** Returns the parameter that an error refers to; `undefined` if the error refers to none or to several. */
function parameterOf(error: SluiceError, source: ErrorContext['source']): string | undefined {
  const { code } = error
  if (code === 'server/bad-parameter' || code === 'server/missing-parameter') {
    const name = (error.diagnostics[0]?.data as { readonly name?: unknown } | undefined)?.name
    return typeof name === 'string' ? name : undefined
  }
  if (code.startsWith('promql/')) return source?.member.replace(/^\$\./, '')
  return PARAMETER_OF.get(code)
}

function withMembers(answer: ErrorAnswer, status: number, errorType: string, error: string): ErrorAnswer {
  return {
    status,
    headers: answer.headers,
    body: { status: 'error', errorType, error, ...answer.body } as ErrorAnswer['body'],
  }
}

/**
 * Formats an error for Prometheus's API, `{status, errorType, error}`, in addition to the members of the envelope. A
 * message about a parameter begins with its name, because clients match it. Statuses: 400 for invalid requests, 422 for
 * evaluation errors, 503 for timeouts and overload.
 */
export function shapePrometheusError(error: unknown, answer: ErrorAnswer, source: ErrorContext['source']): ErrorAnswer {
  const isPlain = error instanceof HttpFault || !(error instanceof SluiceError)
  if (isPlain || error.code === 'durable/read-failed') return shapeMetricFault(error, answer)
  const type = error.code === 'rules/bad-parameter' ? 'bad_data' : promqlErrorType(error)
  // Client input in `message` has been shortened. A position is appended only to errors of the query text and its
  // durations.
  const hasPosition = error.code.startsWith('promql/') || error.code === 'series/bad-duration'
  const text = hasPosition ? cut(promqlErrorText(error, source?.text ?? '')) : answer.body.message
  return withMembers(answer, STATUS_OF[type], type, ofParameter(parameterOf(error, source), text))
}

function ofParameter(name: string | undefined, text: string): string {
  return name === undefined ? text : `invalid parameter ${JSON.stringify(name)}: ${text}`
}

/**
 * Formats an error like `shapePrometheusError`, but keeps its status. Used for ingest, and for unknown paths and
 * methods.
 */
export function shapeMetricFault(error: unknown, answer: ErrorAnswer): ErrorAnswer {
  const { status } = answer
  const name = error instanceof SluiceError ? parameterOf(error, undefined) : undefined
  const errorType = TYPE_OF_FAULT.get(status) ?? (status < 500 ? 'bad_data' : 'internal')
  return withMembers(answer, status, errorType, ofParameter(name, answer.body.message))
}
