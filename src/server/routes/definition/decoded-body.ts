import { decodeBody } from '../../../wire/index.ts'
import { isJsonType, mediaTypeOf } from '../../http/body.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import type { AnyRoute } from './route.ts'
import type { ErrorContext } from '../../errors/to-error-response.ts'

/** Decodes and validates the body of a route. Errors of an invalid body refer to spans in the body's text. */
export function decodedBody(
  route: AnyRoute,
  bytes: Uint8Array | undefined,
  place: { source: ErrorContext['source'] },
  headers: RequestHeaders,
): unknown {
  if (route.body === undefined || bytes === undefined) return undefined
  try {
    return route.readBody === undefined
      ? decodeBody(route.body, bytes)
      : route.readBody(bytes, isJsonType(mediaTypeOf(headers)))
  } catch (error) {
    place.source = { member: '$', text: new TextDecoder().decode(bytes) }
    throw error
  }
}
