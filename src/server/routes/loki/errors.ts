import { z } from 'zod'
import { SluiceError } from '../../../base/index.ts'
import { renderLogqlError } from '../../../lang/logql/index.ts'
import { PLAIN_TYPE, type ErrorForm } from '../../http/error-forms.ts'

/** The message alone, as Loki answers; errors of a query in its words. */
export const lokiErrors = {
  errors: new Map<string, z.ZodType>([['text/plain', z.string()]]),
  shapeError: (error, { status, headers, body }, source) => {
    const [first] = error instanceof SluiceError ? error.diagnostics : []
    const isOfQuery = first?.code.startsWith('logql/') === true
    return {
      // A query that cannot be evaluated is a faulty request there.
      status: status === 422 ? 400 : status,
      headers: { ...headers, 'Content-Type': PLAIN_TYPE },
      body: `${isOfQuery ? renderLogqlError(first, source?.text ?? '') : body.message}\n`,
    }
  },
} satisfies ErrorForm

/** A path below `/loki/` that does not exist, in the words of Loki; other errors are the envelope. */
export const shapeLokiPath: ErrorForm['shapeError'] = (_, answer) =>
  answer.status === 404
    ? { status: 404, headers: { ...answer.headers, 'Content-Type': PLAIN_TYPE }, body: '404 page not found\n' }
    : answer
