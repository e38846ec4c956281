import { hasMember, checkArgument, formatDurationNs } from '../base/index.ts'
import type { Parameters, Placeholders } from '../lang/log/index.ts'
import type { OptimizerStep } from '../optimize/index.ts'
import {
  inputs,
  printPlan,
  type ExplainMeasure,
  type ExplainTree,
  type LogicalPlan,
  type Values,
} from '../plan/index.ts'
import type { BackendFragment } from './assign.ts'

function mergedTrees(one: ExplainTree, other: ExplainTree, open: Placeholders): ExplainTree {
  const label = open.text([one.label, other.label])
  const isSame = one.kind === other.kind && one.inputs.length === other.inputs.length
  const notes = one.notes.map((note, i) => open.text([note, other.notes[i] ?? '']) ?? note)
  const shown = isSame && label !== undefined ? [] : ['depends on the values of parameters: shown for some']
  return {
    ...one,
    label: label ?? one.label,
    notes: [...notes, ...shown],
    inputs: isSame ? one.inputs.map((input, i) => mergedTrees(input, other.inputs[i] ?? input, open)) : one.inputs,
  }
}

/**
 * Explains a query whose parameters have no values. `open` holds stand-in values; the tree shows parameter names in
 * their place.
 */
export function explainOpen(
  open: Placeholders | undefined,
  explain: (parameters: Parameters | undefined) => ExplainTree,
): ExplainTree {
  if (open === undefined) return explain(undefined)
  const tree = mergedTrees(explain(open.values(0)), explain(open.values(1)), open)
  const names = open.names.map((name) => `\`$${name}\``).join(', ')
  return { ...tree, notes: [`planned without values of ${names}`, ...tree.notes] }
}

/** Returns the `values` nodes of a plan, in the order in which the plan's tree shows them. */
function leavesOf(plan: LogicalPlan): readonly Values[] {
  return plan.kind === 'values' ? [plan] : inputs(plan).flatMap(leavesOf)
}

/**
 * Joins the trees of fragments: a node that reads the rows of another fragment is replaced by the tree of that
 * fragment.
 */
export function joinTrees(
  fragment: BackendFragment,
  tree: ExplainTree,
  treeOf: (fragment: BackendFragment) => ExplainTree,
): ExplainTree {
  const leaves = leavesOf(fragment.plan)
  let next = 0
  const graft = (node: ExplainTree): ExplainTree => {
    const leaf = node.kind === 'values' ? leaves[next++] : undefined
    const below = leaf === undefined ? undefined : fragment.inputs.get(leaf)
    return below === undefined ? { ...node, inputs: node.inputs.map(graft) } : treeOf(below)
  }
  const whole = graft(tree)
  return fragment.reason === undefined ? whole : { ...whole, notes: [fragment.reason, ...whole.notes] }
}

function milliseconds(ms: number): string {
  return formatDurationNs(BigInt(Math.round(ms * 1000)) * 1000n)
}

function measureText({ rows, milliseconds: ms, counters }: ExplainMeasure): string {
  const counts = Object.entries(counters).map(([name, count]) => `${name} ${count}`)
  return [`${rows} rows`, milliseconds(ms), ...counts].join(', ')
}

/** Prints a tree as indented text. Each node is one line with its backend and its measurements; its notes follow. */
export function printExplainTree(tree: ExplainTree): string {
  checkArgument(hasMember(tree, 'label'), tree, 'what `explain` gives', 'printExplainTree(engine.explain(text))')
  const lines: string[] = []
  const add = (node: ExplainTree, indent: string): void => {
    const label = node.label === '' ? '' : ` ${node.label}`
    const estimate = node.estimateRows === undefined ? '' : `  ~${node.estimateRows} rows`
    const measured = node.measured === undefined ? '' : `  (${measureText(node.measured)})`
    lines.push(`${indent}${node.kind}${label}  [${node.owner}]${estimate}${measured}`)
    for (const note of node.notes) lines.push(`${indent}  - ${note.replaceAll('\n', `\n${indent}    `)}`)
    for (const input of node.inputs) add(input, `${indent}  `)
  }
  add(tree, '')
  return lines.join('\n')
}

/** Prints the bound plan, and then the plan after each rule that changed it. */
export function printSteps(bound: LogicalPlan, steps: readonly OptimizerStep[]): string {
  checkArgument(hasMember(bound, 'kind'), bound, 'a plan', 'printSteps(compiled.bound, compiled.steps)')
  const sections = [`bound\n${printPlan(bound, '  ')}`]
  for (const { rule, pass, after } of steps) {
    sections.push(`${rule.name}, pass ${pass}: ${rule.summary}\n${printPlan(after, '  ')}`)
  }
  return sections.join('\n\n')
}

function mermaidText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Prints a tree as a Mermaid flow chart, with the data sources at the bottom. */
export function printMermaid(tree: ExplainTree): string {
  checkArgument(hasMember(tree, 'label'), tree, 'what `explain` gives', 'printMermaid(engine.explain(text))')
  const lines = ['flowchart BT']
  let count = 0
  const add = (node: ExplainTree): string => {
    const id = `n${count++}`
    const measured = node.measured === undefined ? '' : `<br/>${mermaidText(measureText(node.measured))}`
    const label = node.label === '' ? '' : `<br/>${mermaidText(node.label)}`
    lines.push(`  ${id}["<b>${node.kind}</b> ${mermaidText(node.owner)}${label}${measured}"]`)
    for (const input of node.inputs) lines.push(`  ${add(input)} --> ${id}`)
    return id
  }
  add(tree)
  return lines.join('\n')
}
