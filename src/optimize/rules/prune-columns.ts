import { mapSubqueries, opsOf, schemaOf, inputs, type LogicalPlan, type Scan } from '../../plan/index.ts'
import { needsOfInputs } from '../field-needs.ts'
import { FieldSet } from '../field-set.ts'
import type { Rule } from '../rule.ts'

function pruneScan(scan: Scan, needs: FieldSet): Scan {
  const { tableSchema } = scan
  const declared = tableSchema.fields.map((f) => f.name)
  const names = tableSchema.isOpen ? needs.names() : declared.filter((name) => needs.has(name))
  if (names === undefined) return scan
  const wanted = new Set(names)
  const others = tableSchema.isOpen ? names.filter((name) => !declared.includes(name)).toSorted() : []
  const known = scan.columns ?? [...declared, ...others]
  const columns = known.filter((name) => wanted.has(name))
  return scan.columns !== undefined && columns.length === scan.columns.length ? scan : { ...scan, columns }
}

function prune(node: LogicalPlan, needs: FieldSet): LogicalPlan {
  const bare = mapSubqueries(node, pruneRoot)
  if (bare.kind === 'scan') return pruneScan(bare, needs)
  const old = inputs(bare)
  const below = needsOfInputs(bare, needs)
  const next = old.map((input, i) => prune(input, below[i]))
  return next.every((input, i) => input === old[i]) ? bare : opsOf(bare).withInputs(bare, next)
}

/** All that a root gives is read: its schema must not change. */
function pruneRoot(plan: LogicalPlan): LogicalPlan {
  const schema = schemaOf(plan)
  return prune(plan, schema.isOpen ? FieldSet.all : FieldSet.named(schema.fields.map((f) => f.name)))
}

export const pruneColumns: Rule = {
  name: 'prune-columns',
  summary: 'A scan gives only the fields that somebody above reads.',
  examples: {
    changes: '* | stats by (pod) count() as n',
    leaves: '* | limit 5',
  },
  direction: 'whole',
  apply: pruneRoot,
}
