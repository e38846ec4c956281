import { nowhere, spanOf, type Diagnostic } from '../../base/index.ts'
import { inputs, visit, type LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint, LintContext } from '../lint.ts'
import { removeNoop } from '../rules/remove-noop.ts'
import { ignoreOrder } from '../rules/ignore-order.ts'

interface Useless {
  readonly node: LogicalPlan
  readonly pipe: string
  readonly why: string
}

const pipeNames: { readonly [K in LogicalPlan['kind']]?: string } = {
  project: 'fields',
  drop: 'delete',
  rename: 'rename',
  limit: 'limit',
  filter: 'filter',
  sort: 'sort',
}

function uselessAt(node: LogicalPlan, context: LintContext): Useless | undefined {
  const [input] = inputs(node)
  if (input === undefined) return undefined
  if (node.kind === 'limit' && node.limit !== undefined && node.limit > 0 && node.offset === 0) {
    if (input.kind === 'aggregate' && input.keys.length === 0) {
      return { node, pipe: 'limit', why: 'A `stats` without groups gives one row.' }
    }
  }
  const pipe = pipeNames[node.kind]
  // `*` at the start of a query is its filter, not a pipe.
  const isHead = node.kind === 'filter' && input.kind === 'scan'
  if (pipe !== undefined && !isHead && removeNoop.apply(node, context) === input) {
    return { node, pipe, why: 'Its rows are those of the stage before it.' }
  }
  if ((node.kind === 'aggregate' || node.kind === 'distinct') && input.kind === 'sort') {
    const next = ignoreOrder.apply(node, context)
    if (next !== node) {
      return { node: input, pipe: 'sort', why: 'What follows gives the same for rows in any order, and has its own.' }
    }
  }
  return undefined
}

/** Returns the span from the end of the previous pipe to the end of this pipe, which includes this pipe's `|`. */
function removal(node: LogicalPlan): { span: { start: number; end: number }; text: string; title: string } | undefined {
  const own = spanOf(node.origin)
  const before = spanOf(inputs(node)[0]?.origin ?? nowhere)
  if (own === undefined || before === undefined || before.end > own.start) return undefined
  return { span: { start: before.end, end: own.end }, text: '', title: 'Remove it' }
}

export const uselessPipe: Lint = {
  name: 'useless-pipe',
  summary: 'Every pipe does something.',
  check({ plan }, context) {
    const found: Diagnostic[] = []
    visit(plan, (node) => {
      const useless = uselessAt(node, context)
      if (useless === undefined) return
      const data = { pipe: useless.pipe, why: useless.why, removal: removal(useless.node) }
      found.push(lintDiagnostic('useless-pipe', data, useless.node.origin))
    })
    return found
  },
}
