import type { Diagnostic } from '../../../base/index.ts'

/** What is wrong with a metric pipeline; thrown out of the depth of the conversion. */
export class PipelineFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}
