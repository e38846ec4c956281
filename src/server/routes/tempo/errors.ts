import { SluiceError } from '../../../base/index.ts'
import { renderTraceqlError, type TraceqlEndpoint } from '../../../lang/traceql/index.ts'
import { PLAIN_TYPE, plainErrors, type ErrorForm } from '../../http/error-forms.ts'

/** Returns plain-text errors with only the message, as Tempo's endpoint answers. Query errors have Tempo's wording. */
export function tempoErrors(endpoint: TraceqlEndpoint): ErrorForm {
  return {
    errors: plainErrors.errors,
    shapeError: (error, answer, source, headers) => {
      // In Tempo's API, a query that cannot be evaluated is a bad request.
      const status = answer.status === 422 ? 400 : answer.status
      const shaped = plainErrors.shapeError(error, { ...answer, status }, source, headers)
      const [first] = error instanceof SluiceError ? error.diagnostics : []
      if (first?.code.startsWith('traceql/') !== true) return shaped
      return { ...shaped, body: `${renderTraceqlError(first, source?.text ?? '', endpoint)}\n` }
    },
  }
}

/** Error for an unknown path below `/tempo/`, as Tempo words it; other errors have the envelope. */
export const shapeTempoPath: ErrorForm['shapeError'] = (_, answer) =>
  answer.status === 404
    ? { status: 404, headers: { ...answer.headers, 'Content-Type': PLAIN_TYPE }, body: '404 page not found\n' }
    : answer
