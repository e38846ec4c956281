import type { Diagnostic, Origin } from '../../../base/index.ts'
import type { FunctionNames } from '../context.ts'
import { jsonDiagnostic } from '../diagnostics.ts'

export interface FromPlanOptions {
  readonly functions: FunctionNames
  /** Table of pipelines without a domain. Default: `logs`. */
  readonly table?: string | undefined
  /** Aliases of the table's fields, and its text field. */
  readonly aliases?: ReadonlyMap<string, string> | undefined
  readonly textField?: string | undefined
}

/** Reports parts of a plan that a pipeline cannot hold. */
export class FromPlanNotes {
  readonly diagnostics: Diagnostic[] = []
  readonly options: FromPlanOptions

  constructor(options: FromPlanOptions) {
    this.options = options
  }

  /** `what` completes "A pipeline cannot hold …", `instead` is a sentence. */
  fail(what: string, instead: string, origin: Origin): void {
    this.diagnostics.push(jsonDiagnostic('no-pipeline', { what, instead }, origin))
  }
}
