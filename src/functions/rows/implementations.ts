import type { RowImplementation } from '../definition.ts'
import { coalesce, compileCoalesce } from './coalesce.ts'
import { implementRow } from './define.ts'
import { compileDropEmptyFields, dropEmptyFields } from './drop-empty-fields.ts'
import { compileExtract, compileExtractRegexp, extract, extractRegexp } from './extract.ts'
import { compileFormat, format } from './format.ts'
import { compileHash, hash } from './hash.ts'
import {
  compileJsonArrayConcat,
  compileJsonArrayGet,
  compileUnpackWords,
  compileUnroll,
  jsonArrayConcat,
  jsonArrayGet,
  unpackWords,
  unroll,
} from './lists.ts'
import { compileLogqlStages } from '../logql/entries.ts'
import { logqlStages } from '../logql/logql-stages.ts'
import { compileJsonArrayLen, compileLen, jsonArrayLen, len } from './measure.ts'
import { compilePackJson, compilePackLogfmt, packJson, packLogfmt } from './pack.ts'
import { compileSetStreamFields, setStreamFields } from './set-stream-fields.ts'
import { compileSplit, split } from './split.ts'
import {
  collapseNums,
  compileDecolorize,
  compileReplace,
  compileReplaceRegexp,
  decolorize,
  replace,
  replaceRegexp,
} from './text-edits.ts'
import { compileCollapseNums } from './collapse-nums.ts'
import { compileTimeAdd, timeAdd } from './time-add.ts'
import {
  compileUnpackJson,
  compileUnpackLogfmt,
  compileUnpackSyslog,
  unpackJson,
  unpackLogfmt,
  unpackSyslog,
} from './unpack.ts'

/** Row functions with their code, in the order of `index.ts`. */
export const rowImplementations: readonly RowImplementation[] = [
  implementRow(coalesce, compileCoalesce),
  implementRow(collapseNums, compileCollapseNums),
  implementRow(decolorize, compileDecolorize),
  implementRow(dropEmptyFields, compileDropEmptyFields),
  implementRow(extract, compileExtract),
  implementRow(extractRegexp, compileExtractRegexp),
  implementRow(format, compileFormat),
  implementRow(hash, compileHash),
  implementRow(jsonArrayConcat, compileJsonArrayConcat),
  implementRow(jsonArrayGet, compileJsonArrayGet),
  implementRow(jsonArrayLen, compileJsonArrayLen),
  implementRow(len, compileLen),
  implementRow(logqlStages, compileLogqlStages),
  implementRow(packJson, compilePackJson),
  implementRow(packLogfmt, compilePackLogfmt),
  implementRow(replace, compileReplace),
  implementRow(replaceRegexp, compileReplaceRegexp),
  implementRow(setStreamFields, compileSetStreamFields),
  implementRow(split, compileSplit),
  implementRow(timeAdd, compileTimeAdd),
  implementRow(unpackJson, compileUnpackJson),
  implementRow(unpackLogfmt, compileUnpackLogfmt),
  implementRow(unpackSyslog, compileUnpackSyslog),
  implementRow(unpackWords, compileUnpackWords),
  implementRow(unroll, compileUnroll),
]
