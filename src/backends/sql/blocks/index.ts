import type { LogicalPlan, NodeOf, PlanKind } from '../../../plan/index.ts'
import { CannotCompile, type QueryBlock } from '../block.ts'
import type { CompileContext } from '../context.ts'
import { aggregateBlock, distinctBlock } from './aggregate.ts'
import { extendBlock } from './extend.ts'
import { filterBlock } from './filter.ts'
import { joinBlock } from './join.ts'
import { limitByBlock } from './limit-by.ts'
import { limitBlock } from './limit.ts'
import { dropBlock, projectBlock, renameBlock } from './project.ts'
import { sampleBlock } from './sample.ts'
import { sortBlock } from './sort.ts'
import { unionBlock } from './union.ts'
import { windowBlock } from './window.ts'

type BlockMaker<N> = (node: N, context: CompileContext) => QueryBlock

function cannot(reason: string): BlockMaker<LogicalPlan> {
  return (node) => {
    throw new CannotCompile(node, reason)
  }
}

/** For each kind of plan node, the function that compiles it to a block. */
const makers: { readonly [K in PlanKind]: BlockMaker<NodeOf<K>> } = {
  scan: (node, context) => context.scan(node, context),
  filter: filterBlock,
  project: projectBlock,
  drop: dropBlock,
  rename: renameBlock,
  extend: extendBlock,
  aggregate: aggregateBlock,
  distinct: distinctBlock,
  sort: sortBlock,
  limit: limitBlock,
  'limit-by': limitByBlock,
  join: joinBlock,
  union: unionBlock,
  sample: sampleBlock,
  window: windowBlock,
  values: cannot('rows written in the query never touch stored data'),
  apply: cannot('row functions read and write fields by rules that SQL has no words for'),
  'table-apply': cannot('table functions see whole rows of any shape'),
}

export function makeBlock(node: LogicalPlan, context: CompileContext): QueryBlock {
  return (makers[node.kind] as BlockMaker<LogicalPlan>)(node, context)
}
