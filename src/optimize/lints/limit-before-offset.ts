import { spanOf, type Diagnostic, type Fix } from '../../base/index.ts'
import { visit, type Limit } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

function swapped(limit: Limit, offset: Limit): { edits: Fix['edits'] } | undefined {
  const first = spanOf(limit.origin)
  const second = spanOf(offset.origin)
  if (first === undefined || second === undefined || first.end > second.start) return undefined
  return {
    edits: [
      { span: first, text: `offset ${offset.offset}` },
      { span: second, text: `limit ${limit.limit}` },
    ],
  }
}

export const limitBeforeOffset: Lint = {
  name: 'limit-before-offset',
  summary: 'A page skips rows first and cuts then.',
  check({ plan }) {
    const found: Diagnostic[] = []
    visit(plan, (node) => {
      if (node.kind !== 'limit' || node.offset === 0 || node.limit !== undefined || node.input.kind !== 'limit') return
      const inner = node.input
      if (inner.limit === undefined || inner.offset > 0) return
      const data = { limit: inner.limit, offset: node.offset, swap: swapped(inner, node) }
      found.push(lintDiagnostic('limit-before-offset', data, node.origin))
    })
    return found
  },
}
