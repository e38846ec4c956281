import { always, throwIfErrors, type Interval } from '../../../src/base/index.ts'
import { bind } from '../../../src/analyze/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { lower, parse } from '../../../src/lang/log/index.ts'
import { optimize } from '../../../src/optimize/index.ts'
import { intersect } from '../../../src/base/index.ts'
import { rewriteUp, type LogicalPlan } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'

/** Returns the plan that the engine passes to a backend: parsed, bound and optimized. */
export function planOf(query: string, range: Interval = always): LogicalPlan {
  const { ast, diagnostics } = parse(query, {
    dialect: 'native',
    functionNames: standardFunctions.stats.all.map((f) => f.name),
  })
  throwIfErrors(diagnostics)
  const lowered = lower(ast, { dialect: 'native', nowNs: 0n, table: 'logs', textField: 'content' })
  const ranged = rewriteUp(lowered, (node) =>
    node.kind === 'scan' ? { ...node, range: intersect(node.range, range) } : node,
  )
  const bound = bind(ranged, { catalog: standardCatalog, functions: standardFunctions })
  throwIfErrors(bound.diagnostics)
  const tables = standardCatalog.tables
  return optimize(bound.plan, {
    context: {
      functions: standardFunctions,
      timeFieldOf: (table) => tables.get(table)?.timeField,
      textFieldOf: (table) => tables.get(table)?.textField,
    },
  })
}
