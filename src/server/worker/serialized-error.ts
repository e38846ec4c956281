import { CommandError, SluiceError, type Diagnostic } from '../../base/index.ts'
import { HttpFault } from '../errors/http-fault.ts'

/** An error that can be posted to another thread. */
export type SerializedError =
  | {
      readonly kind: 'fault'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly diagnostics: readonly Diagnostic[]
    }
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'command'; readonly message: string; readonly exitCode: CommandError['exitCode'] }
  | { readonly kind: 'other'; readonly stack: string }

export function serializedError(error: unknown): SerializedError {
  if (error instanceof HttpFault) {
    const { status, headers, diagnostics } = error
    return { kind: 'fault', status, headers, diagnostics }
  }
  if (error instanceof SluiceError) return { kind: 'diagnostics', diagnostics: error.diagnostics }
  if (error instanceof CommandError) return { kind: 'command', message: error.message, exitCode: error.exitCode }
  return { kind: 'other', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** Recreates an error that another thread has serialized. */
export function errorOf(serialized: SerializedError): Error {
  switch (serialized.kind) {
    case 'fault':
      return new HttpFault(serialized.status, serialized.diagnostics, serialized.headers)
    case 'diagnostics':
      return new SluiceError(serialized.diagnostics)
    case 'command':
      return new CommandError(serialized.message, serialized.exitCode)
    case 'other': {
      const error = new Error(serialized.stack.split('\n', 1)[0])
      error.stack = serialized.stack
      return error
    }
  }
}
