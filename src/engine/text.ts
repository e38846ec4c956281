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
  /** "Now" of relative times. */
  readonly nowNs: bigint
  /** As `PlanOptions.zone`. */
  readonly zone: string | undefined
  readonly limits: Partial<LogLimits> | undefined
  /** Stats functions that may be called. */
  readonly functionNames: readonly string[]
  readonly vocabulary: Vocabulary
  readonly parameters?: Parameters | undefined
  /** Filters in the same dialect that rows of the query and of all queries inside must meet as well. */
  readonly extraFilters?: readonly string[] | undefined
}

export interface TextPlan {
  /** Unbound. */
  readonly plan: LogicalPlan
  /** Warnings of the parser. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The first filter comes first. Throws SluiceError for one that cannot be read; positions are those of its own text. */
function withExtraFilters(query: Query, { extraFilters = [], dialect, limits }: TextOptions): Query {
  return extraFilters.toReversed().reduce((changed, text) => {
    const { ast, diagnostics } = parseFilter(text, { dialect, limits })
    throwIfErrors(diagnostics)
    return ast === undefined ? changed : withExtraFilter(changed, ast)
  }, query)
}

/** The plan of a query text, names unresolved. Throws SluiceError with every syntax error there is. */
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
    // The empty name is looked up when names are bound: a table may have no such field.
    textField: catalog.tables.get(table)?.textField ?? '',
  })
  return { plan, diagnostics: diagnostics.filter((each) => !isError(each)) }
}

/** Diagnostics whose fixes are looked at when asked for: those stay after which the text can be read. */
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
