import { z } from 'zod'
import { BATCH_ROWS, MAX_NS, always, HOUR_NS } from '../../../base/index.ts'
import { rowsOf, type RecordBatch } from '../../../data/index.ts'
import { entriesPlan } from '../../../engine/logql/index.ts'
import { lowerLogs } from '../../../lang/logql/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { CLOSE, type HttpAnswer } from '../../http/answer.ts'
import { JSON_TYPE } from '../../http/respond.ts'
import { RequestParameters } from '../../metrics/parameters.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { searchForPlan } from '../../search/plan-request.ts'
import { isSearched } from '../search.ts'
import { askStep, openTail, tailStepAnswer, type TailStep, type TailForm } from '../tail-stream.ts'
import { defineLokiRoutes, refuse, type LokiCall } from './define-loki-routes.ts'
import { lokiErrors } from './errors.ts'
import { limitParameter, queryParameter, timeParameter } from './parameters.ts'
import { isCategorized, lokiTable, parsedEntries, parsedQuery } from './source.ts'
import { LokiStreams, inOldForm, type LokiStream } from './streams.ts'

/** Maximum delay of entries that a client can request, seconds; as in Loki. */
const MAX_DELAY_S = 5

const stepBody = z.object({
  parameters: z.string(),
  isOld: z.boolean(),
  next: z.number().int().nonnegative().optional(),
})

/** Writes each entry as a stream with one value, as Loki's tail does. */
class EntryWriter {
  readonly #timeField: string
  readonly #isDivided: boolean
  readonly #isOld: boolean

  constructor(timeField: string, isDivided: boolean, isOld: boolean) {
    this.#timeField = timeField
    this.#isDivided = isDivided
    this.#isOld = isOld
  }

  *batch(batch: RecordBatch): Generator<string> {
    for (const row of rowsOf(batch)) {
      const streams = new LokiStreams(this.#timeField, this.#isDivided && !this.#isOld)
      streams.addAll([row], 'forward')
      for (const stream of streams.list()) yield JSON.stringify(this.#isOld ? inOldForm(stream) : stream)
    }
  }

  /** Formats labels and time of an entry that was dropped because the reader was too slow. */
  lost(entry: string): string {
    if (this.#isOld) {
      const { labels, entries } = JSON.parse(entry) as ReturnType<typeof inOldForm>
      return JSON.stringify({ labels, timestamp: entries[0]?.ts })
    }
    const { stream, values } = JSON.parse(entry) as LokiStream
    return JSON.stringify({ labels: stream, timestamp: values[0]?.[0] })
  }
}

/**
 * Internal route for one step: returns entries that arrived since the last step. The first step returns the newest
 * stored entries.
 */
const tailStep = defineRoute({
  name: 'lokiTailStep',
  method: 'POST',
  path: '/loki/api/v1/tail',
  summary: 'Entries that arrived',
  role: 'read',
  body: stepBody,
  answers: [{ status: 200, description: 'The entries.', contentType: JSON_TYPE }],
  isQuery: true,
  ...lokiErrors,
  isAvailable: isSearched('logs'),
  handle: (whole) => {
    const { body, context, caller } = whole
    const service = context.search
    if (service === undefined) throw fault('not-found', { what: 'path' })
    const parameters = new RequestParameters(new URLSearchParams(body.parameters), new URLSearchParams())
    const call: LokiCall = { ...whole, parameters, service }
    const query = parsedEntries(call, queryParameter(parameters, caller), false)
    const table = lokiTable(call)
    const limit = Math.min(limitParameter(parameters), BATCH_ROWS)
    const startNs = timeParameter(parameters, 'start', context.nowNs() - HOUR_NS)
    return tailStepAnswer({
      service,
      request: searchForPlan(caller, 'logs', lowerLogs(query, table), always),
      writer: new EntryWriter(table.timeField, isCategorized(call), body.isOld),
      next: body.next,
      before: {
        range: { startNs, endNs: MAX_NS },
        over: () => entriesPlan(query, table, 'backward', limit),
      },
    })
  },
})

/** Output format for messages of a WebSocket. */
const messageForm: TailForm = {
  type: undefined,
  rows: ({ rows, lost = [] }) => {
    const dropped = lost.length === 0 ? '' : `,"dropped_entries":[${lost.join(',')}]`
    return `{"streams":[${rows.join(',')}]${dropped}}`
  },
  // No message is needed, because the WebSocket sends pings.
  heartbeat: undefined,
  end: '',
  error: () => undefined,
  breaksOnError: false,
}

async function openLokiTail(call: LokiCall, isOld: boolean): Promise<HttpAnswer> {
  const { parameters, caller, context, isWebSocket } = call
  const query = parsedQuery(call, queryParameter(parameters, caller))
  limitParameter(parameters)
  timeParameter(parameters, 'start', 0n)
  const delay = parameters.get('delay_for') ?? '0'
  if (!/^\d{1,9}$/.test(delay) || Number(delay) > MAX_DELAY_S)
    refuse(`delay_for must be a whole number of seconds, and can't be greater than ${MAX_DELAY_S}`)
  if (isWebSocket !== true) return refuse('Bad Request')
  // As in Loki, a metric query is rejected with a close frame.
  if (query.kind !== 'log-query') {
    const closing = { code: CLOSE.failed, reason: 'only log selector is supported' }
    return { status: 101, headers: {}, body: null, closing: () => closing }
  }
  const given = parameters.entries().toString()
  const ask = (next?: number): Promise<TailStep> => askStep(call, { parameters: given, isOld, next })
  const whole = { ...call, context, body: undefined, query: new URLSearchParams() }
  return openTail(whole, { form: messageForm, endMs: Infinity, ask })
}

const SHARED = {
  parameters: {
    query: 'A query of entries, in LogQL.',
    start: 'First sends the last entries from it on: Unix time in ns or seconds, or RFC 3339. Default: an hour ago.',
    limit: `Number of those entries; 100 when it is not given, at most ${BATCH_ROWS}.`,
    delay_for: `Checked, and not needed: entries are sent as they arrive. At most ${MAX_DELAY_S}.`,
  },
  isQuery: false,
  asks: tailStep,
  opensWebSocket: true,
} as const

const tailRoutes = defineLokiRoutes({
  ...SHARED,
  name: 'lokiTail',
  path: '/loki/api/v1/tail',
  summary: 'Follow logs as they arrive, over a WebSocket, as Loki does',
  answer: { description: 'Messages in JSON with `streams` of one entry each, and `dropped_entries`.' },
  handle: (call) => openLokiTail(call, false),
})

const oldTailRoutes = defineLokiRoutes({
  ...SHARED,
  name: 'lokiOldTail',
  path: '/api/prom/tail',
  summary: 'Follow logs as they arrive, over a WebSocket, in the older form of Loki',
  answer: { description: 'Messages in JSON with `streams` of one entry each, whose labels are one text.' },
  handle: (call) => openLokiTail(call, true),
})

export const lokiTailRoutes: readonly AnyRoute[] = [...tailRoutes, ...oldTailRoutes]
