import { z } from 'zod'
import { moment } from '../moment.ts'
import { condition } from '../condition.ts'
import { pipeline } from '../pipeline.ts'
import { anyJson, mapOf, text } from '../schema.ts'

/** Values of parameters by name. */
export const searchParameterValues = mapOf(z.union([z.string(), z.number(), z.boolean(), z.array(anyJson())])).meta({
  id: 'ParameterValues',
  description:
    'Values of parameters, which `query` and `filters` name as `$name`, `pipeline` and `sources` as `{"$parameter": "name"}` in the place of a value.',
})

/** Members of every search body. Time range, `filters` and `sources` apply to every table that the query reads. */
export const searchMembers = {
  start: moment(),
  end: moment(),
  query: text().optional(),
  filters: text().optional(),
  enableStream: z.boolean().optional(),
  pipeline: pipeline.optional(),
  sources: z.array(condition).optional(),
  parameters: searchParameterValues.optional(),
}

/** Answer of every search: an array of objects keyed by the selected fields or aliases. */
export const rows = z
  .array(z.record(z.string(), z.unknown()))
  .meta({ id: 'Rows', description: 'One object per row or per group.' })

const searchBody = z.object(searchMembers)

/** A validated body of any search. */
export type SearchBody = z.output<typeof searchBody>
