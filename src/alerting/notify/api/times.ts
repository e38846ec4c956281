import { parseIsoTime } from '../../../base/index.ts'
import { Refusal, memberOf, typed } from './refusal.ts'

/** Parses a time of a body to Unix ms; UTC without a zone. `undefined` if missing, empty or Go's zero time. */
export function timeAt(bodyName: string, object: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const text = typed(bodyName, memberOf(object, name), 'string', name)
  if (text === undefined || text === '' || text.startsWith('0001-01-01T00:00:00')) return undefined
  const ns = parseIsoTime(text)
  if (ns === undefined) {
    const message = `parsing ${bodyName} body from "" failed, because ${name} is no time: ${JSON.stringify(text)}`
    throw new Refusal(400, { code: 400, message })
  }
  return Number(ns / 1_000_000n)
}

/** Formats Unix ms as the API does, always with three fractional digits. */
export function printTime(ms: number): string {
  return new Date(ms).toISOString()
}
