import { SluiceError, nowhere, type Diagnostic, type Origin } from '../base/index.ts'
import { resourceDiagnostic, type ResourceFailure } from './diagnostics.ts'

type Code = (typeof resourceDiagnostic.codes)[number]
type DataOf<K extends Code> = Parameters<typeof resourceDiagnostic<K>>[1]

/** An error of the documents API, with the kind of failure. */
export class ResourceError extends SluiceError {
  override readonly name = 'ResourceError'
  readonly failure: ResourceFailure

  constructor(failure: ResourceFailure, diagnostics: readonly Diagnostic[]) {
    super(diagnostics)
    this.failure = failure
  }
}

export function refusal<K extends Code>(
  failure: ResourceFailure,
  what: K,
  data: DataOf<K>,
  where: Origin = nowhere,
): ResourceError {
  return new ResourceError(failure, [resourceDiagnostic(what, data, where)])
}
