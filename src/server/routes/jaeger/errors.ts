import { z } from 'zod'
import { rpcStatus } from '../../errors/grpc-status.ts'
import type { ErrorAnswer } from '../../errors/to-error-response.ts'
import type { ErrorForm } from '../../http/error-forms.ts'

/** Error format of a version of Jaeger's API. */
export interface JaegerErrors extends ErrorForm {
  readonly errors: z.ZodType
}

/** Returns the status of an error. In Jaeger's API, a query that cannot be evaluated is a bad request. */
function statusOf({ status }: ErrorAnswer): number {
  return status === 422 ? 400 : status
}

/** Errors in the envelope of Jaeger's API. */
export const jaegerErrors: JaegerErrors = {
  errors: z
    .object({
      data: z.null(),
      total: z.literal(0),
      limit: z.literal(0),
      offset: z.literal(0),
      errors: z.array(z.object({ code: z.int(), msg: z.string() })),
      message: z.string(),
    })
    .meta({ id: 'JaegerError', description: 'An error in the envelope of Jaeger, beside the members of every error.' }),
  shapeError: (_, answer) => {
    const status = statusOf(answer)
    const errors = [{ code: status, msg: answer.body.message }]
    return {
      status,
      headers: answer.headers,
      body: { data: null, total: 0, limit: 0, offset: 0, errors, ...answer.body },
    }
  },
}

/** gRPC code `NOT_FOUND`. Ingest protocols use another code for unknown methods. */
const NOT_FOUND = 5

/** Errors of version 3 of Jaeger's API. */
export const jaegerV3Errors: JaegerErrors = {
  errors: z
    .object({
      error: z.object({
        grpcCode: z.int(),
        httpCode: z.int(),
        message: z.string(),
        httpStatus: z.string(),
      }),
      message: z.string(),
    })
    .meta({
      id: 'JaegerV3Error',
      description: 'An error of version 3 of the API of Jaeger, beside the members of every error.',
    }),
  shapeError: (_, answer) => {
    const status = statusOf(answer)
    const { message, type } = answer.body
    const grpcCode = status === 404 ? NOT_FOUND : rpcStatus(status, message, undefined).code
    const error = { grpcCode, httpCode: status, message, httpStatus: type }
    return { status, headers: answer.headers, body: { error, ...answer.body } }
  },
}

/** Error for an unknown path below `/jaeger/`, in Jaeger's envelope. */
export const shapeJaegerPath: ErrorForm['shapeError'] = (error, answer, ...rest) => {
  if (answer.status !== 404) return jaegerErrors.shapeError(error, answer, ...rest)
  const message = `${answer.body.message} Metrics of services (/api/metrics) and archives of traces are not answered.`
  return jaegerErrors.shapeError(error, { ...answer, body: { ...answer.body, message } }, ...rest)
}
