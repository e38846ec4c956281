import { z } from 'zod'
import { SluiceError } from '../../../base/index.ts'
import { renderLogqlError } from '../../../lang/logql/index.ts'
import { PLAIN_TYPE, type ErrorForm } from '../../http/error-forms.ts'

/** Plain-text errors with only the message, as Loki answers. Query errors have Loki's wording. */
export const lokiErrors = {
  errors: new Map<string, z.ZodType>([['text/plain', z.string()]]),
  shapeError: (error, { status, headers, body }, source) => {
    const [first] = error instanceof SluiceError ? error.diagnostics : []
    const isOfQuery = first?.code.startsWith('logql/') === true
    return {
      // In Loki's API, a query that cannot be evaluated is a bad request.
      status: status === 422 ? 400 : status,
      headers: { ...headers, 'Content-Type': PLAIN_TYPE },
      body: `${isOfQuery ? renderLogqlError(first, source?.text ?? '') : body.message}\n`,
    }
  },
} satisfies ErrorForm

/** Error for an unknown path below `/loki/`, as Loki words it; other errors have the envelope. */
export const shapeLokiPath: ErrorForm['shapeError'] = (_, answer) =>
  answer.status === 404
    ? { status: 404, headers: { ...answer.headers, 'Content-Type': PLAIN_TYPE }, body: '404 page not found\n' }
    : answer
