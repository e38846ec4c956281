import {
  EXCERPT_CHARS,
  KEPT_EXAMPLES,
  MAX_FAULTS,
  SluiceError,
  isError,
  lineColumnAt,
  nowhere,
  printJsonPath,
  spanOf,
  present,
  type Diagnostic,
  type JsonPath,
} from '../../base/index.ts'
import { MAX_ERROR_BYTES, type ErrorDiagnostic, type ErrorResponse } from '../../wire/index.ts'
import { STATUS, serverDiagnostic } from './diagnostics.ts'
import { ResourceError } from '../../resources/index.ts'
import { HttpFault } from './http-fault.ts'
import { FAILURE_STATUS } from './failure-status.ts'

/** Maximum length of an error message, UTF-16 units. */
export const MAX_MESSAGE = 600

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [408, 'timeout'],
  [409, 'conflict'],
  [412, 'precondition_failed'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
  [417, 'expectation_failed'],
  [421, 'misdirected'],
  [422, 'unprocessable'],
  [429, 'too_many_requests'],
  [431, 'too_large'],
  [500, 'internal'],
  [503, 'unavailable'],
  [507, 'no_space'],
])

export interface ErrorContext {
  readonly traceId: string
  /** Text that spans refer to, with the name of its member in the request. */
  readonly source?: { readonly text: string; readonly member: string } | undefined
}

/** A formatted error. The clients of some routes need additional members or other content types. */
export interface ShapedError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A string or bytes are sent unchanged, with the content type in the headers; other values are sent as JSON. */
  readonly body: object | string | Uint8Array
}

export interface ErrorAnswer extends ShapedError {
  readonly body: ErrorResponse
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Shortens names in a path, since they may come from the client. */
function shortPath(path: JsonPath): JsonPath {
  return path.map((step) => (typeof step === 'string' ? cut(step, EXCERPT_CHARS) : step))
}

/** Shortens client input that a message repeats. All such input is among the parameters of the message, in `data`. */
function shortenEchoes(text: string, data: unknown): string {
  const echoes = new Set<string>()
  const pending: unknown[] = [data]
  for (let next = pending.pop(); next !== undefined && echoes.size < 100; next = pending.pop()) {
    if (typeof next === 'string') {
      // For another product's message, the only parameter is the whole message.
      if (next.length > EXCERPT_CHARS && next !== text) echoes.add(next)
    } else if (typeof next === 'object' && next !== null) {
      for (const value of Object.values(next)) if (value !== undefined) pending.push(value)
    }
  }
  let short = text
  for (const echo of echoes) short = short.replaceAll(echo, () => cut(echo, EXCERPT_CHARS))
  return cut(short, MAX_MESSAGE)
}

function toErrorDiagnostic(diagnostic: Diagnostic, source: ErrorContext['source']): ErrorDiagnostic {
  const { code, severity, origin } = diagnostic
  const span = spanOf(origin)
  const shorten = (text: string): string => shortenEchoes(text, diagnostic.data)
  const fixes = diagnostic.fixes
    .filter((fix) => fix.edits.every((edit) => edit.text.length <= MAX_MESSAGE))
    .slice(0, KEPT_EXAMPLES)
    .map((fix) => ({
      title: shorten(fix.title),
      edits: fix.edits.map((edit) => ({ start: edit.span.start, end: edit.span.end, text: edit.text })),
      isSafe: fix.isSafe,
    }))
  const notes = diagnostic.notes.slice(0, KEPT_EXAMPLES).map(shorten)
  return {
    code,
    severity,
    message: shorten(diagnostic.message),
    ...(origin.kind === 'json' ? { path: cut(printJsonPath(shortPath(origin.path)), MAX_MESSAGE) } : {}),
    ...(span !== undefined && source !== undefined
      ? { path: source.member, span: { ...span, ...lineColumnAt(source.text, span.start) } }
      : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
  }
}

/** Diagnostics for a successful answer; spans refer to `source`. */
export function sentDiagnostics(
  diagnostics: readonly Diagnostic[],
  source: ErrorContext['source'],
): readonly ErrorDiagnostic[] {
  return diagnostics.slice(0, MAX_FAULTS).map((diagnostic) => toErrorDiagnostic(diagnostic, source))
}

function sizeOf(body: ErrorResponse): number {
  return Buffer.byteLength(JSON.stringify(body))
}

/** Removes fixes, then notes, then diagnostics from the end, until the body fits. */
function fit(body: ErrorResponse): ErrorResponse {
  let fitted = body
  const withDiagnostics = (diagnostics: readonly ErrorDiagnostic[], more = fitted.details.more): ErrorResponse => ({
    ...fitted,
    details: { diagnostics: [...diagnostics], ...(more === undefined ? {} : { more }) },
  })
  if (sizeOf(fitted) > MAX_ERROR_BYTES)
    fitted = withDiagnostics(fitted.details.diagnostics.map((diagnostic) => ({ ...diagnostic, fixes: undefined })))
  if (sizeOf(fitted) > MAX_ERROR_BYTES)
    fitted = withDiagnostics(fitted.details.diagnostics.map((diagnostic) => ({ ...diagnostic, notes: undefined })))
  while (sizeOf(fitted) > MAX_ERROR_BYTES && fitted.details.diagnostics.length > 0) {
    fitted = withDiagnostics(fitted.details.diagnostics.slice(0, -1), (fitted.details.more ?? 0) + 1)
  }
  return fitted
}

/** Error codes of unreachable databases and disks. */
const AWAY: ReadonlySet<string> = new Set([
  'catalog/is-away',
  'durable/read-failed',
  'foreign/connect',
  'foreign/no-file',
  'foreign/no-source',
  'foreign/statement-failed',
  'sql/process-died',
  'sql/statement-failed',
])
const AWAY_SECONDS = '5'

/** True if an error comes from a database or disk that may become available again. */
export function isAway(error: unknown): boolean {
  return error instanceof SluiceError && AWAY.has(error.code)
}

function statusOf(error: SluiceError): number {
  if (error instanceof HttpFault) return error.status
  if (isAway(error)) return 503
  return error instanceof ResourceError ? FAILURE_STATUS[error.failure] : 400
}

/**
 * Returns the envelope of an answer that is not a success. The client receives only diagnostics; of any other error it
 * receives only the trace id.
 */
export function toErrorResponse(error: unknown, context: ErrorContext): ErrorAnswer {
  const isOurs = error instanceof SluiceError && error.diagnostics.length > 0
  const all = isOurs ? error.diagnostics : [serverDiagnostic('internal', { traceId: context.traceId }, nowhere)]
  const status = isOurs ? statusOf(error) : STATUS.internal
  const first = present(all.find(isError) ?? all[0])
  const diagnostics = all.slice(0, MAX_FAULTS).map((diagnostic) => toErrorDiagnostic(diagnostic, context.source))
  const more = all.length - diagnostics.length
  const body: ErrorResponse = {
    message: shortenEchoes(first.message, first.data),
    code: first.code,
    type: TYPES.get(status) ?? (status < 500 ? 'invalid_request' : 'internal'),
    details: { diagnostics, ...(more > 0 ? { more } : {}) },
    trace_id: context.traceId,
  }
  const headers = error instanceof HttpFault ? error.headers : isAway(error) ? { 'Retry-After': AWAY_SECONDS } : {}
  return { status, headers, body: fit(body) }
}
