import { PLAIN_TYPE, plainErrors, type ErrorForm } from '../../http/error-forms.ts'

/** The message alone, as Tempo answers. */
export const tempoErrors: ErrorForm = {
  errors: plainErrors.errors,
  shapeError: (error, answer, ...rest) =>
    // A query that cannot be evaluated is a faulty request there.
    plainErrors.shapeError(error, { ...answer, status: answer.status === 422 ? 400 : answer.status }, ...rest),
}

/** A path below `/tempo/` that does not exist, in the words of Tempo; other errors are the envelope. */
export const shapeTempoPath: ErrorForm['shapeError'] = (_, answer) =>
  answer.status === 404
    ? { status: 404, headers: { ...answer.headers, 'Content-Type': PLAIN_TYPE }, body: '404 page not found\n' }
    : answer
