import { WholeBody, dropBody, isStream } from '../../workers/index.ts'
import type { HttpAnswer } from './answer.ts'
import { namesTag, tagOfBytes } from './entity-tag.ts'
import type { RequestHeaders } from './request-headers.ts'

function chunksOf(body: string | Uint8Array | WholeBody): readonly (string | Uint8Array)[] {
  return body instanceof WholeBody ? body.blocks.map(({ bytes }) => bytes) : [body]
}

/** Adds an entity tag. If the client has this content already, the answer is 304 without a body. */
export function taggedAnswer(answer: HttpAnswer, given: RequestHeaders): HttpAnswer {
  const { status, body } = answer
  if (status !== 200 || body === null || isStream(body)) return answer
  const tag = tagOfBytes(chunksOf(body))
  const headers = { ...answer.headers, ETag: tag, 'Cache-Control': 'private, no-cache' }
  if (!namesTag(given.get('if-none-match'), tag)) return { ...answer, headers }
  dropBody(body)
  return { ...answer, status: 304, headers, body: null }
}
