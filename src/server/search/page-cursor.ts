import { createHash } from 'node:crypto'
import { interval, nowhere, type Interval } from '../../base/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { describeValue } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'

export const NEXT_CURSOR_HEADER = 'X-Next-Cursor'

/** Length of a digest, bytes: enough to detect a cursor that is sent with another request. */
const DIGEST_BYTES = 12

/** One page of an answer. */
export interface Page {
  readonly offset: number
  readonly limit: number
  /** Time range of the first page, so that relative times do not move between pages. */
  readonly range: Interval
  /** Cursor that requests the next page. */
  readonly next: string
}

interface PageOptions {
  /** Everything that determines the rows of the answer; a cursor is valid only for an equal request. */
  readonly request: unknown
  readonly range: Interval
  readonly maxLimit: number
}

function digestOf(request: unknown): string {
  const text = JSON.stringify(request, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    return value instanceof Map ? [...value] : value
  })
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES).toString('base64url')
}

const CURSOR = /^(\d{1,15})\.(\d{1,9})\.(-?\d{1,19})\.(-?\d{1,19})\.([\w-]{16})$/

/**
 * Returns the page that the parameters `limit` and `cursor` request; `undefined` without these parameters. A cursor
 * contains only values that the client may choose anyway (offset, size and range), so it is not signed. Throws
 * `server/bad-parameter`, `server/bad-cursor`.
 */
export function pageOf(query: URLSearchParams, { request, range, maxLimit }: PageOptions): Page | undefined {
  const givenLimit = query.get('limit')
  const cursor = query.get('cursor')
  if (givenLimit === null && cursor === null) return undefined
  const digest = digestOf(request)
  const known = cursor === null ? undefined : CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (known === null || (known !== undefined && known[5] !== digest)) throw fault('bad-cursor', {})
  const [, place = '0', size = '', startNs = range.startNs, endNs = range.endNs] = known ?? []
  const limitText = givenLimit ?? size
  const limit = Number(limitText)
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > maxLimit) {
    const expected = `a whole number from 1 to ${maxLimit}`
    throw fault('bad-parameter', { name: 'limit', expected, found: describeValue(limitText) })
  }
  const offset = Number(place)
  const next = `${offset + limit}.${limit}.${startNs}.${endNs}.${digest}`
  return {
    offset,
    limit,
    range: interval(BigInt(startNs), BigInt(endNs)),
    next: Buffer.from(next, 'latin1').toString('base64url'),
  }
}

/**
 * Returns a function that limits a plan to the rows of a page, and one more row that shows whether another page
 * follows.
 */
export function rowsOfPage({ offset, limit }: Page): (plan: LogicalPlan) => LogicalPlan {
  return (input) => ({ kind: 'limit', input, limit: limit + 1, offset, origin: nowhere })
}
