import { schemaOf } from '../../plan/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { MemoryStore } from '../../store/index.ts'
import type { Backend } from '../backend.ts'
import { drive } from './driver.ts'
import { ExprCompiler } from './expr/compile.ts'
import { explainPlanned, planOperators, type Planned } from './planner.ts'

/** Runs whole plans over a memory store's column segments. */
export function columnarBackend(store: MemoryStore, functions: Functions): Backend {
  return {
    name: 'columnar',
    accept: () => ({ kind: 'whole' }),
    prepare(plan, query) {
      const schema = schemaOf(plan)
      let last: Planned | undefined
      return {
        schema,
        explain: () => explainPlanned(plan, last),
        run() {
          const context = { store, functions, query, compiler: new ExprCompiler(functions) }
          last = planOperators(plan, context)
          return drive(last.operator, schema, query)
        },
      }
    },
  }
}
