import type { Dialect } from '../plan/index.ts'
import {
  filterDefinitions,
  mathFunctions,
  pipeDefinitions,
  runningForms,
  runningNames,
  statsForms,
  windowFunctions,
  type Query,
} from '../lang/log/index.ts'

type Node = Readonly<Record<string, unknown>>

const filterKinds = new Set<unknown>(filterDefinitions.map(({ kind }) => kind))
const pipeKinds = new Set<unknown>(pipeDefinitions.map(({ kind }) => kind))

const mathOperators = ['+', '-', '*', '/', '%', '^', '&', 'xor', 'or', 'default'] as const
const joinTypes = ['inner', 'left', 'right', 'full', 'cross'] as const

/** Forms that random queries never contain, each with the reason. */
export const undrawnForms: ReadonlyMap<string, string> = new Map([
  ['pipe block_stats', 'tells how the columnar backend stores rows; the others refuse it'],
  ['pipe blocks_count', 'tells how the columnar backend stores rows; the others refuse it'],
  ['pipe query_stats', 'tells what the columnar backend has read; the others refuse it'],
  ['filter broken', 'stands only for what could not be read'],
])

/** Lists every form of a dialect from the registries, such as `pipe sort`, `filter in` and `stats avg`. */
export function everyForm(dialect: Dialect): readonly string[] {
  const isNative = dialect === 'native'
  const ofKinds = (
    what: string,
    definitions: readonly { readonly kind: string; readonly isNativeOnly?: boolean }[],
  ): string[] =>
    definitions.filter(({ isNativeOnly }) => isNative || isNativeOnly !== true).map(({ kind }) => `${what} ${kind}`)
  return [
    ...ofKinds('pipe', pipeDefinitions),
    ...ofKinds('filter', filterDefinitions),
    ...[...statsForms.keys()].map((name) => `stats ${name}`),
    ...(isNative ? [...runningForms.keys()] : runningNames).map((name) => `running ${name}`),
    ...(isNative ? [...windowFunctions.keys()] : []).map((name) => `window ${name}`),
    ...[...mathFunctions.keys(), ...mathOperators].map((name) => `math ${name}`),
    ...(isNative ? joinTypes : joinTypes.slice(0, 2)).map((type) => `join ${type}`),
  ]
}

function note(node: Node, found: Set<string>): void {
  const { kind } = node
  if (filterKinds.has(kind) && 'field' in node) found.add(`filter ${String(kind)}`)
  if (pipeKinds.has(kind) && !('field' in node && filterKinds.has(kind))) {
    found.add(`pipe ${String(kind)}`)
    if (node['condition'] !== undefined) found.add(`condition pipe ${String(kind)}`)
  }
  if (kind === 'call' && typeof node['name'] === 'string') found.add(`math ${node['name']}`)
  if (kind === 'binary') found.add(`math ${String(node['op'])}`)
  if (kind === 'join') found.add(`join ${String(node['type'])}`)
  if ('call' in node && 'condition' in node) {
    const { name } = node['call'] as Node
    const what = 'cases' in node ? 'stats' : 'running'
    found.add(`${what} ${String(name)}`)
    if (node['condition'] !== undefined) found.add(`condition ${what} ${String(name)}`)
  }
  if (kind === 'window') for (const { fn } of node['calls'] as readonly Node[]) found.add(`window ${String(fn)}`)
  if ('options' in node && 'pipes' in node)
    for (const { name } of node['options'] as readonly Node[]) found.add(`option ${String(name)}`)
}

/** Calls `visit` for every object inside a tree. */
export function visitTree(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) visitTree(each, visit)
    return
  }
  visit(node as Node)
  for (const [name, value] of Object.entries(node)) if (name !== 'span' && name !== 'origin') visitTree(value, visit)
}

/** Returns the forms that a query contains, named as in `everyForm`, and also `option …` and `condition …`. */
export function formsIn(query: Query): Set<string> {
  const found = new Set<string>()
  visitTree(query, (node) => note(node, found))
  return found
}
