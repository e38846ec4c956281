import {
  SluiceError,
  isError,
  nearestNames,
  nowhere,
  saidOnce,
  throwIfErrors,
  checkpoint,
  type Diagnostic,
  type Interval,
} from '../base/index.ts'
import { bind } from '../analyze/index.ts'
import type { Schema } from '../data/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import {
  lints,
  optimize,
  rules,
  runLints,
  type Lint,
  type LintContext,
  type OptimizerStep,
  type Rule,
} from '../optimize/index.ts'
import {
  hidesRows,
  subqueries,
  visit,
  type Catalog,
  type Dialect,
  type LogicalPlan,
  type TableApply,
} from '../plan/index.ts'
import { applyScope, verifyScope, type DataScope } from '../policy/index.ts'
import { engineDiagnostic } from './diagnostics.ts'
import type { EngineLimits } from './limits.ts'
import { withRange } from './range.ts'

/** Treatment of lints. `off` hides them, `warn` reports them, and `enforce` refuses a query that has one. */
export type LintPolicy = 'off' | 'warn' | 'enforce'

export interface CompileOptions {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
  readonly limits: EngineLimits
  readonly range: Interval
  readonly dialect: Dialect
  readonly table: string | undefined
  readonly scope: DataScope | undefined
  /** Names of optimizer rules to skip; `*` skips all rules. */
  readonly disabledRules: readonly string[]
  readonly lint: LintPolicy
  readonly disabledLints: readonly string[]
  /** Estimates row counts for lints; see `LintContext.rowsIn`. */
  readonly rowsIn?: LintContext['rowsIn']
  /** Rules that run after the standard ones. */
  readonly rules?: readonly Rule[]
  readonly lints?: readonly Lint[]
}

/** A compiled plan with its diagnostics and properties. */
export interface CompiledPlan {
  /** The plan with names bound and guards applied, before any optimizer rule. */
  readonly bound: LogicalPlan
  readonly optimized: LogicalPlan
  readonly steps: readonly OptimizerStep[]
  readonly schema: Schema
  /** Time range by which `rate()` divides. */
  readonly timeRange: Interval
  readonly diagnostics: readonly Diagnostic[]
}

function lintContext(options: CompileOptions): LintContext {
  const { catalog, functions, limits } = options
  return {
    functions,
    timeFieldOf: (table) => catalog.tables.get(table)?.timeField,
    textFieldOf: (table) => catalog.tables.get(table)?.textField,
    wideRangeNs: limits.wideRangeNs,
    manyRows: limits.manyRows,
    costlyRows: limits.costlyRows,
    rowsIn: options.rowsIn,
  }
}

function checkRules({ disabledRules: names, rules: own = [] }: CompileOptions): void {
  const known = [...rules, ...own].map((rule) => rule.name)
  const unknown = names.filter((name) => name !== '*' && !known.includes(name))
  if (unknown.length === 0) return
  throw new SluiceError(
    unknown.map((name) => engineDiagnostic('unknown-rule', { name, near: nearestNames(name, known) }, nowhere)),
  )
}

/** Applies the optimizer rules to a bound plan. */
export function optimizePlan(plan: LogicalPlan, options: CompileOptions, steps: OptimizerStep[] = []): LogicalPlan {
  checkRules(options)
  return optimize(plan, {
    context: lintContext(options),
    rules: options.rules === undefined ? rules : [...rules, ...options.rules],
    disabled: options.disabledRules,
    maxPasses: options.limits.optimizerPasses,
    observe: (step) => steps.push(step),
  })
}

function refused(warning: Diagnostic): Diagnostic {
  return { ...warning, severity: 'error' }
}

/**
 * Throws `engine/not-under-scope` for functions that show how rows are stored, because they would reveal rows that a
 * guard hides.
 */
function refusePhysical(plan: LogicalPlan, { tables }: FunctionDefinitions): void {
  if (!hidesRows(plan)) return
  const found: TableApply[] = []
  const visitFrom = (subplan: LogicalPlan): void =>
    visit(subplan, (node) => {
      if (node.kind === 'table-apply' && tables.get(node.fn)?.physical !== undefined) found.push(node)
      for (const inner of subqueries(node)) visitFrom(inner)
    })
  visitFrom(plan)
  throwIfErrors(found.map(({ fn, origin }) => engineDiagnostic('not-under-scope', { name: fn }, origin)))
}

/**
 * Compiles a plan: applies range, binding, scope, rules and lints, in this order. All names are bound before the scope
 * is applied, and no rule runs before it. Throws SluiceError if the plan has errors, or warnings that the lint policy
 * turns into errors.
 */
export function compilePlan(plan: LogicalPlan, options: CompileOptions): CompiledPlan {
  const { plan: named, schema, timeRange, diagnostics } = bind(withRange(plan, options.range), options)
  throwIfErrors(saidOnce(diagnostics))
  checkpoint()
  const bound = options.scope === undefined ? named : applyScope(named, options.scope)
  if (options.scope !== undefined) refusePhysical(bound, options.functions)
  const steps: OptimizerStep[] = []
  const optimized = optimizePlan(bound, options, steps)
  if (options.scope !== undefined) verifyScope(optimized, options.scope)
  // Advice from data is omitted under a scope, because it could reveal hidden rows. Lints see neither guards nor data.
  const advice =
    options.lint === 'off'
      ? []
      : runLints({ plan: bound, optimized, range: options.range }, lintContext(options), options.disabledLints, [
          ...lints,
          ...(options.lints ?? []),
        ])
  if (options.lint === 'enforce') {
    throwIfErrors(advice.filter((each) => each.severity === 'warning').map(refused))
  }
  return {
    bound,
    optimized,
    steps,
    schema,
    timeRange,
    diagnostics: saidOnce([...diagnostics.filter((each) => !isError(each)), ...advice]),
  }
}
