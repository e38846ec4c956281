import { z } from 'zod'
import { BadRecordOption, readRecordOptions, requestOptionWords, type RecordOptions } from '../../ingest/index.ts'
import { fault } from '../errors/http-fault.ts'
import type { RequestHeaders } from '../http/request-headers.ts'

function parameterOf(word: string): string {
  return word.replaceAll('-', '_')
}

/** Returns the name of the header for an option: `X-Sluice-` and its name. */
export function headerOf(word: string): string {
  return `X-Sluice-${word.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`
}

/** Names of equivalent options in VictoriaLogs. */
const OTHER_NAMES: ReadonlyMap<string, { readonly parameter: string; readonly header: string }> = new Map([
  ['time-field', { parameter: '_time_field', header: 'VL-Time-Field' }],
  ['text-field', { parameter: '_msg_field', header: 'VL-Msg-Field' }],
  ['stream-fields', { parameter: '_stream_fields', header: 'VL-Stream-Fields' }],
  ['extra-fields', { parameter: 'extra_fields', header: 'VL-Extra-Fields' }],
  ['ignore-fields', { parameter: 'ignore_fields', header: 'VL-Ignore-Fields' }],
])

function said(word: string, headers: RequestHeaders, query: URLSearchParams): string | undefined {
  const other = OTHER_NAMES.get(word)
  return (
    query.get(parameterOf(word)) ??
    (other && query.get(other.parameter)) ??
    headers.get(headerOf(word)) ??
    (other && headers.get(other.header)) ??
    undefined
  )
}

/** Query parameters for the OpenAPI document. */
export const recordOptionParameters = requestOptionWords.map(({ word, summary }) => ({
  name: parameterOf(word),
  description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. The header \`${headerOf(word)}\` says the same.`,
  schema: z.string(),
}))

/**
 * Returns the record options of a request: `?time_field=` or `X-Sluice-Time-Field` and so on, or their aliases. A
 * parameter takes precedence over the header. `undefined` if there are none; throws 400 for invalid ones.
 */
export function recordOptionsOf(headers: RequestHeaders, query: URLSearchParams): RecordOptions | undefined {
  try {
    return readRecordOptions((word) => said(word, headers, query))
  } catch (error) {
    if (!(error instanceof BadRecordOption)) throw error
    const { word, message } = error
    throw fault('bad-record-option', { parameter: parameterOf(word), header: headerOf(word), reason: message })
  }
}
