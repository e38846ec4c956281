import { z } from 'zod'
import { integer } from '../schema.ts'

/** Query parameters of paged lists. */
export const pageParameters = z
  .object({ limit: integer(0).optional(), skip: integer(0).default(0) })
  .meta({ id: 'PageParameters', description: 'Which part of a list to give.' })
