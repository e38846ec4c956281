import { z } from 'zod'
import { SluiceError } from '../../../base/index.ts'
import { renderLogqlError } from '../../../lang/logql/index.ts'
import { PLAIN_TYPE, type ErrorForm } from '../../http/error-forms.ts'

/** A refusal in the words of Loki, which its clients show and compare. */
export class LokiRefusal extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** The message of an error: in the words of Loki where it has some. */
export function lokiMessage(error: unknown, otherwise: string, text: string | undefined): string {
  if (error instanceof LokiRefusal) return error.message
  const [diagnostic] = error instanceof SluiceError ? error.diagnostics : []
  if (diagnostic?.code.startsWith('logql/') === true) return renderLogqlError(diagnostic, text ?? '')
  return otherwise
}

/** The message alone, as Loki answers. */
export const lokiErrors: ErrorForm = {
  errors: new Map([['text/plain', z.string()]]),
  shapeError: (error, { status, headers, body }, source) => ({
    status: error instanceof LokiRefusal ? error.status : status === 422 ? 400 : status,
    headers: { ...headers, 'Content-Type': PLAIN_TYPE },
    body: lokiMessage(error, body.message, source?.text),
  }),
}
