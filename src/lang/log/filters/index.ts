import type { AnyFilterDefinition } from '../definition.ts'
import { anyCase } from './any-case.ts'
import { lenRange, stringRange } from './bounds.ts'
import { containsCommonCase, equalsCommonCase } from './common-case.ts'
import { compare } from './compare.ts'
import { exact } from './exact.ts'
import { fieldCompare } from './field-compare.ts'
import { containsAll, containsAny, inList } from './in.ts'
import { ipv4Range, ipv6Range } from './ip-range.ts'
import { jsonArray } from './json-array.ts'
import { and, broken, group, not, or } from './logic.ts'
import { meets } from './meets.ts'
import { pattern } from './pattern.ts'
import { patternMatch } from './pattern-match.ts'
import { range } from './range.ts'
import { regexp } from './regexp.ts'
import { sequence } from './sequence.ts'
import { streamId } from './stream-id.ts'
import { stream } from './stream.ts'
import { clock } from './time/clock.ts'
import { time } from './time/time.ts'
import { valueType } from './value-type.ts'
import { word } from './word.ts'

export const filterDefinitions: readonly AnyFilterDefinition[] = [
  word,
  pattern,
  exact,
  regexp,
  compare,
  inList,
  containsAll,
  containsAny,
  jsonArray,
  anyCase,
  containsCommonCase,
  equalsCommonCase,
  sequence,
  patternMatch,
  range,
  stringRange,
  lenRange,
  ipv4Range,
  ipv6Range,
  fieldCompare,
  valueType,
  meets,
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
