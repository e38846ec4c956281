import type { Diagnostic } from '../../../base/index.ts'
import type { TemplateData } from '../data.ts'
import type { ExpansionBudget } from '../../../functions/go-template/index.ts'
import { GoMap, GoStruct, type GoValue } from '../../../functions/go-template/index.ts'
import { Expansion, type JinjaStatement } from './expansion.ts'
import { JinjaParser } from './parser.ts'
import { scan } from './tokens.ts'

let parser: JinjaParser | undefined

function valueOf(data: TemplateData): GoMap {
  return new GoMap(
    Array.from(data.values, ([name, { value, labels, columns }]) => {
      const fields: [string, GoValue][] = [...(columns ?? []), ['value', value], ['labels', GoMap.ofLabels(labels)]]
      return [name, new GoStruct('value', fields)] as const
    }),
  )
}

/** Names that are in scope in every template. */
const names: Readonly<Record<string, (data: TemplateData) => GoValue>> = {
  labels: ({ labels }) => GoMap.ofLabels(labels),
  value: ({ value }) => value,
  values: valueOf,
  externalLabels: ({ externalLabels }) => GoMap.ofLabels(externalLabels),
  externalURL: ({ externalUrl }) => externalUrl,
}

/**
 * Parses a template. `report` receives the first error, `warn` each part that is not supported. Throws LimitFault for
 * more than `depth` nested levels.
 */
export function parseJinja(
  source: string,
  depth: number,
  report: (diagnostic: Diagnostic) => void,
  warn: (message: string, offset: number) => void,
): JinjaStatement {
  parser ??= new JinjaParser()
  const session = { source, limits: { depth }, report, warn, names: Object.keys(names) }
  return parser.read(parser.program, scan(source), session)
}

/** Expands a template. Throws ExpansionFault. */
export function expandJinja(program: JinjaStatement, data: TemplateData, budget: ExpansionBudget): string {
  const entries = Object.entries(names).map(([name, read]) => [name, read(data)] as const)
  const expansion = new Expansion(budget, new Map(entries))
  program(expansion)
  return expansion.output
}
