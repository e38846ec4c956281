import { z } from 'zod'
import { SluiceError } from '../../../base/index.ts'
import type { ErrorDiagnostic } from '../../../wire/index.ts'
import type { ErrorAnswer } from '../../errors/to-error-response.ts'
import { PLAIN_TYPE, type ErrorForm } from '../../http/error-forms.ts'

/** Returns the message of an error, followed by its position and advice. */
function textOf({ body }: ErrorAnswer): string {
  const [first] = body.details.diagnostics as readonly (ErrorDiagnostic | undefined)[]
  const { span, path, notes = [] } = first ?? {}
  const position =
    span === undefined ? '' : ` (line ${span.line}, column ${span.column} of \`${path?.replace('$.', '')}\`)`
  return [`${body.message}${position}`, ...notes].join(' ')
}

/**
 * Returns the status as in VictoriaLogs: 400 for anything that is rejected, even an unknown path; 503 for a timeout.
 */
function statusOf(error: unknown, status: number): number {
  if (error instanceof SluiceError && error.code === 'budget/deadline') return 503
  return status === 404 ? 400 : status
}

/** Plain-text errors, which Grafana's data source and VictoriaLogs' command line print. */
export const selectErrors: ErrorForm = {
  errors: new Map([['text/plain', z.string()]]),
  shapeError: (error, answer) => ({
    status: statusOf(error, answer.status),
    headers: { ...answer.headers, 'Content-Type': PLAIN_TYPE },
    body: `${textOf(answer)}\n`,
  }),
}

/** As in VictoriaLogs, an unknown path below `/select/` is a bad request; other errors have the envelope. */
export const shapeUnknownPath: ErrorForm['shapeError'] = (error, answer, ...more) =>
  answer.status === 404 ? selectErrors.shapeError(error, answer, ...more) : answer

/** Members of an error besides those of the envelope. */
export const statsError = z
  .object({ status: z.literal('error'), errorType: z.string(), error: z.string(), message: z.string() })
  .meta({ id: 'StatsError', description: 'An error of statistics of VictoriaLogs, beside the members of every error.' })

/**
 * Errors in Prometheus's format besides the envelope. The error type is the status. A bad request has the status 422.
 */
export const statsErrors: Pick<ErrorForm, 'shapeError'> = {
  shapeError: (error, answer) => {
    const given = statusOf(error, answer.status)
    const status = given === 400 ? 422 : given
    const fault = { status: 'error', errorType: String(status), error: textOf(answer) }
    return { status, headers: answer.headers, body: { ...fault, ...answer.body } }
  },
}
