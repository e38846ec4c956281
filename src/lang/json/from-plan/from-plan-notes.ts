import type { Diagnostic, Origin } from '../../../base/index.ts'
import type { FunctionNames } from '../context.ts'
import { jsonDiagnostic } from '../diagnostics.ts'

export interface FromPlanOptions {
  readonly functions: FunctionNames
  /** Table that a pipeline without a domain reads. Default: `logs`. */
  readonly table?: string | undefined
  /** Field aliases of the table, by alias; `textField` is the name of its main text field. */
  readonly aliases?: ReadonlyMap<string, string> | undefined
  readonly textField?: string | undefined
}

/** Collects diagnostics for parts of a plan that a pipeline cannot express. */
export class FromPlanNotes {
  readonly diagnostics: Diagnostic[] = []
  readonly options: FromPlanOptions

  constructor(options: FromPlanOptions) {
    this.options = options
  }

  /**
   * Reports an error. `what` completes the sentence "A pipeline cannot hold …"; `instead` is a sentence with the
   * alternative.
   */
  fail(what: string, instead: string, origin: Origin): void {
    this.diagnostics.push(jsonDiagnostic('no-pipeline', { what, instead }, origin))
  }
}
