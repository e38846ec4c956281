import { MAX_NS, MIN_NS, SECOND_NS, clampNs, parseDurationNs, throwIfErrors } from '../../../base/index.ts'
import { parseFilter, parseTimeSpan, type Filter } from '../../../lang/log/index.ts'
import { describeValue } from '../../../wire/index.ts'
import { fault } from '../../errors/http-fault.ts'
import type { Caller } from '../../auth/caller.ts'
import type { RequestParameters } from '../../metrics/parameters.ts'

/** Maximum number of extra filters in a request. Each filter is parsed, and evaluated on every row. */
const MAX_EXTRA_FILTERS = 100

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Converts a decimal number of seconds to ns. */
function secondsNs(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const ns = BigInt(whole) * SECOND_NS + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return clampNs(text.startsWith('-') ? -ns : ns)
}

/**
 * Parses a time to ns in any form that VictoriaLogs accepts: Unix time, a date of any precision, `now`, `now-5m`, or an
 * age.
 */
export function timeParameter(parameters: RequestParameters, name: string, nowNs: bigint): bigint | undefined {
  const text = parameters.get(name)?.trim()
  if (text === undefined) return undefined
  // A number of four digits is a year. The unit of longer numbers follows from their size.
  const isShort = /^-?\d{1,4}(?:\.\d{1,30})?$/.test(text) && !/^\d{4}$/.test(text)
  const ns = isShort ? secondsNs(text) : parseTimeSpan(text, nowNs, true)?.firstNs
  if (ns !== undefined) return ns
  throw fault('bad-parameter', {
    name,
    expected: 'a time such as `2026-03-10T11:00:00Z`, `1773140400`, `now` or `-5m`',
    found: describeValue(text),
  })
}

/** Parses a duration to ns: a duration with units, or a number of seconds. */
export function durationParameter(parameters: RequestParameters, name: string, otherwise: bigint): bigint {
  const text = parameters.get(name)?.trim()
  if (text === undefined) return otherwise
  const ns = NUMBER.test(text) && text.length <= 40 ? secondsNs(text) : parseDurationNs(text)
  if (ns !== undefined) return ns
  throw fault('bad-parameter', { name, expected: 'a duration such as `5m`, or seconds', found: describeValue(text) })
}

/** Parses a duration to ns. Throws unless it is above zero. */
export function stepParameter(parameters: RequestParameters, name: string, otherwise: bigint): bigint {
  const ns = durationParameter(parameters, name, otherwise)
  if (ns > 0n) return ns
  throw fault('bad-parameter', { name, expected: 'above zero', found: describeValue(parameters.get(name)) })
}

/** Parses a count; `undefined` if missing or 0, which mean unlimited. */
export function countParameter(parameters: RequestParameters, name: string): number | undefined {
  const text = parameters.get(name)?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text) === 0 ? undefined : Number(text)
  throw fault('bad-parameter', { name, expected: 'a whole number from 0 on', found: describeValue(text) })
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['', '0', 'false', 'f', 'no', 'n', 'off'].map((word) => [word, false] as const),
  ...['1', 'true', 't', 'yes', 'y', 'on'].map((word) => [word, true] as const),
])

export function flagParameter(parameters: RequestParameters, name: string): boolean {
  const text = parameters.get(name)?.trim() ?? ''
  const flag = FLAGS.get(text.toLowerCase())
  if (flag !== undefined) return flag
  throw fault('bad-parameter', { name, expected: '`1` or `0`', found: describeValue(text) })
}

/** Returns the required field name. Throws if it is missing. */
export function fieldParameter(parameters: RequestParameters): string {
  const name = parameters.get('field')
  if (name === undefined) throw fault('missing-parameter', { name: 'field', hint: 'It names the field to list.' })
  return name
}

type Values = readonly (readonly [name: string, values: readonly string[]])[]

/** Parses an object whose values are strings or lists of strings; empty lists are left out. */
function valuesIn(name: string, text: string): Values {
  const refuse = (found: string): never => {
    throw fault('bad-parameter', { name, expected: 'an object of texts or lists of texts, or a filter', found })
  }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    return refuse(`text that is no JSON (${(error as Error).message.slice(0, 200)})`)
  }
  return Object.entries(given as object).flatMap(([member, value]): Values => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (!values.every((each) => typeof each === 'string'))
      return refuse(`${describeValue(value)} at ${describeValue(member)}`)
    return values.length === 0 ? [] : [[member, values]]
  })
}

const quoted = (text: string): string => JSON.stringify(text)

const escapeRegex = (text: string): string => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)

function filterText(values: Values): string {
  return values
    .map(([field, [first = '', ...others]]) =>
      others.length === 0
        ? `${quoted(field)}:=${quoted(first)}`
        : `${quoted(field)}:in(${[first, ...others].map(quoted).join(',')})`,
    )
    .join(' ')
}

function streamFilterText(values: Values): string {
  const labels = values.map(([label, [first = '', ...others]]) =>
    others.length === 0
      ? `${quoted(label)}=${quoted(first)}`
      : `${quoted(label)}=~${quoted([first, ...others].map(escapeRegex).join('|'))}`,
  )
  return labels.length === 0 ? '' : `{${labels.join(',')}}`
}

/** Parses filters that apply to the query and all its subqueries. Throws a SluiceError for an invalid one. */
export function extraFilters(parameters: RequestParameters, caller: Caller): readonly Filter[] {
  const kinds = [
    ['extra_filters', filterText],
    ['extra_stream_filters', streamFilterText],
  ] as const
  const given = kinds.flatMap(([name, textOf]) => parameters.all(name).map((text) => ({ name, text, textOf })))
  if (given.length > MAX_EXTRA_FILTERS)
    throw fault('bad-parameter', {
      name: 'extra_filters',
      expected: `given at most ${MAX_EXTRA_FILTERS} times`,
      found: String(given.length),
    })
  return given.flatMap(({ name, text, textOf }) => {
    const isObject = text.startsWith('{"')
    const filter = isObject ? textOf(valuesIn(name, text)) : text
    if (filter.trim() === '') return []
    caller.readsText(name, filter)
    const { ast, diagnostics } = parseFilter(filter, { dialect: 'logsql' })
    throwIfErrors(diagnostics)
    return ast === undefined ? [] : [ast]
  })
}

/** Parses the range of the request, `[start, end)`. Throws if the end is before the start. */
export function rangeParameters(
  parameters: RequestParameters,
  nowNs: bigint,
): { readonly startNs: bigint; readonly endNs: bigint; readonly hasEnd: boolean } {
  const startNs = timeParameter(parameters, 'start', nowNs) ?? MIN_NS
  const endNs = timeParameter(parameters, 'end', nowNs)
  // For a range whose end is before its start, VictoriaLogs returns nothing instead of an error.
  if (endNs !== undefined && endNs < startNs) return { startNs, endNs: startNs, hasEnd: true }
  return { startNs, endNs: endNs ?? MAX_NS, hasEnd: endNs !== undefined }
}

/** Returns the query text. Throws if it is missing or blank. */
export function queryParameter(parameters: RequestParameters): string {
  const text = parameters.get('query')
  if (text === undefined || text.trim() === '')
    throw fault('missing-parameter', { name: 'query', hint: 'The query `*` finds every record.' })
  return text
}
