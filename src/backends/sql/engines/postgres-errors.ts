import { SluiceError, budgetDiagnostic, nowhere, type Budget } from '../../../base/index.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'

export const ENGINE = 'PostgreSQL'

/** Messages by error code. No message contains a part of an address, a password or a row. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known at the moment',
  ETIMEDOUT: 'the server does not answer',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  '28000': 'the user is refused',
  '28P01': 'the user or the password is refused',
  '3D000': 'there is no such database',
  '3F000': 'there is no such schema',
  '42P01': 'there is no such table',
  '42703': 'a column is missing',
  '42501': 'the user may not read it',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P02': 'it is shutting down',
  '57P03': 'it is starting up',
  '57P05': 'it ended a session that had waited too long',
}

/** Messages by error class, which is the first two characters of the SQLSTATE (the standard code of SQL errors). */
const classes: Readonly<Record<string, string>> = {
  '08': 'the connection is lost',
  '22': 'a stored value is not what its type says',
  '25': 'the transaction may only read',
  '40': 'the transaction was rolled back',
  '42': 'the statement does not suit its tables',
  '53': 'it lacks a resource',
  '54': 'the statement is beyond its limits',
  '57': 'an operator of the server ended it',
  '58': 'its disk failed',
}

export function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/**
 * Returns a message that depends only on the error's code. The server's own message may quote a stored value that a
 * data scope hides.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const reason = reasons[code] ?? (code.length === 5 ? classes[code.slice(0, 2)] : undefined)
  if (reason === undefined) return code === '' ? 'the connection is lost' : `error ${code}`
  return code.length === 5 ? `${reason} (${code})` : reason
}

export function connectError(error: unknown): SluiceError {
  const message = error instanceof Error ? error.message : ''
  const isFull = message.startsWith('timeout exceeded when trying to connect')
  const reason = isFull ? 'no connection became free in time' : reasonOf(error)
  return new SluiceError([foreignDiagnostic('connect', { engine: ENGINE, reason }, nowhere)])
}

export function budgetError(code: 'cancelled' | 'deadline', { limits }: Budget): SluiceError {
  const diagnostic =
    code === 'cancelled'
      ? budgetDiagnostic('cancelled', {}, nowhere)
      : budgetDiagnostic('deadline', { timeoutMs: limits.timeoutMs }, nowhere)
  return new SluiceError([diagnostic])
}

export function noSource(source: string, reason: string): SluiceError {
  return new SluiceError([foreignDiagnostic('no-source', { source, reason }, nowhere)])
}

const OUT_OF_RANGE = '22003'

export function statementFailed(error: unknown): SluiceError {
  const diagnostic =
    codeOf(error) === OUT_OF_RANGE
      ? foreignDiagnostic('out-of-range', { engine: ENGINE }, nowhere)
      : foreignDiagnostic('statement-failed', { engine: ENGINE, reason: reasonOf(error) }, nowhere)
  return new SluiceError([diagnostic])
}
