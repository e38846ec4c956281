import { z } from 'zod'
import { present } from '../../../base/index.ts'
import { refusal } from '../../errors/http-fault.ts'
import type { Answer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import { exactText, jsonChunks } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineSpanRoutes, type SpanCall, type SpanRoute } from '../definition/span-route.ts'
import { jaegerErrors, jaegerV3Errors } from './errors.ts'

/** Context of a handler of Jaeger's query API. */
export type JaegerCall = SpanCall

/** Base path of Jaeger's API: Tempo has another answer at `/api/traces/<id>`. */
const BASE = '/jaeger'

/** Refuses a request in the words of Jaeger. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

type JaegerRoute = Omit<SpanRoute, 'answers'> & { readonly answer: z.ZodType; readonly description: string }

/** Requests of Jaeger's clients are GET alone. */
function onlyRoute(errors: ErrorForm, route: SpanRoute): AnyRoute {
  const [only] = defineSpanRoutes(errors, route)
  return present(only)
}

/** An operation of Jaeger's query API; its answer is in the envelope. */
export function defineJaegerRoute({ answer, description, ...route }: JaegerRoute): AnyRoute {
  return onlyRoute(jaegerErrors, {
    ...route,
    path: BASE + route.path,
    answers: [{ description, schema: answer }],
  })
}

/** An operation of version 3 of Jaeger's query API. */
export function defineJaegerV3Route({ answer, description, ...route }: JaegerRoute): AnyRoute {
  return onlyRoute(jaegerV3Errors, {
    ...route,
    path: BASE + route.path,
    answers: [{ description, schema: answer }],
  })
}

/** Schema of a list in the envelope. */
export function enveloped(item: z.ZodType): z.ZodType {
  return z.object({
    data: z.array(item),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    errors: z.null(),
  })
}

function* listTexts(start: string, items: Iterable<unknown>, end: string): Generator<string> {
  let separator = ''
  yield start
  for (const item of items) {
    yield `${separator}${exactText(item)}`
    separator = ','
  }
  yield end
}

/** Answers JSON with a list between two texts; complete before the first byte is sent. */
export function answerList(
  { context, memory }: JaegerCall,
  start: string,
  items: Iterable<unknown>,
  end: string,
): Promise<Answer> {
  return jsonChunks(listTexts(start, items, end), { limitBytes: context.limits.answerBytes, memory })
}

/** Answers a list in the envelope. */
export function answerEnvelope(call: JaegerCall, items: readonly unknown[]): Promise<Answer> {
  return answerList(call, '{"data":[', items, `],"total":${items.length},"limit":0,"offset":0,"errors":null}`)
}
