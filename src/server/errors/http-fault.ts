import { SluiceError, nowhere, type Diagnostic } from '../../base/index.ts'
import { STATUS, serverDiagnostic, type ServerCode } from './diagnostics.ts'

/** An error with an HTTP status other than 400. */
export class HttpFault extends SluiceError {
  override readonly name = 'HttpFault'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, diagnostics: readonly Diagnostic[], headers: Readonly<Record<string, string>> = {}) {
    super(diagnostics)
    this.status = status
    this.headers = headers
  }
}

type DataOf<K extends ServerCode> = Parameters<typeof serverDiagnostic<K>>[1]

/** Creates an error with a code of this module and the code's status. */
export function fault<K extends ServerCode>(
  what: K,
  data: DataOf<K>,
  headers?: Readonly<Record<string, string>>,
): HttpFault {
  return new HttpFault(STATUS[what], [serverDiagnostic(what, data, nowhere)], headers)
}

/** Creates an error for the clients of another product, whose message is that product's own message. */
export function refusal(text: string, status = 400): HttpFault {
  return new HttpFault(status, [serverDiagnostic('refusal', { text }, nowhere)])
}
