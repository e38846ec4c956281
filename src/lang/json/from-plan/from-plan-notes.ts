import type { Diagnostic, Origin } from '../../../base/index.ts'
import type { FunctionNames } from '../context.ts'
import { jsonDiagnostic } from '../diagnostics.ts'

export interface FromPlanOptions {
  readonly functions: FunctionNames
  /** The table of pipelines that name no domain; `logs` unless given. */
  readonly table?: string | undefined
  /** Other names of the table's fields, and the field that bare words search. */
  readonly aliases?: ReadonlyMap<string, string> | undefined
  readonly textField?: string | undefined
}

/** Where the plan of a text says more than a pipeline can. */
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
