import {
  expressions,
  inputs,
  subqueries,
  visitExpr,
  type Catalog,
  type ExplainTree,
  type LogicalPlan,
} from '../../plan/index.ts'
import { standardDefinitions, type FunctionDoc, type FunctionDefinitions } from '../../functions/index.ts'

/** Returns notes on the user-defined functions, pipes and tables that a node of a plan uses. */
export type NotesOf = (node: LogicalPlan) => readonly string[]

interface Documented {
  readonly name: string
  readonly doc: FunctionDoc
}

/** Returns the names of stats functions that a node calls. */
function statsOf(node: LogicalPlan): readonly string[] {
  if (node.kind === 'aggregate') return node.aggregates.map(({ call }) => call.fn)
  return node.kind === 'window' ? node.calls.map(({ call }) => call.fn) : []
}

function scalarsOf(node: LogicalPlan): readonly string[] {
  const names: string[] = []
  for (const expr of expressions(node)) {
    visitExpr(expr, (each) => {
      if (each.kind === 'call') names.push(each.name)
    })
  }
  return names
}

/** Returns a function that gives a note `name: summary` for each user definition of a node. */
export function definitionNotes(functions: FunctionDefinitions, catalog: Catalog): NotesOf {
  const ownOf = (kind: keyof FunctionDefinitions, name: string): readonly Documented[] => {
    const found = functions[kind].get(name)
    return found === undefined || found.doc === standardDefinitions[kind].get(name)?.doc ? [] : [found]
  }
  return (node) => {
    const summary = node.kind === 'scan' ? catalog.tables.get(node.table)?.summary : undefined
    if (node.kind === 'scan') return summary === undefined ? [] : [`${node.table}: ${summary}`]
    const found = [
      ...(node.kind === 'apply' ? ownOf('rows', node.fn) : []),
      ...(node.kind === 'table-apply' ? ownOf('tables', node.fn) : []),
      ...statsOf(node).flatMap((name) => ownOf('stats', name)),
      ...scalarsOf(node).flatMap((name) => ownOf('scalar', name)),
    ]
    return [...new Set(found)].map(({ name, doc }) => `${name}: ${doc.summary}`)
  }
}

/** Adds the notes of each node of a plan to the plan's tree. */
export function withNotes(tree: ExplainTree, plan: LogicalPlan, notesOf: NotesOf): ExplainTree {
  const below = [...inputs(plan), ...subqueries(plan)]
  return {
    ...tree,
    notes: [...tree.notes, ...notesOf(plan)],
    inputs: tree.inputs.map((input, i) => {
      const node = below[i]
      return node === undefined ? input : withNotes(input, node, notesOf)
    }),
  }
}
