import { jsonChunks } from '../respond.ts'
import type { Call } from '../route.ts'

const CHUNK_CHARS = 64 * 1024

/** `{"status":"success","data":[…]}` as UTF-8, piece by piece. */
function* listChunks(items: Iterable<unknown>, warnings: readonly string[]): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = '{"status":"success","data":['
  let isFirst = true
  for (const item of items) {
    text += (isFirst ? '' : ',') + JSON.stringify(item)
    isFirst = false
    if (text.length < CHUNK_CHARS) continue
    yield encoder.encode(text)
    text = ''
  }
  text += ']'
  if (warnings.length > 0) text += `,"warnings":${JSON.stringify(warnings)}`
  yield encoder.encode(`${text}}`)
}

type Limits = Pick<Call<unknown>, 'context' | 'memory'>

export function chunksResponse(chunks: Iterable<Uint8Array>, { context, memory }: Limits): Promise<Response> {
  return jsonChunks(chunks, { limitBytes: context.limits.answerBytes, memory })
}

/** A list, cut at `limit` with a warning. */
export function listResponse(items: readonly unknown[], limit: number | undefined, limits: Limits): Promise<Response> {
  const isCut = limit !== undefined && items.length > limit
  const shown = isCut ? items.slice(0, limit) : items
  return chunksResponse(listChunks(shown, isCut ? ['results truncated due to limit'] : []), limits)
}

/** One small value. */
export function dataResponse(data: unknown, limits: Limits): Promise<Response> {
  const text = JSON.stringify({ status: 'success', data })
  return chunksResponse([new TextEncoder().encode(text)], limits)
}
