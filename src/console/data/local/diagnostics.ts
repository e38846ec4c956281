import { SluiceError, spanOf, type Diagnostic as EngineDiagnostic } from '../../../base/index.ts'
import { AskError } from '../../ask/ask-error.ts'
import type { Diagnostic } from '../../ask/requests.ts'

/** Converts a diagnostic of the engine to the form in which a server sends it. */
export function sentDiagnostic({ code, severity, message, origin, notes, fixes }: EngineDiagnostic): Diagnostic {
  return {
    code,
    severity,
    message,
    span: spanOf(origin),
    notes,
    fixes: fixes.map(({ title, edits }) => ({
      title,
      edits: edits.map(({ span: { start, end }, text }) => ({ start, end, text })),
    })),
  }
}

/** Converts an error of the engine to an AskError; returns other errors unchanged. */
export function askErrorOf(error: unknown): unknown {
  if (!(error instanceof SluiceError)) return error
  const kind = error.code.startsWith('budget/') ? 'other' : 'query'
  return new AskError({ kind, message: error.message, diagnostics: error.diagnostics.map(sentDiagnostic) })
}
