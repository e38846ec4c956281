import { nearestNames } from '../../../base/index.ts'
import type { Dialect } from '../../../plan/index.ts'
import { describeValue, isUuid } from '../../../wire/index.ts'
import { fault } from '../../errors/http-fault.ts'
import type { RouteCall } from './route.ts'

const dialects: readonly Dialect[] = ['native', 'logsql']

/** Parses a query parameter with a fixed set of values, ignoring case; `undefined` if missing. */
export function wordParameter<W extends string>(
  query: URLSearchParams,
  name: string,
  known: readonly W[],
): W | undefined {
  const given = query.get(name)?.trim() ?? ''
  if (given === '') return undefined
  const word = known.find((candidate) => candidate.toLowerCase() === given.toLowerCase())
  if (word !== undefined) return word
  throw fault('unknown-parameter-word', { name, word: given, near: nearestNames(given, known), known })
}

/** Parses `?dialect=`, the dialect of the query and its answer. Default: `native`. */
export function dialectParameter(query: URLSearchParams): Dialect {
  return wordParameter(query, 'dialect', dialects) ?? 'native'
}

/** Returns the path parameter `{id}` in lower case. Throws 400 if it is not a UUID. */
export function idOf(call: Pick<RouteCall<unknown>, 'path'>): string {
  const given = call.path.get('id') ?? ''
  if (!isUuid(given)) throw fault('bad-id', { found: describeValue(given) })
  return given.toLowerCase()
}
