import type { AnyPipeDefinition } from '../definition.ts'
import { fields } from './fields.ts'
import { filter } from './filter.ts'
import { limit } from './limit.ts'
import { offset } from './offset.ts'
import { copy, rename } from './rename.ts'
import { sort } from './sort.ts'
import { stats } from './stats.ts'
import { uniq } from './uniq.ts'

/** Every pipe of the language. */
export const pipeDefinitions: readonly AnyPipeDefinition[] = [
  filter,
  fields,
  limit,
  offset,
  sort,
  stats,
  rename,
  copy,
  uniq,
]
