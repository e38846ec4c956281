import { always, throwIfErrors } from '../../base/index.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { lowerSearch, planToPipeline, type FunctionNames, type PlanPipeline } from '../../lang/json/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { decode, pipeline } from '../../wire/index.ts'

/** The function names that the bodies of fuzz queries may use. */
export const pipelineFunctions: FunctionNames = functionNamesOf(standardFunctions)

/** Decodes and lowers a body. The caller sets the time range. Throws a SluiceError when the body has errors. */
export function planOfPipeline(body: unknown): LogicalPlan {
  const { plan, diagnostics } = lowerSearch({
    table: 'logs',
    query: undefined,
    filters: undefined,
    sources: undefined,
    pipeline: decode(pipeline, body),
    range: always,
    functions: pipelineFunctions,
  })
  throwIfErrors(diagnostics)
  return plan
}

/** Returns an unbound plan as a pipeline over the records of the fuzz queries. */
export function pipelineOfPlan(plan: LogicalPlan): PlanPipeline {
  const table = standardCatalog.tables.get('logs')
  return planToPipeline(plan, {
    functions: pipelineFunctions,
    aliases: table?.aliases,
    textField: table?.textField,
  })
}
