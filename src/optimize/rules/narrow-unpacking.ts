import { fieldPattern, plainName, type Apply } from '../../plan/index.ts'
import { fieldMatcher, type FieldSet } from '../field-set.ts'
import { rewriteByNeeds } from '../needs-walk.ts'
import type { Rule, RuleContext } from '../rule.ts'

function narrowed(node: Apply, needs: FieldSet, { functions }: RuleContext): Apply {
  const member = functions.rows.get(node.fn)?.neededParam
  const { params, use } = node
  const names = needs.names()
  const isOpen = use.writes.some((pattern) => plainName(pattern) === undefined)
  if (member === undefined || names === undefined || !isOpen) return node
  if (params === null || typeof params !== 'object' || Array.isArray(params)) return node
  const plain = use.writes.flatMap((pattern) => plainName(pattern) ?? [])
  const isFound = fieldMatcher(use.writes.filter((pattern) => plainName(pattern) === undefined))
  const written = [...new Set([...plain, ...names.filter(isFound)])]
  return {
    ...node,
    params: Object.fromEntries([...Object.entries(params), [member, written]]),
    use: { ...use, writes: written.map((name) => fieldPattern(name)) },
  }
}

/** Restricts unpacking to the fields that are read, since the unpacked text may have very many names. */
export const narrowUnpacking: Rule = {
  name: 'narrow-unpacking',
  summary: 'A text is unpacked into the fields that someone above reads.',
  examples: {
    changes: '* | unpack_logfmt | stats by (status) count() as n',
    leaves: '* | unpack_logfmt | limit 5',
  },
  direction: 'whole',
  apply: (plan, context) =>
    rewriteByNeeds(plan, (node, needs) => (node.kind === 'apply' ? narrowed(node, needs, context) : node)),
}
