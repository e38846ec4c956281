import type { LogicalPlan } from '../../plan/index.ts'
import type { CompiledPlan, EngineLimits, QueryResult } from '../../engine/index.ts'
import type { DataScope } from '../../policy/index.ts'
import type { ScopeQuestion } from './questions.ts'
import type { ScopeBackend, ScopeSubject } from './subject.ts'

/** Engines with the permissions of one caller. */
export interface View {
  /** Compiles a plan. Throws a SluiceError with every error of the plan. */
  compile(plan: LogicalPlan, question: ScopeQuestion): CompiledPlan
  run(
    compiled: CompiledPlan,
    question: ScopeQuestion,
    backend: ScopeBackend,
    limits: Partial<EngineLimits> | undefined,
  ): QueryResult
}

export function viewOf({ engines }: ScopeSubject, scope: DataScope | undefined): View {
  return {
    // Both engines share one plan, because their catalogs are equal.
    compile: (plan, { range, dialect, nowNs }) => engines.columnar.compilePlan(plan, { range, dialect, nowNs, scope }),
    run: (compiled, { range, dialect, nowNs }, backend, limits) =>
      engines[backend].queryCompiled(compiled, { range, dialect, nowNs, scope, limits }),
  }
}
