import { z } from 'zod'
import { condition } from './condition.ts'
import { word } from './schema.ts'

/** Conditions and groups of one level, joined by one operator; `and` when none is named. */
export const filterGroup = z
  .object({
    operator: word(['and', 'or']).optional(),
    conditions: z.array(condition).optional(),
    get groups() {
      return z.array(filterGroup).optional()
    },
    disabled: z.boolean().optional(),
  })
  .meta({ id: 'FilterGroup', description: 'Conditions and further groups joined by one operator.' })

export type FilterGroup = z.output<typeof filterGroup>

/** True if a group has a condition at any depth. A group without conditions restricts nothing. */
export function hasContent(group: FilterGroup | undefined): boolean {
  if (group === undefined) return false
  return group.disabled === true || (group.conditions?.length ?? 0) > 0 || (group.groups ?? []).some(hasContent)
}
