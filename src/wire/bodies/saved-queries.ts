import { z } from 'zod'

/** More than a list that is read by eye can hold. */
const MAX_SAVED_QUERIES = 200

/** A name is a line of that list. */
const MAX_NAME_CHARS = 100

/** Body of saved queries, and the answer: the list of one user, in its order. */
export const savedQueries = z
  .object({
    queries: z
      .array(z.object({ name: z.string().min(1).max(MAX_NAME_CHARS), query: z.string() }))
      .max(MAX_SAVED_QUERIES),
  })
  .meta({ id: 'SavedQueries', description: 'Queries that a user has saved under names.' })

export type SavedQueries = z.output<typeof savedQueries>
