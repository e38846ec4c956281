import type { Tool } from '../tool.ts'
import { check } from './check.ts'
import { compare } from './compare.ts'
import { context } from './context.ts'
import { explain } from './explain.ts'
import { fields } from './fields.ts'
import { hits } from './hits.ts'
import { metrics } from './metrics.ts'
import { monitors } from './monitors.ts'
import { patterns } from './patterns.ts'
import { query } from './query.ts'
import { trace } from './trace.ts'
import { values } from './values.ts'

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  query,
  check,
  fields,
  values,
  hits,
  patterns,
  compare,
  context,
  trace,
  metrics,
  explain,
  monitors,
]
