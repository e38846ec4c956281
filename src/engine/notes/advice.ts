import { SluiceError, always, type Diagnostic } from '../../base/index.ts'
import { askedReads, nameAdvice, sourceReads, type SourceRead } from '../../analyze/index.ts'
import type { Backend } from '../../backends/index.ts'
import type { KnownFields, LogicalPlan } from '../../plan/index.ts'
import { compilePlan, type CompileOptions, type CompiledPlan } from '../compile.ts'
import { answers, readKnownFields, type ReadRows } from './read-names.ts'

function byTable(reads: readonly SourceRead[]): ReadonlyMap<string, readonly SourceRead[]> {
  return Map.groupBy(reads, ({ table }) => table)
}

/**
 * Returns the facts that a table knows without reading rows. `undefined` for a caller with a scope, because the facts
 * include hidden rows.
 */
function direct(table: string, owner: Backend, { scope }: CompileOptions) {
  return scope === undefined ? owner.tables?.get(table)?.knownFields?.() : undefined
}

/**
 * Returns advice on the names in a plan without reading rows: fields that no row has, and values that do not occur in a
 * field with few values. Empty if the table does not know all its rows, or the caller has a scope.
 */
export function adviceAtOnce(
  plan: LogicalPlan,
  owner: Backend | undefined,
  options: CompileOptions,
  text?: string,
): readonly Diagnostic[] {
  if (owner === undefined || options.lint === 'off') return []
  const knownOf = (table: string): KnownFields | undefined => {
    const known = direct(table, owner, options)
    return known instanceof Promise || known?.isWhole !== true ? undefined : known
  }
  return nameAdvice(askedReads(sourceReads(plan)), knownOf, text)
}

/**
 * Treats a field as undeclared if the table is read from files, which declare no columns, and the query text names the
 * field. Fields that a query only implies, such as those of `stream_context`, stay declared.
 */
function asOfFiles(read: SourceRead, { tables }: Backend, text: string | undefined): SourceRead {
  const table = tables?.get(read.table)
  if (table?.readFields === undefined || text?.includes(read.field) !== true) return read
  const { timeField, textField } = table.definition
  return { ...read, isDeclared: read.field === timeField || read.field === textField }
}

/**
 * Returns advice on the names in a plan, from rows that the caller may see. Reads rows only if the table lacks the
 * facts.
 */
export async function adviceOnNames(
  { bound }: CompiledPlan,
  owner: Backend,
  options: CompileOptions,
  /** Runs a compiled plan and returns its rows. */
  run: (compiled: CompiledPlan, options: CompileOptions) => ReturnType<ReadRows>,
  text?: string,
): Promise<readonly Diagnostic[]> {
  if (options.lint === 'off') return []
  const reads = askedReads(sourceReads(bound).map((read) => asOfFiles(read, owner, text)))
  const known = new Map<string, KnownFields>()
  const limits = { ...options.limits, timeoutMs: options.limits.adviceMs }
  const readRows: ReadRows = (plan) => {
    const quiet: CompileOptions = { ...options, limits, range: always, lint: 'off' }
    return run(compilePlan(plan, quiet), quiet)
  }
  for (const [table, asked] of byTable(reads)) {
    // The rows of the answer usually have all requested fields. If so, nothing more is read.
    const met = options.scope === undefined ? owner.tables?.get(table)?.readFields?.() : undefined
    if (met !== undefined && answers(met, asked)) continue
    try {
      const fromTable = await direct(table, owner, options)
      if (fromTable?.isWhole !== true && options.limits.adviceMs === 0) continue
      const found =
        fromTable?.isWhole === true
          ? fromTable
          : await readKnownFields(table, asked, options.catalog, readRows, fromTable)
      if (found !== undefined) known.set(table, found)
    } catch (error) {
      // Advice that exceeds its limits is omitted, because the query itself has been answered.
      if (!(error instanceof SluiceError)) throw error
    }
  }
  return nameAdvice(reads, (table) => known.get(table), text)
}
