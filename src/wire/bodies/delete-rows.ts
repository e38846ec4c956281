import { z } from 'zod'
import { inOrder, instant, name, word } from '../schema.ts'

/** Tables whose rows can be deleted. */
export const deletableTables = ['logs', 'events', 'spans', 'clusters', 'workloads', 'samples'] as const

/** Body of `POST /api/rows/delete`. */
export const deleteRows = z
  .object({
    table: word(deletableTables).default('logs'),
    where: name().describe(
      'Filters of the log language, without pipes; `*` is every row of the range. Of `samples` a series selector, `up{job="api"}`.',
    ),
    start: instant(),
    end: instant(),
    write: z.boolean().default(false).describe('True deletes; without it the rows are only counted.'),
  })
  .superRefine(inOrder('start', 'end'))
  .meta({ id: 'DeleteRows', description: 'Which rows to delete for ever.' })

export type DeleteRows = z.output<typeof deleteRows>

export type DeletedRows = z.output<typeof deletedRows>

export const deletedRows = z
  .object({
    rows: z.number().describe('How many were deleted, or would be.'),
    deleted: z.boolean(),
    id: z.string().optional().describe('Of the deletion in the audit.'),
  })
  .meta({ id: 'DeletedRows', description: 'What was deleted, or would be.' })
