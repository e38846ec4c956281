import { BYTES_PER_CHECKPOINT } from '../../../base/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { jsonChunks } from '../../http/respond.ts'
import type { RouteCall } from '../definition/route.ts'

/** Yields `{"status":"success","data":[…]}` in chunks. */
function* listChunks(items: Iterable<unknown>, warnings: readonly string[]): Generator<string> {
  let text = '{"status":"success","data":['
  let isFirst = true
  for (const item of items) {
    text += (isFirst ? '' : ',') + JSON.stringify(item)
    isFirst = false
    if (text.length < BYTES_PER_CHECKPOINT) continue
    yield text
    text = ''
  }
  text += ']'
  if (warnings.length > 0) text += `,"warnings":${JSON.stringify(warnings)}`
  yield `${text}}`
}

type Limits = Pick<RouteCall<unknown>, 'context' | 'memory'>

export function chunksResponse(
  chunks: Iterable<string | Uint8Array>,
  { context, memory }: Limits,
): Promise<HttpAnswer> {
  return jsonChunks(chunks, { limitBytes: context.limits.answerBytes, memory })
}

/** Answers with a list, truncated to `limit` items with a warning. */
export function listResponse(
  items: readonly unknown[],
  limit: number | undefined,
  limits: Limits,
): Promise<HttpAnswer> {
  const isCut = limit !== undefined && items.length > limit
  const shown = isCut ? items.slice(0, limit) : items
  return chunksResponse(listChunks(shown, isCut ? ['results truncated due to limit'] : []), limits)
}

/** Answers with one small value. */
export function dataResponse(data: unknown, limits: Limits): Promise<HttpAnswer> {
  return chunksResponse([JSON.stringify({ status: 'success', data })], limits)
}
