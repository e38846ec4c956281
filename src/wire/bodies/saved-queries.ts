import { z } from 'zod'

/** Maximum number of saved queries of one user. The console shows them in one list, without pages. */
const MAX_SAVED_QUERIES = 200

/** Maximum length of the name of a saved query, UTF-16 units: it must fit on one line of a list. */
const MAX_NAME_CHARS = 100

/** Saved queries of one user in their order; both the request body and the answer. */
export const savedQueries = z
  .object({
    queries: z
      .array(z.object({ name: z.string().min(1).max(MAX_NAME_CHARS), query: z.string() }))
      .max(MAX_SAVED_QUERIES),
  })
  .meta({ id: 'SavedQueries', description: 'Queries that a user has saved under names.' })

export type SavedQueries = z.output<typeof savedQueries>
