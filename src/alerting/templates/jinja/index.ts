import type { Diagnostic } from '../../../base/index.ts'
import type { TemplateData } from '../data.ts'
import type { ExpansionBudget } from '../limits.ts'
import { GoMap, GoStruct, type GoValue } from '../values.ts'
import type { Nodes } from './ast.ts'
import { Interpreter } from './interpreter.ts'
import { JinjaParser, jinjaSession } from './parser.ts'
import { scan } from './tokens.ts'

export type { Nodes as JinjaProgram } from './ast.ts'

let parser: JinjaParser | undefined

/**
 * Parses a template; `report` receives the first error, `warn` each unknown part. Throws LimitFault beyond `depth`
 * nested levels.
 */
export function parseJinja(
  source: string,
  depth: number,
  report: (diagnostic: Diagnostic) => void,
  warn: (message: string, offset: number) => void,
): Nodes {
  parser ??= new JinjaParser()
  return parser.read(parser.program, scan(source), jinjaSession(source, depth, report, warn))
}

/** Expands a template. Throws ExpansionFault. */
export function expandJinja(nodes: Nodes, data: TemplateData, budget: ExpansionBudget): string {
  const values = Array.from(data.values, ([name, { value, labels, columns }]) => {
    const fields: [string, GoValue][] = [...(columns ?? []), ['value', value], ['labels', GoMap.ofLabels(labels)]]
    return [name, new GoStruct('value', fields)] as const
  })
  const scope: readonly (readonly [string, GoValue])[] = [
    ['labels', GoMap.ofLabels(data.labels)],
    ['value', data.value],
    ['values', new GoMap(values)],
    ['externalLabels', GoMap.ofLabels(data.externalLabels)],
    ['externalURL', data.externalUrl],
  ]
  return new Interpreter(budget).expand(nodes, new Map(scope))
}
