import { SluiceError } from '../../../base/index.ts'
import { BLANK_EVENT, NO_EVENT } from '../../../ingest/agents/index.ts'
import { collectorAcknowledged, collectorAnswer, collectorAsked, collectorError } from '../../../wire/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { fault } from '../../errors/http-fault.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { json } from '../../http/respond.ts'
import { defineRoute, type AnyRoute, type RouteCall } from '../definition/route.ts'
import type { ErrorAnswer, ShapedError } from '../../errors/to-error-response.ts'
import { agentRoute, defaultsOf, forSenders } from './agent-route.ts'

/** Codes and texts of the Splunk protocol, by error code, or else by HTTP status. */
const WORDS: ReadonlyMap<string | number, readonly [code: number, text: string]> = new Map<
  string | number,
  readonly [number, string]
>([
  ['server/no-key', [2, 'Token is required']],
  ['server/unknown-key', [4, 'Invalid token']],
  ['server/no-role', [1, 'Token disabled']],
  ['server/no-backend', [7, 'Incorrect index']],
  ['server/stopping', [23, 'Server is shutting down']],
  [400, [6, 'Invalid data format']],
  [413, [27, 'Request entity too large']],
  [415, [6, 'Invalid data format']],
  [500, [8, 'Internal server error']],
])
const BUSY = [9, 'Server is busy'] as const
const NO_DATA = [5, 'No data'] as const
const REASONS: ReadonlyMap<string, readonly [number, string]> = new Map([
  [NO_EVENT, [12, 'Event field is required']],
  [BLANK_EVENT, [13, 'Event field cannot be blank']],
])

/** The first rejected event, and the number of events before it. */
interface Refused {
  readonly reason: string
  readonly line: number
}

function refusedOf(error: unknown): Refused | undefined {
  const data =
    error instanceof SluiceError && error.code === 'server/nothing-accepted' ? error.diagnostics[0]?.data : {}
  return data !== undefined && data !== null && typeof data === 'object' && 'reason' in data && 'line' in data
    ? (data as unknown as Refused)
    : undefined
}

function shapeError(error: unknown, { status, headers, body }: ErrorAnswer): ShapedError {
  const refused = refusedOf(error)
  const [code, text] =
    (refused && (refused.reason === NO_DATA[1] ? NO_DATA : REASONS.get(refused.reason))) ??
    WORDS.get(body.code) ??
    WORDS.get(status) ??
    BUSY
  const at = refused === undefined || code === NO_DATA[0] ? {} : { 'invalid-event-number': refused.line - 1 }
  return { status, headers, body: { ...body, text, code, ...at } }
}

/**
 * Returns success if no event was rejected. Valid events are stored in either case, before the answer is sent, so the
 * current time can serve as the acknowledgement id that some clients request.
 */
function answer(
  { accepted, rejected, errors: [first] }: IngestReport,
  { headers, query, context: { clock } }: RouteCall<unknown>,
): HttpAnswer {
  if (first === undefined && accepted > 0) {
    const isAsked = headers.get('x-splunk-request-channel') !== null || query.has('channel')
    return json({ text: 'Success', code: 0, ...(isAsked ? { ackId: clock.nowMs() } : {}) })
  }
  const { line = 1, reason = NO_DATA[1], excerpt = '' } = first ?? {}
  throw fault('nothing-accepted', { rejected, line, reason, excerpt })
}

const METADATA = ['host', 'source', 'sourcetype', 'index'] as const

const at = (path: string): Pick<AnyRoute, 'path' | 'alsoAt'> => ({ path, alsoAt: [`${path}/1.0`] })

const shared = {
  answers: [{ status: 200, description: 'All events are stored.', schema: collectorAnswer }],
  errors: collectorError,
  shapeError,
}

/** Routes of an HTTP event collector of Splunk. */
export const collectorRoutes: readonly AnyRoute[] = [
  agentRoute({
    ...shared,
    name: 'collectorEvents',
    path: '/services/collector/event',
    alsoAt: ['/services/collector', '/services/collector/event/1.0'],
    summary: 'Store events sent to an event collector',
    format: 'splunk-events',
    defaultFields: ({ query }) => defaultsOf(query, METADATA),
    answer,
  }),
  agentRoute({
    ...shared,
    name: 'collectorRaw',
    ...at('/services/collector/raw'),
    summary: 'Store lines of text sent to an event collector',
    format: 'text',
    defaultFields: ({ query }) => defaultsOf(query, METADATA),
    answer,
  }),
  defineRoute({
    ...forSenders,
    ...shared,
    name: 'collectorAcknowledgements',
    method: 'POST',
    path: '/services/collector/ack',
    summary: 'Return which requests to the event collector are stored',
    body: collectorAsked,
    answers: [{ status: 200, description: 'True for each request that is stored.', schema: collectorAcknowledged }],
    handle: ({ body, context: { clock } }) => {
      const nowMs = clock.nowMs()
      return Promise.resolve(json({ acks: Object.fromEntries(body.acks.map((id) => [id, id <= nowMs])) }))
    },
  }),
  defineRoute({
    ...forSenders,
    ...shared,
    name: 'collectorHealth',
    ...at('/services/collector/health'),
    method: 'GET',
    summary: 'Health check of the event collector',
    answers: [{ status: 200, description: 'The collector accepts events.', schema: collectorAnswer }],
    handle: () => Promise.resolve(json({ text: 'HEC is healthy', code: 17 })),
  }),
]
