import { z } from 'zod'
import { otlpError, otlpAnswerBytes } from '../../wire/index.ts'
import { rpcStatus, rpcStatusBytes, rpcStatusJson } from '../errors/grpc-status.ts'
import { isJsonType, mediaTypeOf } from './body.ts'
import type { HttpAnswer } from './answer.ts'
import type { RequestHeaders } from './request-headers.ts'
import { JSON_TYPE, json } from './respond.ts'
import type { ErrorAnswer, ErrorContext, ShapedError } from '../errors/to-error-response.ts'

/** Error format for the clients of certain routes. */
export interface ErrorForm {
  /** Schemas of errors by content type for the OpenAPI document; a single schema means JSON. */
  readonly errors: z.ZodType | ReadonlyMap<string, z.ZodType>
  readonly shapeError: (
    error: unknown,
    answer: ErrorAnswer,
    source: ErrorContext['source'],
    headers: RequestHeaders,
  ) => ShapedError
}

/** Converts a formatted error to an answer. */
export function errorAnswer({ status, headers, body }: ShapedError): HttpAnswer {
  return typeof body === 'string' || body instanceof Uint8Array
    ? { status, headers, body }
    : json(body, status, headers)
}

export const PLAIN_TYPE = 'text/plain; charset=utf-8'

/** Plain-text errors with only the message, for clients that print it. The request id is in a header. */
export const plainErrors: ErrorForm = {
  errors: new Map([['text/plain', z.string()]]),
  shapeError: (_, { status, headers, body }) => ({
    status,
    headers: { ...headers, 'Content-Type': PLAIN_TYPE },
    body: `${body.message}\n`,
  }),
}

export const PROTOBUF_TYPE = 'application/x-protobuf'

/** True if a request's body, and thus its answer, is JSON rather than protobuf. */
export function isJsonExport(headers: RequestHeaders): boolean {
  const type = mediaTypeOf(headers)
  return type !== undefined && isJsonType(type)
}

/** A full disk may become free again: exporters retry after 503, but drop data after 507. */
const RETRIED_STATUS: ReadonlyMap<number, number> = new Map([[507, 503]])
const RETRY_SECONDS = '5'

/** OTLP errors: a `Status` in the encoding of the request, as OTLP over HTTP requires. */
export const otlpErrors: ErrorForm = {
  errors: new Map<string, z.ZodType>([
    [JSON_TYPE, otlpError],
    [PROTOBUF_TYPE, otlpAnswerBytes],
  ]),
  shapeError: (_, answer, __, headers) => {
    const status = RETRIED_STATUS.get(answer.status) ?? answer.status
    const retryAfter = answer.headers['Retry-After'] ?? RETRY_SECONDS
    const rpc = rpcStatus(status, answer.body.message, retryAfter)
    const again = rpc.retrySeconds === undefined ? {} : { 'Retry-After': retryAfter }
    const asJson = isJsonExport(headers)
    return {
      status,
      headers: { ...answer.headers, ...again, 'Content-Type': asJson ? JSON_TYPE : PROTOBUF_TYPE },
      body: asJson ? rpcStatusJson(rpc) : rpcStatusBytes(rpc),
    }
  },
}
