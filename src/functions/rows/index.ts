import type { RowFunction } from '../definition.ts'
import { coalesce } from './coalesce.ts'
import { dropEmptyFields } from './drop-empty-fields.ts'
import { extract, extractRegexp } from './extract.ts'
import { format } from './format.ts'
import { hash } from './hash.ts'
import { jsonArrayConcat, jsonArrayGet, unpackWords, unroll } from './lists.ts'
import { logqlStages } from '../logql/logql-stages.ts'
import { jsonArrayLen, len } from './measure.ts'
import { packJson, packLogfmt } from './pack.ts'
import { setStreamFields } from './set-stream-fields.ts'
import { split } from './split.ts'
import { collapseNums, decolorize, replace, replaceRegexp } from './text-edits.ts'
import { timeAdd } from './time-add.ts'
import { unpackJson, unpackLogfmt, unpackSyslog } from './unpack.ts'

/** Row functions in reference order; `implementations.ts` adds their code. */
export const rowFunctions: readonly RowFunction[] = [
  coalesce,
  collapseNums,
  decolorize,
  dropEmptyFields,
  extract,
  extractRegexp,
  format,
  hash,
  jsonArrayConcat,
  jsonArrayGet,
  jsonArrayLen,
  len,
  logqlStages,
  packJson,
  packLogfmt,
  replace,
  replaceRegexp,
  setStreamFields,
  split,
  timeAdd,
  unpackJson,
  unpackLogfmt,
  unpackSyslog,
  unpackWords,
  unroll,
]
