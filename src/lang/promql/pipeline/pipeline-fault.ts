import type { Diagnostic } from '../../../base/index.ts'

/** An error in a metric pipeline, thrown inside the conversion and caught by its entry function. */
export class PipelineFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}
