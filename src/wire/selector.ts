import { z } from 'zod'
import { filterGroup } from './filter-group.ts'
import { anyJson, text } from './schema.ts'

/** One step of processing a selected column: an aggregate or scalar function by name. */
export const processor = z
  .object({
    op: text().optional(),
    args: z.array(anyJson()).optional(),
    aliasType: text().optional(),
  })
  .meta({ id: 'Processor', description: 'A function applied to the selected column; several are applied in order.' })

const column = {
  key: text().optional(),
  origin: text().optional(),
  type: text().optional(),
  additionalFilter: text().optional(),
  autoComplete: z.boolean().optional(),
  filterKeys: z.array(text()).optional(),
  isNullable: z.boolean().optional(),
}

/** A column by name, as join conditions and math expressions use it. */
export const columnReference = z.object(column).meta({ id: 'ColumnReference', description: 'A column by name.' })

/** A column, its processing, and the name of the result. */
export const selector = z
  .object({
    ...column,
    alias: text().optional(),
    processors: z.array(processor).optional(),
    conditionFilter: filterGroup.optional(),
    get windowSpec() {
      return windowSpec.optional()
    },
  })
  .meta({ id: 'Selector', description: 'A column, what is done to it, and the name of the result.' })

/** Makes a selector's aggregate a window function: rows are kept, with the value of their partition. */
export const windowSpec = z
  .object({
    get partitionBy() {
      return z.array(selector).optional()
    },
  })
  .meta({ id: 'WindowSpec', description: 'The columns whose equal values make one partition.' })

export type Processor = z.output<typeof processor>
export type ColumnReference = z.output<typeof columnReference>
export type Selector = z.output<typeof selector>
export type WindowSpec = z.output<typeof windowSpec>
