import type { AnyFilterDefinition } from '../definition.ts'
import { compare } from './compare.ts'
import { exact } from './exact.ts'
import { containsAll, containsAny, inList } from './in.ts'
import { and, broken, group, not, or } from './logic.ts'
import { pattern } from './pattern.ts'
import { range } from './range.ts'
import { regexp } from './regexp.ts'
import { streamId } from './stream-id.ts'
import { stream } from './stream.ts'
import { clock } from './time/clock.ts'
import { time } from './time/time.ts'
import { word } from './word.ts'

/** Every filter form of the language. */
export const filterDefinitions: readonly AnyFilterDefinition[] = [
  word,
  pattern,
  exact,
  regexp,
  compare,
  inList,
  containsAll,
  containsAny,
  range,
  time,
  clock,
  stream,
  streamId,
  and,
  or,
  not,
  group,
  broken,
]
