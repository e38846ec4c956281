import { z } from 'zod'
import { ENTRY_BYTES } from '../../../base/index.ts'
import { toText, type Row } from '../../../data/index.ts'
import { entriesPlan } from '../../../engine/logql/index.ts'
import {
  ENTRY_CATEGORIES,
  ENTRY_LINE,
  fieldsOfLine,
  readGoDuration,
  readGoFloat,
  readSize,
} from '../../../functions/logql/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes, refuse, type LokiCall } from './define-loki-routes.ts'
import { RANGE, limitParameter, queryParameter, rangeParameters } from './parameters.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { lokiTable, parsedEntries, parsedQuery, rowsFor } from './source.ts'
import { streamSizes } from './stream-sizes.ts'

const DEFAULT_FIELDS = 1000
/** Default and maximum number of newest lines that are inspected, as in Loki. */
const DEFAULT_LINES = 100
const MAX_LINES = 5000

const fieldsAnswer = z
  .object({
    fields: z
      .array(
        z.object({
          label: z.string(),
          type: z.string(),
          cardinality: z.number(),
          parsers: z.array(z.string()).nullable(),
          jsonPath: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    limit: z.number().optional(),
  })
  .meta({ id: 'LokiDetectedFields', description: 'Fields of the newest lines; without members if there are none.' })

const valuesAnswer = z
  .object({ values: z.array(z.string()).optional(), limit: z.number().optional() })
  .meta({ id: 'LokiDetectedValues', description: 'Values of a field in the newest lines.' })

const labelsAnswer = z
  .object({ detectedLabels: z.array(z.object({ label: z.string(), cardinality: z.number() })).optional() })
  .meta({ id: 'LokiDetectedLabels', description: 'Labels of streams, with the number of their values.' })

const PARSERS: ReadonlySet<string> = new Set(['json', 'logfmt', 'pattern', 'regexp', 'unpack'])

type FieldType = 'string' | 'int' | 'float' | 'boolean' | 'duration' | 'bytes'

/** Guesses the type of a string. A number with a unit is a duration or a size. */
function typeOf(text: string): FieldType {
  if (/^[+-]?\d+$/.test(text)) return 'int'
  if (readGoFloat(text) !== undefined) return 'float'
  if (text === 'true' || text === 'false') return 'boolean'
  if (typeof readGoDuration(text) === 'number') return 'duration'
  return typeof readSize(text) === 'number' ? 'bytes' : 'string'
}

interface Field {
  readonly type: FieldType
  readonly values: Set<string>
  /** Parser that finds the field in a line; `undefined` for structured metadata. */
  parser: 'json' | 'logfmt' | undefined
  path: readonly string[] | undefined
}

function labelsIn(row: Row, column: string): Readonly<Record<string, string>> {
  return JSON.parse(toText(row.get(column) ?? null)) as Record<string, string>
}

/**
 * Returns the fields of the newest lines that a query finds: structured metadata, and fields that a parser would
 * extract.
 */
async function fieldsFound(call: LokiCall): Promise<ReadonlyMap<string, Field>> {
  const { parameters, caller, context } = call
  const query = parsedQuery(call, queryParameter(parameters, caller))
  if (query.kind !== 'log-query') return refuse('only log selector is supported')
  const lines = Math.min(Number(parameters.get('line_limit') ?? DEFAULT_LINES) || DEFAULT_LINES, MAX_LINES)
  const range = rangeParameters(parameters, context.nowNs())
  const isParsing = query.stages.some(({ kind }) => PARSERS.has(kind))
  const budget = budgetOf(call)
  const fields = new Map<string, Field>()
  const add = (name: string, value: string, from: Pick<Field, 'parser' | 'path'>): void => {
    const known = fields.get(name) ?? { type: typeOf(value), values: new Set<string>(), ...from }
    fields.set(name, known)
    known.parser ??= from.parser
    known.path ??= from.path
    if (known.values.has(value)) return
    budget.charge(ENTRY_BYTES + (name.length + value.length) * 2)
    known.values.add(value)
  }
  await eachRow(rowsFor(call).read(entriesPlan(query, lokiTable(call), 'backward', lines), range), (row) => {
    budget.checkpoint()
    const [stream, metadata] = [labelsIn(row, ENTRY_CATEGORIES.stream), labelsIn(row, ENTRY_CATEGORIES.metadata)]
    for (const [name, value] of Object.entries(metadata)) add(name, value, { parser: undefined, path: undefined })
    // As in Loki, a field is renamed because of metadata only if a stage of the query parses the line.
    const given = new Set([...Object.keys(stream), ...(isParsing ? Object.keys(metadata) : [])])
    for (const { label, value, parser, path } of fieldsOfLine(toText(row.get(ENTRY_LINE) ?? null), given))
      if (!label.startsWith('__')) add(label, value, { parser, path })
  })
  return fields
}

const QUERY = {
  query: 'A query of entries; its stages run before.',
  ...RANGE,
  line_limit: `The newest lines that are looked at; ${DEFAULT_LINES} when it is not given.`,
  limit: `At most so many; ${DEFAULT_FIELDS} when it is not given.`,
}

const fieldRoutes = defineLokiRoutes({
  name: 'lokiDetectedFields',
  path: '/loki/api/v1/detected_fields',
  summary: 'List fields of the newest lines with their types, as Loki does',
  parameters: { ...QUERY, field_limit: 'An older name of `limit`.' },
  answer: { description: 'Fields, sorted by name.', schema: fieldsAnswer },
  handle: async (call) => {
    const older = Number(call.parameters.get('field_limit') ?? DEFAULT_FIELDS) || DEFAULT_FIELDS
    const limit = limitParameter(call.parameters, older)
    const found = [...(await fieldsFound(call))].slice(0, limit).sort(([a], [b]) => (a < b ? -1 : 1))
    if (found.length === 0) return json({})
    const fields = found.map(([label, { type, values, parser, path }]) => ({
      label,
      type,
      cardinality: values.size,
      parsers: parser === undefined ? null : [parser],
      ...(path === undefined ? {} : { jsonPath: path }),
    }))
    return json({ fields, limit })
  },
})

const valueRoutes = defineLokiRoutes({
  name: 'lokiDetectedValues',
  path: '/loki/api/v1/detected_field/{name}/values',
  summary: 'List values of a field of the newest lines, as Loki does',
  parameters: QUERY,
  answer: { description: 'Values, sorted.', schema: valuesAnswer },
  handle: async (call): Promise<HttpAnswer> => {
    const limit = limitParameter(call.parameters, DEFAULT_FIELDS)
    const found = (await fieldsFound(call)).get(call.path.get('name') ?? '')
    return found === undefined ? json({}) : json({ values: [...found.values].slice(0, limit).sort(), limit })
  },
})

const ID = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|-?\d+(\.\d+)?)$/i

/**
 * True if the values are ids or numbers, which are no useful label values. A label with only two values is kept, since
 * it may be a flag.
 */
function areIds(values: ReadonlySet<string>): boolean {
  return values.size > 2 && [...values].every((value) => ID.test(value))
}

const labelRoutes = defineLokiRoutes({
  name: 'lokiDetectedLabels',
  path: '/loki/api/v1/detected_labels',
  summary: 'List labels of streams with the number of their values, as Loki does',
  parameters: { query: 'A selector. Default: all streams.', ...RANGE },
  answer: { description: 'Labels, without those whose values are all ids or numbers.', schema: labelsAnswer },
  handle: async (call) => {
    const text = call.parameters.get('query')
    const query = text === undefined ? undefined : parsedEntries(call, text, true)
    const sizes = await streamSizes(call, query, rangeParameters(call.parameters, call.context.nowNs()))
    const valuesOf = new Map<string, Set<string>>()
    for (const { labels } of sizes)
      for (const [name, value] of Object.entries(labels)) {
        const values = valuesOf.get(name) ?? new Set<string>()
        valuesOf.set(name, values.add(value))
      }
    const found = [...valuesOf]
      .filter(([, values]) => !areIds(values))
      .map(([label, { size }]) => ({ label, cardinality: size }))
      .sort((a, b) => (a.label < b.label ? -1 : 1))
    return json(found.length === 0 ? {} : { detectedLabels: found })
  },
})

export const lokiDetectedRoutes: readonly AnyRoute[] = [...fieldRoutes, ...valueRoutes, ...labelRoutes]
