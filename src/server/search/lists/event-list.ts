import type { AtNow, EventsOverTime, EventsOverTimeAnswer, Pipeline } from '../../../wire/index.ts'
import type { EventListService, SearchService } from '../service-interfaces.ts'
import type { Caller } from '../../auth/caller.ts'
import { readRows } from './read-rows.ts'
import { objectOf, pick, recordOf, type JsonRecord } from './record.ts'

/** Default number of events in a page. */
const DEFAULT_LIMIT = 1000

/** Members of an event by column. */
const MEMBERS = [
  'type',
  'reason',
  'message',
  'namespace',
  'workload',
  'instance',
  'cluster',
  'env',
  'exitCode',
  'object_kind',
  'object_uid',
  'uid',
  'normalized_uid',
] as const

function eventOf(record: JsonRecord, isRaw: boolean): JsonRecord {
  const event: JsonRecord = new Map([['timestamp', record.get('_time') ?? null]])
  const created = record.get('firstSeen')
  if (created !== undefined && created !== null) event.set('createdTimestamp', created)
  for (const [name, value] of pick(record, MEMBERS)) event.set(name, value)
  if (isRaw) event.set('raw', objectOf(record))
  return event
}

function pageOf(request: AtNow<EventsOverTime>, limit: number): Pipeline {
  const key = request.SortBy === undefined || request.SortBy === 'timestamp' ? '_time' : request.SortBy
  return {
    ...(request.Group === undefined ? {} : { filters: request.Group }),
    orderBy: [{ direction: request.SortOrder ?? 'desc', selector: { key } }],
    ...(request.Skip === undefined ? {} : { offset: request.Skip }),
    // Requests one event more than the page has, to see whether there is another page.
    limit: limit + 1,
  }
}

/** Lists events that a search finds, at most `maxRows` in a page. */
export function createEventList(search: SearchService, maxRows: number): EventListService {
  return {
    list: async (request: AtNow<EventsOverTime>, caller: Caller): Promise<EventsOverTimeAnswer> => {
      const limit = Math.min(request.Limit ?? DEFAULT_LIMIT, maxRows)
      const answer = await search.search({
        ...caller,
        domain: 'events',
        range: { startNs: request.Start, endNs: request.End },
        query: undefined,
        filters: request.Query,
        sources: [...(request.Conditions ?? []), ...(request.Sources ?? [])],
        pipeline: pageOf(request, limit),
        dialect: 'native',
        readsText: (_, text) => caller.readsText('Query', text),
      })
      const rows = await readRows(answer)
      const events = rows.slice(0, limit).map((row) => eventOf(recordOf(row), request.WithRawEvents === true))
      return {
        // The cast is safe: the schema permits additional members, and tests check the named ones.
        events: events.map(objectOf) as EventsOverTimeAnswer['events'],
        isLimitReached: rows.length > limit,
        warningIndicator: events.some((event) => event.get('type') === 'Warning'),
      }
    },
  }
}
