import type { Diagnostic } from '../../../base/index.ts'

/** An error of a metric pipeline, thrown from deep inside the conversion. */
export class PipelineFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}
