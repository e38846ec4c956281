import { z } from 'zod'
import { filterGroup } from './filter-group.ts'
import { mathExpression } from './math-expression.ts'
import { anyJson, integer, text, word } from './schema.ts'
import { columnReference, selector } from './selector.ts'

/** A sort key; ascending by default. */
export const orderBy = z
  .object({ direction: word(['asc', 'desc']).optional(), selector: selector.optional() })
  .meta({ id: 'OrderBy', description: 'A key to sort by; ascending when no direction is given.' })

/** Keeps at most `limit` rows for each combination of the selectors' values. */
export const limitBy = z
  .object({ limit: integer(0).optional(), offset: integer(0).optional(), selectors: z.array(selector).optional() })
  .meta({ id: 'LimitBy', description: 'At most `limit` rows for each combination of values.' })

/** Columns derived from one source column. */
export const transform = z
  .object({
    alias: text().optional(),
    args: z.array(anyJson()).optional(),
    sourceColumn: text().optional(),
    type: text().optional(),
  })
  .meta({ id: 'Transform', description: 'Columns made of one source column, for example the members of a JSON text.' })

export const joinCondition = z
  .object({ leftColumn: columnReference.optional(), rightColumn: columnReference.optional() })
  .meta({ id: 'JoinCondition', description: 'Two columns that must be equal.' })

export const join = z
  .object({
    get leftPipeline() {
      return pipeline.optional()
    },
    get rightPipeline() {
      return pipeline.optional()
    },
    onConditions: z.array(joinCondition).optional(),
    type: text().optional(),
    prefix: text().optional(),
  })
  .meta({ id: 'Join', description: 'Rows of two pipelines side by side.' })

export const union = z
  .object({
    get leftPipeline() {
      return pipeline.optional()
    },
    get rightPipeline() {
      return pipeline.optional()
    },
  })
  .meta({ id: 'Union', description: 'All rows of two pipelines, duplicates kept.' })

/**
 * A query as a JSON object, with all members that a search accepts. The members are applied in a fixed order, whatever
 * their order in the body.
 */
export const pipeline = z
  .object({
    domain: text().optional(),
    get from() {
      return pipeline.optional()
    },
    join: join.optional(),
    union: union.optional(),
    transforms: z.array(transform).optional(),
    filters: filterGroup.optional(),
    selectors: z.array(selector).optional(),
    groupBy: z.array(selector).optional(),
    mathExpression: z.array(mathExpression).optional(),
    having: filterGroup.optional(),
    except: z.array(selector).optional(),
    orderBy: z.array(orderBy).optional(),
    limitBy: limitBy.optional(),
    sample: integer(0).optional(),
    offset: integer(0).optional(),
    limit: integer(0).optional(),
    timeOffset: text().optional(),
  })
  .meta({ id: 'Pipeline', description: 'A structured query.' })

export type OrderBy = z.output<typeof orderBy>
export type LimitBy = z.output<typeof limitBy>
export type Transform = z.output<typeof transform>
export type JoinCondition = z.output<typeof joinCondition>
export type Join = z.output<typeof join>
export type Union = z.output<typeof union>
/** A query as a JSON object, as the HTTP API takes it in `pipeline`. */
export type Pipeline = z.output<typeof pipeline>
