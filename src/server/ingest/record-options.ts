import { z } from 'zod'
import { BadRecordOption, readRecordOptions, recordOptionWords, type RecordOptions } from '../../ingest/index.ts'
import { fault } from '../http-fault.ts'

function parameterOf(word: string): string {
  return word.replaceAll('-', '_')
}

/** `X-Sluice-` before the option's word. */
export function headerOf(word: string): string {
  return `X-Sluice-${word.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`
}

/** As query parameters of a route, for the OpenAPI document. */
export const recordOptionParameters = recordOptionWords.map(({ word, summary }) => ({
  name: parameterOf(word),
  description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. The header \`${headerOf(word)}\` says the same.`,
  schema: z.string(),
}))

/**
 * What a request says about its records: `?time_field=` or `X-Sluice-Time-Field` and so on; a parameter wins over its
 * header. `undefined` when it says nothing; 400 for what cannot be understood.
 */
export function recordOptionsOf(headers: Headers, query: URLSearchParams): RecordOptions | undefined {
  try {
    return readRecordOptions((word) => query.get(parameterOf(word)) ?? headers.get(headerOf(word)) ?? undefined)
  } catch (error) {
    if (!(error instanceof BadRecordOption)) throw error
    const { word, message } = error
    throw fault('bad-record-option', { parameter: parameterOf(word), header: headerOf(word), reason: message })
  }
}
