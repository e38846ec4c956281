import { z } from 'zod'
import { present } from '../../../base/index.ts'
import { refusal } from '../../errors/http-fault.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { exactText, jsonChunks } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineSpanRoutes, type SpanCall, type SpanRoute } from '../definition/span-route.ts'
import { jaegerErrors, jaegerV3Errors, type JaegerErrors } from './errors.ts'

/** Context of a handler of Jaeger's query API. */
export type JaegerCall = SpanCall

/** Base path of Jaeger's API. Without it, `/api/traces/<id>` would conflict with Tempo's. */
const BASE = '/jaeger'

/** Throws an error with a message of Jaeger's. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

interface JaegerRoute extends Omit<SpanRoute, 'answers' | 'alsoAt' | 'hasForm' | 'isQuery'> {
  readonly description: string
  readonly answer: z.ZodType
  /** True if the requested object may not exist; the route may then answer 404. */
  readonly mayBeUnknown?: true
}

/** Defines a GET route; Jaeger's clients use no other method. */
function onlyRoute(errors: JaegerErrors, { description, answer, mayBeUnknown, path, ...rest }: JaegerRoute): AnyRoute {
  const unknown = { status: 404, description: 'There is none.', schema: errors.errors }
  const answers = [{ description, schema: answer }, ...(mayBeUnknown === true ? [unknown] : [])]
  return present(defineSpanRoutes(errors, { ...rest, path: BASE + path, answers })[0])
}

/** Defines a route of Jaeger's query API, whose answers are in an envelope. */
export function defineJaegerRoute(route: JaegerRoute): AnyRoute {
  return onlyRoute(jaegerErrors, route)
}

/** An operation of version 3 of Jaeger's query API. */
export function defineJaegerV3Route(route: JaegerRoute): AnyRoute {
  return onlyRoute(jaegerV3Errors, route)
}

/** Schema of Jaeger's envelope around a list. */
export function enveloped(item: z.ZodType): z.ZodType {
  return z.object({
    data: z.array(item),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    errors: z.null(),
  })
}

function* listTexts<T>(
  start: string,
  items: Iterable<T>,
  textsOf: (item: T) => Iterable<string>,
  end: string,
): Generator<string> {
  let separator = start
  for (const item of items) {
    yield separator
    yield* textsOf(item)
    separator = ','
  }
  yield separator === start ? start + end : end
}

const oneText = (item: unknown): readonly string[] => [exactText(item)]

/** Answers with JSON text, then a list, then JSON text. The answer is complete before the first byte is sent. */
export function answerList<T>(
  { context, memory }: JaegerCall,
  [start, end]: readonly [start: string, end: string],
  items: Iterable<T>,
  textsOf: (item: T) => Iterable<string> = oneText,
): Promise<HttpAnswer> {
  return jsonChunks(listTexts(start, items, textsOf, end), { limitBytes: context.limits.answerBytes, memory })
}

/** Answers with a list in the envelope. The text of an item may be yielded in chunks. */
export function answerEnvelope<T>(
  call: JaegerCall,
  items: readonly T[],
  textsOf?: (item: T) => Iterable<string>,
): Promise<HttpAnswer> {
  const end = `],"total":${items.length},"limit":0,"offset":0,"errors":null}`
  return answerList(call, ['{"data":[', end], items, textsOf)
}
