import { SluiceError, type JsonValue, type Random } from '../../base/index.ts'
import { bindJson, bodyToText, textToPipeline } from '../../lang/json/index.ts'
import { parameterNames, type ParameterValue } from '../../lang/log/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { answerOf, difference } from '../answer.ts'
import { pipelineFunctions, planOfPipeline } from '../pipeline/pipeline-plan.ts'
import type { JsonLaw } from './json-law.ts'

const NAME = 'drawn_value'

/** Members that accept parameters. */
const members = new Set(['value', 'args', 'scalar', 'timeoffset', 'limit', 'offset', 'sample'])

type Path = readonly (string | number)[]

function* sitesOf(value: JsonValue, path: Path): Generator<{ readonly path: Path; readonly value: ParameterValue }> {
  const member = path.findLast((step) => typeof step === 'string')?.toLowerCase() ?? ''
  if (typeof value !== 'object' || value === null) {
    if (value !== null && members.has(member)) yield { path, value }
  } else if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    if (member === 'value' && items.every((item) => typeof item === 'string')) yield { path, value: items }
    for (const [i, item] of items.entries()) yield* sitesOf(item, [...path, i])
  } else {
    const object = value as Readonly<Record<string, JsonValue>>
    for (const [name, inner] of Object.entries(object)) {
      const list = name === 'value' ? listTextOf(inner, object['op']) : undefined
      if (list === undefined) yield* sitesOf(inner, [...path, name])
      else if (list.every((item) => typeof item === 'string')) yield { path: [...path, name], value: list }
    }
  }
}

/**
 * Returns the list encoded in a value that is a JSON list in a string. The parameter must be bound to the list, because
 * a string would be bound as one string.
 */
function listTextOf(value: JsonValue, op: JsonValue | undefined): readonly JsonValue[] | undefined {
  const isListText = typeof value === 'string' && value.startsWith('[') && (op === 'in' || op === 'notin')
  return isListText ? (JSON.parse(value) as readonly JsonValue[]) : undefined
}

function replaced(value: JsonValue, [step, ...rest]: Path, by: JsonValue): JsonValue {
  if (step === undefined) return by
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, i) => (i === step ? replaced(item, rest, by) : item))
  }
  const object = value as Readonly<Record<string, JsonValue>>
  return { ...object, [step]: replaced(object[step] ?? null, rest, by) }
}

/**
 * Errors that are valid when a parameter replaces a literal: the text form cannot express some values, and some forms
 * depend on the value.
 */
const refusals: readonly string[] = ['log/bad-parameter', 'json/bad-parameter', 'json/no-text', 'json/no-pipeline']

function isRefused(code: string): boolean {
  return refusals.includes(code)
}

function pick(body: JsonValue, random: Random): { readonly path: Path; readonly value: ParameterValue } | undefined {
  const sites = [...sitesOf(body, [])]
  return sites.length === 0 ? undefined : random.pick(sites)
}

/**
 * A body with a parameter converts to a text with this parameter, and back. Bound to the value, both give the same
 * answer as the body with the literal.
 */
export const jsonParametersAreValues: JsonLaw = {
  name: 'json-parameters-are-values',
  check: async ({ body, range, subject, model, random }) => {
    const site = pick(body, random)
    if ('error' in model || site === undefined) return undefined
    const written = replaced(body, site.path, { $parameter: NAME })
    const description = `${JSON.stringify(written)} with ${JSON.stringify(site.value)}`
    const values = { [NAME]: site.value }
    try {
      const { text, diagnostics } = bodyToText(written, pipelineFunctions)
      const [fault] = diagnostics
      if (fault !== undefined) return isRefused(fault.code) ? undefined : `${description} has no text: ${fault.message}`
      if (!parameterNames(text).includes(NAME)) return `${description} loses its parameter: ${text}`
      const lowered = subject.lowered(text, values)
      const ofText = await answerOf(() => subject.queryPlan(lowered, 'columnar', { range }))
      const found = difference(model, ofText)
      if (found !== undefined) return `${description} as ${text} answers otherwise: ${found}`
      const table = standardCatalog.tables.get('logs')
      const { pipeline, diagnostics: refused } = textToPipeline(text, {
        functions: pipelineFunctions,
        aliases: table?.aliases,
        textField: table?.textField,
        nowNs: 0n,
        limits: { textBytes: 2 ** 22, terms: 65_536, pipes: 4_096, fields: 65_536 },
      })
      if (pipeline === undefined) {
        const code = refused[0]?.code ?? ''
        return isRefused(code) ? undefined : `${description} as ${text} is no pipeline: ${refused[0]?.message}`
      }
      const again = planOfPipeline(bindJson(JSON.parse(JSON.stringify(pipeline)), values).body)
      const back = difference(model, await answerOf(() => subject.queryPlan(again, 'columnar', { range })))
      return back === undefined
        ? undefined
        : `${description} as ${text} as ${JSON.stringify(pipeline)} answers otherwise: ${back}`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return isRefused(error.code) ? undefined : `${description} is refused: ${error.message}`
    }
  },
}
