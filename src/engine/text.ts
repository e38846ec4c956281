import { applyFix, isError, saidOnce, throwIfErrors, type Diagnostic, type Fix } from '../base/index.ts'
import {
  lower,
  parse,
  parseFilter,
  withExtraFilter,
  type LogLimits,
  type Parameters,
  type Query,
  type Vocabulary,
} from '../lang/log/index.ts'
import type { Catalog, Dialect, LogicalPlan } from '../plan/index.ts'

export interface TextOptions {
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly table: string | undefined
  /** Current time for relative times, ns since 1970. */
  readonly nowNs: bigint
  /** Time zone for times without one; see `PlanOptions.zone`. */
  readonly zone: string | undefined
  readonly limits: Partial<LogLimits> | undefined
  /** Names of the stats functions that the text may call. */
  readonly functionNames: readonly string[]
  readonly vocabulary: Vocabulary
  readonly parameters?: Parameters | undefined
  /** Further filters that the rows of all scans must match, in the same dialect. */
  readonly extraFilters?: readonly string[] | undefined
}

export interface TextPlan {
  /** The plan before names are bound. */
  readonly plan: LogicalPlan
  /** Warnings of the parser. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Adds the extra filters to the query's own. Throws SluiceError for an invalid extra filter; its positions refer to the
 * text of that filter.
 */
function withExtraFilters(query: Query, { extraFilters = [], dialect, limits }: TextOptions): Query {
  return extraFilters.toReversed().reduce((changed, text) => {
    const { ast, diagnostics } = parseFilter(text, { dialect, limits })
    throwIfErrors(diagnostics)
    return ast === undefined ? changed : withExtraFilter(changed, ast)
  }, query)
}

/** Returns the plan of a query text before names are resolved. Throws SluiceError with all syntax errors. */
export function planOfText(text: string, options: TextOptions): TextPlan {
  const { dialect, catalog, nowNs, zone, limits, functionNames, vocabulary, parameters } = options
  const { ast, diagnostics } = parse(text, { dialect, limits, functionNames, vocabulary, parameters })
  throwIfErrors(saidOnce(diagnostics))
  const table = options.table ?? catalog.defaultTable
  const plan = lower(withExtraFilters(ast, options), {
    dialect,
    nowNs,
    zone,
    table,
    tables: catalog.tables,
    // The empty name is resolved by binding, because the table may have no text field.
    textField: catalog.tables.get(table)?.textField ?? '',
  })
  return { plan, diagnostics: diagnostics.filter((each) => !isError(each)) }
}

/** Returns diagnostics without the fixes after which the text would not parse. Each fix is checked when it is read. */
export function withReadableFixes(
  text: string,
  diagnostics: readonly Diagnostic[],
  errorsOf: (text: string) => readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { fixes: given } = diagnostic
    if (given.length === 0) return diagnostic
    let fixes: readonly Fix[] | undefined
    return {
      ...diagnostic,
      get fixes() {
        fixes ??= given.filter((fix) => errorsOf(applyFix(text, fix)).length === 0)
        return fixes
      },
    }
  })
}
