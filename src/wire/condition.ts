import { z } from 'zod'
import { anyJson, text } from './schema.ts'

/** One comparison with the column of a condition. Several comparisons of a condition are joined by OR. */
export const conditionFilter = z
  .object({
    op: text().optional(),
    value: anyJson().optional(),
  })
  .meta({ id: 'ConditionFilter', description: 'One comparison of the column with a value.' })

/** A column and the comparisons on it. */
export const condition = z
  .object({
    key: text().optional(),
    origin: text().optional(),
    type: text().optional(),
    filters: z.array(conditionFilter).optional(),
    additionalFilter: text().optional(),
    autoComplete: z.boolean().optional(),
    filterKeys: z.array(text()).optional(),
    isNullable: z.boolean().optional(),
  })
  .meta({ id: 'Condition', description: 'A column and the values it is compared with.' })

export type ConditionFilter = z.output<typeof conditionFilter>
export type Condition = z.output<typeof condition>
