import { isError } from '../../base/index.ts'
import { parse, type ParseOptions } from './parse.ts'
import type { ParameterScalar, Parameters } from '../parameter-values.ts'
import { canon } from './print.ts'
import { scan } from './scan.ts'
import { Parameter } from './tokens.ts'

/** Values that fit the places of a query, the `i`-th parameter's. None stands for the text that it reads like. */
const candidates: readonly ((i: number) => ParameterScalar)[] = [
  (i) => `zqparameter${i}qz`,
  (i) => 731_000_000_010 + i,
  (i) => Number(`0.73100${10 + i}`),
  (i) => `731000${10 + i}s`,
  (i) => `2731-01-01T00:00:${10 + (i % 50)}Z`,
  (i) => `10.73.0.${10 + (i % 200)}`,
  (i) => `fd73::${10 + i}`,
  // These cannot be told from the same word elsewhere in the text.
  () => 'true',
  () => 'monday',
  () => 'UTC',
]

/** The names of the parameters of a text, each once. */
export function parameterNames(text: string): readonly string[] {
  const { tokens } = scan(text, undefined, true)
  return [...new Set(tokens.flatMap(({ tokenType, image }) => (tokenType === Parameter ? [image.slice(1)] : [])))]
}

/**
 * Values with which a text reads, for what looks at its form alone. Finds them by reading it: a place says whether it
 * takes a text, a number, a duration or a time. None in the dialect `logsql`, where `$name` is a word without values.
 */
export function openParameters(text: string, options: ParseOptions = {}): Parameters | undefined {
  if (options.dialect === 'logsql') return undefined
  const choices = new Map(parameterNames(text).map((name) => [name, 0]))
  const values = (): Parameters =>
    Object.fromEntries([...choices.keys()].map((name, i) => [name, candidates[choices.get(name) ?? 0]?.(i) ?? '']))
  for (let round = 0; choices.size > 0 && round < candidates.length * choices.size; round++) {
    const { diagnostics } = parse(text, { ...options, parameters: values() })
    const refused = diagnostics
      .filter(({ code }) => code === 'log/bad-parameter')
      .map(({ data }) => String(data['name']))
    const open = [...new Set(refused)].filter(
      (name) => (choices.get(name) ?? candidates.length) < candidates.length - 1,
    )
    if (open.length === 0) break
    for (const name of open) choices.set(name, (choices.get(name) ?? 0) + 1)
  }
  return values()
}

/**
 * The canonical text of a query text, parameters by their names. A text with errors, or one whose canonical form would
 * depend on values, comes back as it is.
 */
export function canonText(text: string, options: ParseOptions = {}): string {
  const parameters = openParameters(text, options)
  const read = parse(text, { ...options, parameters: options.parameters ?? parameters })
  if (read.diagnostics.some(isError)) return text
  if (options.parameters !== undefined) return canon(read.ast, options.dialect)
  const printed = Object.entries(parameters ?? {}).reduce(
    (canonical, [name, value]) => {
      const written = String(value).replaceAll('.', String.raw`\.`)
      return canonical.replaceAll(new RegExp(`"${written}"|(?<![\\w.])${written}(?![\\w.])`, 'g'), () => `$${name}`)
    },
    canon(read.ast, options.dialect),
  )
  const isWhole =
    canon(parse(printed, { ...options, parameters }).ast, options.dialect) === canon(read.ast, options.dialect)
  return isWhole ? printed : text
}
