import { always, throwIfErrors } from '../base/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { lowerSearch, type FunctionNames } from '../lang/json/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { decode, pipeline } from '../wire/index.ts'

const { stats, scalar } = standardFunctions

/** The names that the bodies of the fuzz queries may use. */
export const pipelineFunctions: FunctionNames = {
  stats: (name) => stats.get(name)?.name,
  scalar: (name) => scalar.get(name)?.name,
  all: () => [...stats.names(), ...scalar.names()],
}

/** Decodes and lowers a body; the range is the asker's to set. Throws SluiceError when it has errors. */
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
