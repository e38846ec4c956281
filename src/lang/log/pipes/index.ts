import type { AnyPipeDefinition } from '../definition.ts'
import { bucketize } from './bucketize.ts'
import { coalesce } from './coalesce.ts'
import { compute } from './compute.ts'
import { datetimeExtract } from './datetime-extract.ts'
import { deleteFields } from './delete.ts'
import { dropEmptyFields } from './drop-empty-fields.ts'
import { extract, extractRegexp } from './extract.ts'
import { compare } from './compare.ts'
import { facets, fieldNames, fieldValues } from './field-lists.ts'
import { fields } from './fields.ts'
import { filter } from './filter.ts'
import { first, last } from './first-last.ts'
import { format } from './format.ts'
import { generateSequence } from './generate-sequence.ts'
import { hash } from './hash.ts'
import { join } from './join.ts'
import { jsonArrayConcat, jsonArrayGet, unpackWords } from './json-array.ts'
import { limit } from './limit.ts'
import { math } from './math.ts'
import { jsonArrayLen, len } from './measure.ts'
import { offset } from './offset.ts'
import { packJson, packLogfmt } from './pack.ts'
import { patterns } from './patterns.ts'
import { copy, rename } from './rename.ts'
import { replace, replaceRegexp } from './replace.ts'
import { collapseNums, decolorize } from './rewrite-field.ts'
import { runningStats, totalStats } from './running-stats.ts'
import { sample } from './sample.ts'
import { setStreamFields } from './set-stream-fields.ts'
import { sort } from './sort.ts'
import { split } from './split.ts'
import { stats } from './stats.ts'
import { timeAdd } from './time-add.ts'
import { top } from './top.ts'
import { union } from './union.ts'
import { uniq } from './uniq.ts'
import { unpackJson, unpackLogfmt, unpackSyslog } from './unpack.ts'
import { unroll } from './unroll.ts'
import { blocksCount, blockStats, queryStats, streamContext } from './whole-input.ts'
import { window } from './window.ts'

/** All pipes, in the order of the reference documentation: common ones first. */
export const pipeDefinitions: readonly AnyPipeDefinition[] = [
  filter,
  fields,
  limit,
  offset,
  sort,
  stats,
  uniq,
  top,
  first,
  last,
  sample,
  rename,
  copy,
  deleteFields,
  math,
  format,
  extract,
  extractRegexp,
  replace,
  replaceRegexp,
  collapseNums,
  decolorize,
  coalesce,
  hash,
  len,
  split,
  unroll,
  unpackJson,
  unpackLogfmt,
  unpackSyslog,
  unpackWords,
  packJson,
  packLogfmt,
  jsonArrayLen,
  jsonArrayConcat,
  jsonArrayGet,
  dropEmptyFields,
  timeAdd,
  datetimeExtract,
  bucketize,
  compute,
  setStreamFields,
  join,
  union,
  runningStats,
  totalStats,
  window,
  patterns,
  compare,
  facets,
  fieldNames,
  fieldValues,
  streamContext,
  generateSequence,
  blocksCount,
  blockStats,
  queryStats,
]
