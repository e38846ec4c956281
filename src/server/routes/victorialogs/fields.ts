import { z } from 'zod'
import { parseStreamName } from '../../../data/index.ts'
import { MAX_FACET_CHARS, MAX_FACET_VALUES } from '../../../functions/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { facetsOf, namesOf, valuesOf } from '../../search/fields/questions.ts'
import type { SearchAnswer } from '../../search/service-interfaces.ts'
import type { AnyRoute } from '../definition/route.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { entryBytes, listAnswer, textIn, writtenAnswer } from './answer-rows.ts'
import { defineSelectRoutes, type SelectCall } from './define-select-routes.ts'
import { countParameter, fieldParameter, flagParameter } from './parameters.ts'
import { isOfWholeRows, selectionOf, shownName } from './selection.ts'

const valuesAnswer = z.object({ values: z.array(z.object({ value: z.string(), hits: z.number() })) }).meta({
  id: 'SelectValues',
  description: 'Values with the number of rows that have each, in the form of VictoriaLogs.',
})

const facetsAnswer = z
  .object({
    facets: z.array(
      z.object({
        field_name: z.string(),
        values: z.array(z.object({ field_value: z.string(), hits: z.number() })),
      }),
    ),
  })
  .meta({ id: 'SelectFacets', description: 'The most frequent values of each field, in the form of VictoriaLogs.' })

const IGNORE_PIPES = { ignore_pipes: '`1`: leaves the pipes of the query out.' }
const FILTER = { filter: 'Only those that contain it, in any case.' }
const LIMIT = { limit: 'At most this many, the most frequent.' }

/** Runs a plan built over the rows that a request selects. */
function ask(call: SelectCall, over: (plan: LogicalPlan) => LogicalPlan): Promise<SearchAnswer> {
  const selection = selectionOf(call, flagParameter(call.parameters, 'ignore_pipes'))
  return call.service.search({ ...selection, over })
}

const counted = (value: string, hits: string): string => `{"value":${JSON.stringify(value)},"hits":${hits}}`

function valuesList(
  call: SelectCall,
  answer: SearchAnswer,
  fill: (add: (item: string) => void) => Promise<void>,
): Promise<HttpAnswer> {
  return listAnswer(call, ['{"values":[', ']}'], answer, fill)
}

/** Returns a plan for the most frequent values of a field. */
function frequentValues(call: SelectCall, plan: LogicalPlan, field: string): LogicalPlan {
  const limit = countParameter(call.parameters, 'limit')
  return valuesOf(plan, field, call.parameters.get('filter'), limit)
}

async function answerValues(call: SelectCall, field: string): Promise<HttpAnswer> {
  const answer = await ask(call, (plan) => frequentValues(call, plan, field))
  return valuesList(call, answer, (add) =>
    eachRow(answer.batches(), (row) => add(counted(textIn(row, 'value'), textIn(row, 'hits')))),
  )
}

const describeValues = { description: 'Values, the most frequent first.', schema: valuesAnswer }

const fieldNameRoutes = defineSelectRoutes({
  name: 'selectFieldNames',
  path: 'field_names',
  summary: 'List fields, as VictoriaLogs does',
  parameters: { ...FILTER, ...IGNORE_PIPES },
  answer: { description: 'Names of fields.', schema: valuesAnswer },
  handle: async (call) => {
    const filter = call.parameters.get('filter')
    let isWhole = false
    const answer = await ask(call, (plan) => {
      isWhole = isOfWholeRows(plan)
      // Filtered here because answers use VictoriaLogs' field names, which differ from the table's.
      return namesOf(plan, undefined)
    })
    const isWanted = (name: string): boolean =>
      filter === undefined || name.toLowerCase().includes(filter.toLowerCase())
    return valuesList(call, answer, (add) =>
      eachRow(answer.batches(), (row) => {
        const name = shownName(answer.names, textIn(row, 'name'))
        const names = isWhole && name === '_time' ? [name, '_stream', '_stream_id'] : [name]
        for (const each of names) if (isWanted(each)) add(counted(each, textIn(row, 'hits')))
      }),
    )
  },
})

const fieldValueRoutes = defineSelectRoutes({
  name: 'selectFieldValues',
  path: 'field_values',
  summary: 'List values of a field, as VictoriaLogs does',
  parameters: { field: 'The field.', ...FILTER, ...LIMIT, ...IGNORE_PIPES },
  answer: describeValues,
  handle: (call) => answerValues(call, fieldParameter(call.parameters)),
})

const streamRoutes = defineSelectRoutes({
  name: 'selectStreams',
  path: 'streams',
  summary: 'List streams, as VictoriaLogs does',
  parameters: { ...FILTER, ...LIMIT, ...IGNORE_PIPES },
  answer: describeValues,
  handle: (call) => answerValues(call, '_stream'),
})

