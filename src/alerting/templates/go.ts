import type { Diagnostic } from '../../base/index.ts'
import { GoMap, GoStruct, Interpreter, type GoValue, type Program } from '../../functions/go-template/index.ts'
import { parseGoTemplate } from '../../lang/go-template/index.ts'
import type { TemplateData } from './data.ts'
import { templateFunctions, type AlertContext } from './functions/index.ts'

/** Predefined variables of every template: the data, and Prometheus's names for its parts. */
const VARIABLES = ['$', '$labels', '$externalLabels', '$externalURL', '$value', '$values']

/** Parses a template. `report` receives the first error. Throws LimitFault for more than `depth` nested levels. */
export function parseGo(source: string, depth: number, report: (diagnostic: Diagnostic) => void): Program {
  return parseGoTemplate(source, { functions: templateFunctions, variables: VARIABLES, depth, report })
}

function valuesOf({ values }: TemplateData): GoMap {
  const structs = Array.from(values, ([name, { value, labels, columns }]) => {
    const fields: [string, GoValue][] = [...(columns ?? []), ['Value', value], ['Labels', GoMap.ofLabels(labels)]]
    return [name, new GoStruct('template.value', fields)] as const
  })
  return new GoMap(structs)
}

/** Expands a template. Throws ExpansionFault, and whatever `query` of the context throws. */
export function expandGo(program: Program, context: AlertContext): string {
  const { data } = context
  const fields: readonly (readonly [string, GoValue])[] = [
    ['Labels', GoMap.ofLabels(data.labels)],
    ['ExternalLabels', GoMap.ofLabels(data.externalLabels)],
    ['ExternalURL', data.externalUrl],
    ['Value', data.value],
    ['Values', valuesOf(data)],
  ]
  // Prometheus has no `.Values`. Hiding this field makes `{{ . }}` print the same text as there.
  const dot = new GoStruct('template.data', fields, { hidden: ['Values'] })
  const variables = fields.map(([name, value]) => [variableOf(name), value] as const)
  return new Interpreter(program, templateFunctions, context).expand(dot, new Map([['$', dot], ...variables]))
}

/** Returns the variable for a field: `$externalURL` for `ExternalURL`. */
function variableOf(field: string): string {
  return `$${field.charAt(0).toLowerCase()}${field.slice(1)}`
}
