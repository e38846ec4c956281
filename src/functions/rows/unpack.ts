import { NameSet, parseLogfmt, type MutableRow, type Value } from '../../data/index.ts'
import { plainName } from '../../plan/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { MemberNames, flattenJson } from '../text/json-fields.ts'
import { parseSyslog } from '../text/syslog.ts'
import {
  jsonTextAt,
  matchesAny,
  patternsOf,
  textAt,
  writeResult,
  type Overwriting,
  type PatternLists,
} from './shared.ts'

interface Params extends Overwriting {
  readonly from: string
  readonly prefix: string
  /** Patterns of the fields to unpack; `null` for all. */
  readonly fieldPatterns: PatternLists | null
  /** Names of the fields to write, prefix included. If it is missing, all fields that match are written. */
  readonly needed?: readonly string[]
  /** Field that receives a value without a name. Used only if there is no prefix. */
  readonly nameless?: string
}

/** Returns the field names, without prefix, to read from a string; `undefined` if any name may be needed. */
function namesRead({ prefix, fieldPatterns, needed }: Params): readonly string[] | undefined {
  const patterns = fieldPatterns === null ? undefined : patternsOf(fieldPatterns)
  if (needed === undefined) {
    const names = patterns?.flatMap((pattern) => plainName(pattern) ?? [])
    return names?.length === patterns?.length ? names : undefined
  }
  const names = needed.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return patterns === undefined ? names : names.filter((name) => matchesAny(patterns, name))
}

/** Returns the names of `namesRead` as they occur in the string, where the name may be empty. */
function textNames(params: Params): readonly string[] | undefined {
  const names = namesRead(params)
  return params.prefix === '' && params.nameless !== undefined && names?.includes(params.nameless) === true
    ? [...names, '']
    : names
}

/**
 * Returns a function that writes the fields found in a string: those in `namesRead`, else those that match the
 * patterns.
 */
function writer(params: Params): (row: MutableRow, fields: readonly (readonly [string, Value])[]) => MutableRow {
  const patterns = params.fieldPatterns === null ? undefined : patternsOf(params.fieldPatterns)
  const names = patterns?.flatMap((pattern) => plainName(pattern) ?? []) ?? []
  const all = namesRead(params)
  const wanted = all === undefined ? undefined : new Set(all)
  const isWanted = (name: string): boolean =>
    wanted === undefined ? patterns === undefined || matchesAny(patterns, name) : wanted.has(name)
  const nameless = params.prefix === '' ? (params.nameless ?? '') : ''
  return (row, fields) => {
    const found = new Map<string, Value>()
    for (const [read, value] of fields) {
      const name = read === '' ? nameless : read
      if (isWanted(name)) found.set(name, value)
    }
    // A requested field that the string does not contain becomes empty.
    for (const name of names) if (!found.has(name)) found.set(name, null)
    for (const [name, value] of found) writeResult(row, params.prefix + name, value, params)
    return row
  }
}

const parameters = [
  { name: 'from', text: 'field that is read' },
  { name: 'fields', text: 'only these; all without any' },
  { name: 'result_prefix', text: 'put before each name' },
  { name: 'keep_original_fields', text: 'a field that has a value keeps it' },
  { name: 'skip_empty_results', text: 'an empty result is not written' },
]

export const unpackJson: RowFunction = {
  name: 'unpack_json',
  fieldParams: ['from'],
  neededParam: 'needed',
  doc: {
    summary: 'The members of a JSON object as fields; nested objects get dotted names.',
    parameters: [...parameters, { name: 'preserve_keys', text: 'objects of these names stay JSON' }],
    examples: [{ query: '* | unpack_json from content fields (user) | limit 3' }],
  },
}

export const compileUnpackJson: CompileRow<Params & { readonly preserveKeys: readonly string[] }> = (
  params,
  { meter },
) => {
  const write = writer(params)
  const read = textNames(params)
  const names = read === undefined ? undefined : new MemberNames(read)
  return (row) => write(row, flattenJson(jsonTextAt(row, params.from, meter), '', params.preserveKeys, names) ?? [])
}

export const unpackLogfmt: RowFunction = {
  name: 'unpack_logfmt',
  fieldParams: ['from'],
  neededParam: 'needed',
  doc: {
    summary: 'The `name=value` pairs of a text as fields.',
    parameters,
    examples: [{ query: '* | unpack_logfmt from content fields (user) | limit 3' }],
  },
}

export const compileUnpackLogfmt: CompileRow<Params> = (params) => {
  const write = writer(params)
  const read = textNames(params)
  const names = read === undefined ? undefined : new NameSet(read)
  return (row) => write(row, parseLogfmt(textAt(row, params.from), names))
}

interface SyslogParams {
  readonly from: string
  readonly prefix: string
  readonly offsetNs: string
  readonly keepsOriginal: boolean
  readonly needed?: readonly string[]
}

export const unpackSyslog: RowFunction = {
  name: 'unpack_syslog',
  fieldParams: ['from'],
  neededParam: 'needed',
  doc: {
    summary: 'The parts of a syslog line (RFC 3164, RFC 5424, CEF) as fields.',
    parameters: [
      { name: 'from', text: 'field that is read' },
      { name: 'offset', text: 'how far local time is ahead of UTC' },
      { name: 'result_prefix', text: 'put before each name' },
      { name: 'keep_original_fields', text: 'a field that has a value keeps it' },
    ],
    examples: [{ query: '* | unpack_syslog from content result_prefix "syslog." | limit 3' }],
  },
}

export const compileUnpackSyslog: CompileRow<SyslogParams> = (params, { nowNs }) => {
  const write = writer({ ...params, skipsEmpty: false, fieldPatterns: null })
  const context = { nowNs, offsetNs: BigInt(params.offsetNs) }
  return (row) => write(row, parseSyslog(textAt(row, params.from), context))
}
