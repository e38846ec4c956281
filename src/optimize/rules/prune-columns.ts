import type { Scan } from '../../plan/index.ts'
import type { FieldSet } from '../field-set.ts'
import { rewriteByNeeds } from '../needs-walk.ts'
import type { Rule } from '../rule.ts'

function pruneScan(scan: Scan, needs: FieldSet): Scan {
  const { tableSchema } = scan
  const declared = tableSchema.fields.map((f) => f.name)
  // A field that is assigned again above keeps its first position, which nodes that read fields by pattern can observe.
  const isSeen = (name: string): boolean => needs.has(name) || needs.hides(name)
  const names = tableSchema.isOpen ? needs.names() : declared.filter(isSeen)
  if (names === undefined) return scan
  const wanted = new Set(names)
  const others = tableSchema.isOpen ? names.filter((name) => !declared.includes(name)).toSorted() : []
  const known = scan.columns ?? [...declared, ...others]
  const columns = known.filter((name) => wanted.has(name))
  return scan.columns !== undefined && columns.length === scan.columns.length ? scan : { ...scan, columns }
}

export const pruneColumns: Rule = {
  name: 'prune-columns',
  summary: 'A scan gives only the fields that someone above reads.',
  examples: {
    changes: '* | stats by (pod) count() as n',
    leaves: '* | limit 5',
  },
  direction: 'whole',
  apply: (plan) => rewriteByNeeds(plan, (node, needs) => (node.kind === 'scan' ? pruneScan(node, needs) : node)),
}
