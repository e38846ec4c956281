import { z } from 'zod'
import { moment, momentsInOrder } from '../moment.ts'
import { condition } from '../condition.ts'
import { integer, name, text, word } from '../schema.ts'

/** Kinds of rows whose fields can be listed. */
export const fieldDomains = ['logs', 'events', 'traces', 'clusters', 'workloads'] as const

const found = {
  start: moment(),
  end: moment(),
  domain: word(fieldDomains).default('logs'),
  /** Query that selects rows; pipes that group, limit or sort rows are ignored. */
  query: text().optional(),
  filters: text().optional(),
  sources: z.array(condition).optional(),
}

export const fieldNamesBody = z
  .object({ ...found, contains: text().optional() })
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'FieldNames', description: 'Asks which fields the rows of a query have.' })

export const fieldValuesBody = z
  .object({ ...found, field: name(), contains: text().optional(), limit: integer(1, 10_000).default(100) })
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'FieldValues', description: 'Asks which values a field has in the rows of a query.' })

export const fieldFacetsBody = z
  .object({ ...found, limit: integer(1, 1000).default(10) })
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'FieldFacets', description: 'Asks for the most frequent values of every field.' })

export const hitsBody = z
  .object({ ...found, step: text().optional(), field: name().optional(), limit: integer(1, 1000).default(10) })
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'Hits', description: 'Asks how many rows a query finds over time, whatever its `limit`.' })

const hits = z.number().int()

export const fieldNamesAnswer = z
  .object({ names: z.array(z.object({ name: z.string(), hits })) })
  .meta({ id: 'FieldNamesAnswer', description: 'Fields by name, with the number of rows that have each.' })

const fieldValue = z.object({ value: z.unknown(), hits })

export const fieldValuesAnswer = z
  .object({ values: z.array(fieldValue), isLimitReached: z.boolean() })
  .meta({ id: 'FieldValuesAnswer', description: 'Values of a field, the most frequent first.' })

export const fieldFacetsAnswer = z
  .object({ facets: z.array(z.object({ name: z.string(), values: z.array(fieldValue) })) })
  .meta({ id: 'FieldFacetsAnswer', description: 'Fields with their most frequent values.' })

export const hitsAnswer = z
  .object({
    step: z.string(),
    total: hits,
    timestamps: z.array(z.string()),
    groups: z.array(
      z.object({ value: z.unknown().optional(), isRest: z.boolean().optional(), total: hits, hits: z.array(hits) }),
    ),
  })
  .meta({
    id: 'HitsAnswer',
    description: 'Rows per step of the whole range, empty steps included; one group, or one per value of `field`.',
  })

export type FieldNames = z.output<typeof fieldNamesBody>
export type FieldValues = z.output<typeof fieldValuesBody>
export type FieldFacets = z.output<typeof fieldFacetsBody>
export type Hits = z.output<typeof hitsBody>
export type FieldNamesAnswer = z.output<typeof fieldNamesAnswer>
export type FieldValuesAnswer = z.output<typeof fieldValuesAnswer>
export type FieldFacetsAnswer = z.output<typeof fieldFacetsAnswer>
export type HitsAnswer = z.output<typeof hitsAnswer>
