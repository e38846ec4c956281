import type { MutableRow, TimeContext } from '../../data/index.ts'
import { Cursor, wholeOf } from './cursor.ts'
import { instantOf, rowOf } from './form.ts'
import { addressOf, requestFields } from './requests.ts'

/**
 * Returns the fields of HAProxy's message about an HTTP request or a TCP connection, without the syslog header;
 * `undefined` for other messages.
 */
export function haproxyFields(message: string, context: TimeContext): MutableRow | undefined {
  const cursor = new Cursor(message)
  const client = cursor.word()
  if (!client.includes(':') || !cursor.skip('[')) return undefined
  const time = instantOf(cursor.until('] ', 40), context)
  if (time === undefined) return undefined
  const frontend = cursor.word()
  const [backend, server] = cursor.word().split('/')
  const timers = cursor.word().split('/')
  if (server === undefined || timers.length < 3 || timers.length > 5) return undefined
  const isHttp = timers.length === 5
  const status = isHttp ? wholeOf(cursor.word()) : undefined
  const bytes = wholeOf(cursor.word())
  const quote = isHttp ? message.indexOf(' "', cursor.at) : -1
  const termination = cursor.word()
  const request = new Cursor(message)
  request.at = quote + 1
  return rowOf({
    _time: time,
    client: addressOf(client),
    frontend,
    backend,
    server,
    duration_ms: wholeOf(timers.at(-1)?.replace('+', '')),
    status,
    bytes,
    termination: isHttp ? undefined : termination,
    ...(quote === -1 ? {} : requestFields(request.quoted() ?? request.rest.slice(1))),
  })
}