const streamIdRoutes = defineSelectRoutes({
  name: 'selectStreamIds',
  path: 'stream_ids',
  summary: 'List ids of streams, as VictoriaLogs does',
  parameters: { ...FILTER, ...LIMIT, ...IGNORE_PIPES },
  answer: describeValues,
  handle: (call) => answerValues(call, '_stream_id'),
})

/** Answers with stream labels, or the values of one label, each with its number of rows. */
async function answerLabels(call: SelectCall, wanted: string | undefined): Promise<HttpAnswer> {
  const { parameters } = call
  const filter = parameters.get('filter')?.toLowerCase()
  const limit = countParameter(parameters, 'limit')
  const answer = await ask(call, (plan) => valuesOf(plan, '_stream', undefined, undefined))
  const budget = budgetOf(call)
  const hitsOf = new Map<string, number>()
  await eachRow(answer.batches(), (row) => {
    budget.checkpoint()
    const hits = Number(textIn(row, 'hits'))
    for (const [label, value] of parseStreamName(textIn(row, 'value')) ?? []) {
      if (wanted !== undefined && label !== wanted) continue
      const text = wanted === undefined ? label : value
      if (filter !== undefined && !text.toLowerCase().includes(filter)) continue
      const known = hitsOf.get(text)
      if (known === undefined) budget.charge(entryBytes(text))
      hitsOf.set(text, (known ?? 0) + hits)
    }
  })
  const sorted = [...hitsOf].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  // oxlint-disable-next-line require-await
  return valuesList(call, answer, async (add) => {
    for (const [text, hits] of sorted.slice(0, limit)) add(counted(text, String(hits)))
  })
}

const streamNameRoutes = defineSelectRoutes({
  name: 'selectStreamFieldNames',
  path: 'stream_field_names',
  summary: 'List labels of streams, as VictoriaLogs does',
  parameters: { ...FILTER, ...IGNORE_PIPES },
  answer: describeValues,
  handle: (call) => answerLabels(call, undefined),
})

const streamValueRoutes = defineSelectRoutes({
  name: 'selectStreamFieldValues',
  path: 'stream_field_values',
  summary: 'List values of a label of streams, as VictoriaLogs does',
  parameters: { field: 'The label.', ...FILTER, ...LIMIT, ...IGNORE_PIPES },
  answer: describeValues,
  handle: (call) => answerLabels(call, fieldParameter(call.parameters)),
})

const facetRoutes = defineSelectRoutes({
  name: 'selectFacets',
  path: 'facets',
  summary: 'List the most frequent values of every field, as VictoriaLogs does',
  parameters: {
    limit: 'At most this many values of each field; 10 when it is not given.',
    max_values_per_field: `A field with more values is left out; ${MAX_FACET_VALUES} when it is not given.`,
    max_value_len: `A field with a longer value is left out, bytes; ${MAX_FACET_CHARS} when it is not given.`,
    keep_const_fields: '`1`: also fields with one value in all rows.',
  },
  answer: { description: 'Fields by name, each with its values, the most frequent first.', schema: facetsAnswer },
  handle: async (call) => {
    const { parameters } = call
    const limit = countParameter(parameters, 'limit') ?? 10
    const limits = {
      maxValuesPerField: countParameter(parameters, 'max_values_per_field') ?? MAX_FACET_VALUES,
      maxValueLength: countParameter(parameters, 'max_value_len') ?? MAX_FACET_CHARS,
      keepsConstants: flagParameter(parameters, 'keep_const_fields'),
    }
    // As in VictoriaLogs, facets are computed over stored rows.
    const answer = await call.service.search({
      ...selectionOf(call, true),
      over: (plan) => facetsOf(plan, limit, limits),
    })
    return writtenAnswer(call, answer, async (write) => {
      let last: string | undefined
      write('{"facets":[')
      await eachRow(answer.batches(), (row) => {
        const name = shownName(answer.names, textIn(row, 'field_name'))
        const head = `{"field_name":${JSON.stringify(name)},"values":[`
        const before = last === undefined ? head : name === last ? ',' : `]},${head}`
        write(`${before}{"field_value":${JSON.stringify(textIn(row, 'field_value'))},"hits":${textIn(row, 'hits')}}`)
        last = name
      })
      write(last === undefined ? ']}' : ']}]}')
    })
  },
})

/** Routes that list fields, values, streams and labels. */
export const selectFieldRoutes: readonly AnyRoute[] = [
  ...fieldNameRoutes,
  ...fieldValueRoutes,
  ...streamRoutes,
  ...streamIdRoutes,
  ...streamNameRoutes,
  ...streamValueRoutes,
  ...facetRoutes,
]
