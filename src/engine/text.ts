import { isError, throwIfErrors, type Diagnostic } from '../base/index.ts'
import { lower, parse, type LogLimits } from '../lang/log/index.ts'
import type { Catalog, Dialect, LogicalPlan } from '../plan/index.ts'

export interface TextOptions {
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly table: string | undefined
  /** "Now" of relative times. */
  readonly nowNs: bigint
  readonly limits: Partial<LogLimits> | undefined
  /** Stats functions that may be called. */
  readonly functionNames: readonly string[]
}

export interface TextPlan {
  /** Unbound. */
  readonly plan: LogicalPlan
  /** Warnings of the parser. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The plan of a query text, names unresolved. Throws SluiceError with every syntax error there is. */
export function planOfText(text: string, options: TextOptions): TextPlan {
  const { dialect, catalog, nowNs, limits, functionNames } = options
  const { ast, diagnostics } = parse(text, { dialect, limits, functionNames })
  throwIfErrors(diagnostics)
  const table = options.table ?? catalog.defaultTable
  const plan = lower(ast, { dialect, nowNs, table, textField: catalog.tables.get(table)?.textField })
  return { plan, diagnostics: diagnostics.filter((each) => !isError(each)) }
}
