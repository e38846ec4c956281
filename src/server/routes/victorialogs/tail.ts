import { z } from 'zod'
import { MAX_NS, always } from '../../../base/index.ts'
import { RowWriter } from '../../../data/index.ts'
import { JSON_TYPE } from '../../http/respond.ts'
import { RequestParameters } from '../../metrics/parameters.ts'
import { defineRoute } from '../definition/route.ts'
import { isSearched } from '../search.ts'
import { askStep, endOf, openTail, tailStepAnswer, type TailStep, type TailForm } from '../tail-stream.ts'
import { defineSelectRoutes } from './define-select-routes.ts'
import { selectErrors } from './errors.ts'
import { durationParameter, queryParameter } from './parameters.ts'
import { selectionOf, shownAnswer, withStreams } from './selection.ts'

const LINES_TYPE = 'application/x-ndjson'

/** Default age up to which stored rows are shown first, ns; as in VictoriaLogs. */
const START_OFFSET_NS = 5_000_000_000n

const stepBody = z.object({ parameters: z.string(), next: z.number().int().nonnegative().optional() })

/**
 * Internal route for one step: returns rows that arrived since the last step. The first step returns stored rows of the
 * last seconds.
 */
const tailStep = defineRoute({
  name: 'selectTailStep',
  method: 'POST',
  path: '/select/logsql/tail',
  summary: 'Rows that arrived',
  role: 'read',
  body: stepBody,
  answers: [{ status: 200, description: 'The rows.', contentType: JSON_TYPE }],
  isQuery: true,
  ...selectErrors,
  isAvailable: isSearched('logs'),
  handle: (call) => {
    const { body, context } = call
    const service = context.search
    if (service === undefined) throw new Error('a route without a service is not called')
    const parameters = new RequestParameters(new URLSearchParams(body.parameters), new URLSearchParams())
    const startOffsetNs = durationParameter(parameters, 'start_offset', START_OFFSET_NS)
    const selection = selectionOf({ ...call, parameters, service })
    const startNs = context.nowNs() - startOffsetNs
    return tailStepAnswer({
      service,
      request: { ...selection, range: always, over: withStreams },
      writer: new RowWriter('logsql'),
      next: body.next,
      before: startOffsetNs > 0n ? { range: { startNs, endNs: MAX_NS }, over: withStreams } : undefined,
      shown: shownAnswer,
    })
  },
})

/** Writes a line for each row, and a line when rows were dropped. */
const lineForm: TailForm = {
  type: LINES_TYPE,
  rows: ({ rows, dropped }) => {
    const lost = { _msg: `${dropped} older rows were left out: the reader is too slow.`, _dropped: String(dropped) }
    return `${rows.join('\n')}\n${dropped === 0 ? '' : `${JSON.stringify(lost)}\n`}`
  },
  heartbeat: undefined,
  end: '',
  error: (failure) => `${JSON.stringify({ error: failure })}\n`,
  breaksOnError: true,
}

export const selectTailRoutes = defineSelectRoutes({
  name: 'selectTail',
  path: 'tail',
  summary: 'Follow logs as they arrive, as VictoriaLogs does',
  parameters: {
    start_offset: 'First sends stored rows of this length of time; `5s` when it is not given.',
    offset: 'Read, and not needed: rows are sent in the order of their arrival.',
    for: 'Length of time after which the stream ends, such as `10s`. Default: it does not.',
    refresh_interval: 'Read, and not needed: rows are sent twice a second.',
  },
  answer: { description: 'One object a line, without an end.', schema: z.string(), contentType: LINES_TYPE },
  asks: tailStep,
  handle: (call) => {
    const { parameters } = call
    queryParameter(parameters)
    for (const name of ['start_offset', 'offset', 'refresh_interval']) durationParameter(parameters, name, 0n)
    const endMs = endOf(parameters.get('for'))
    const given = parameters.entries().toString()
    const ask = (next?: number): Promise<TailStep> => askStep(call, { parameters: given, next })
    return openTail({ ...call, body: undefined, query: new URLSearchParams() }, { form: lineForm, endMs, ask })
  },
})
