import type { LogicalPlan } from '../../plan/index.ts'
import type { CompiledPlan, EngineLimits, QueryResult } from '../../engine/index.ts'
import type { DataScope } from '../../policy/index.ts'
import type { Question } from './questions.ts'
import type { ScopeBackend, ScopeSubject } from './subject.ts'

/** Somebody who asks: a subject, and what they may see of it. */
export interface Asker {
  /** Throws SluiceError with every error that the plan has. */
  compile(plan: LogicalPlan, question: Question): CompiledPlan
  ask(
    compiled: CompiledPlan,
    question: Question,
    backend: ScopeBackend,
    limits: Partial<EngineLimits> | undefined,
  ): QueryResult
}

export function askerOf({ engines }: ScopeSubject, scope: DataScope | undefined): Asker {
  return {
    // One plan for both engines, as their catalogs are the same.
    compile: (plan, { range, dialect, nowNs }) => engines.columnar.compilePlan(plan, { range, dialect, nowNs, scope }),
    ask: (compiled, { range, dialect, nowNs }, backend, limits) =>
      engines[backend].queryCompiled(compiled, { range, dialect, nowNs, scope, limits }),
  }
}
