import { readLogfmt, type MutableRow } from '../../data/index.ts'
import { instantOf, patternForm, rowOf, type TextForm } from './form.ts'
import { Cursor, numberOf, wholeOf } from './cursor.ts'
import { addressOf, requestFields } from './requests.ts'
import { levelOfName } from '../../store/index.ts'
import { ACCESS_HEAD_CHARS } from '../tuning.ts'

/**
 * Common and combined access logs of nginx, Apache, Caddy, Traefik and others: `client - user [time] "request" status
 * bytes`. A referrer, a user agent, numbers or words may follow, and a virtual host may precede.
 */
export const accessForm: TextForm = {
  name: 'access log',
  starts: '0a:[.',
  read: (line, context) => {
    const open = line.indexOf(' [')
    // A line that begins with a date comes from a program, not from an access log.
    if (open === -1 || open > ACCESS_HEAD_CHARS || /^\[?\d{4}-\d\d-\d\d/.test(line)) return undefined
    const head = line.slice(0, open).split(' ')
    if (head.length < 3 || head.length > 5) return undefined
    const cursor = new Cursor(line)
    cursor.at = open + 2
    const time = instantOf(cursor.until(']'), context)
    if (time === undefined || !cursor.skip(' ')) return undefined
    const request = cursor.quoted()
    if (request === undefined || !cursor.skip(' ')) return undefined
    const status = wholeOf(cursor.word())
    if (status === undefined || status > 999) return undefined
    const bytes = wholeOf(cursor.word())
    const [user, , client, host] = head.toReversed()
    const referrer = cursor.quoted()
    cursor.skipBlanks()
    const userAgent = cursor.quoted()
    cursor.skipBlanks()
    const rest = cursor.rest
    const row = rowOf({
      _time: time,
      client: addressOf(client),
      host,
      user,
      ...requestFields(request),
      status,
      bytes,
      referrer,
      user_agent: userAgent,
      ...durationOf(cursor),
    })
    pairsOf(rest, row)
    return row
  },
}

const PAIR = /(?<=^| )[A-Za-z_][\w.-]{0,63}=/

/**
 * Reads the pairs at the end of a line, named like the variables of nginx formats; `rt` and `request_time` are seconds.
 */
function pairsOf(rest: string, known: MutableRow): void {
  const first = PAIR.exec(rest)
  if (first === null) return
  for (const { name, value = '' } of readLogfmt(rest.slice(first.index), true)) {
    if (value === '' || value === '-' || known.has(name)) continue
    known.set(name, value)
    const duration = name === 'rt' || name === 'request_time' ? milliseconds(value) : undefined
    if (duration !== undefined) known.set('duration_ms', duration)
  }
}

/**
 * Reads the duration after the other fields: seconds (nginx's `$request_time`), or milliseconds with their unit
 * (Traefik). Other texts are no duration.
 */
function durationOf(cursor: Cursor): Record<string, number | string | undefined> {
  if (cursor.isAtEnd) return {}
  const last = cursor.line.slice(cursor.line.lastIndexOf(' ') + 1)
  if (last.endsWith('ms')) {
    cursor.word()
    const router = cursor.quoted()
    return { duration_ms: numberOf(last.slice(0, -2)), router }
  }
  const seconds = cursor.word()
  return seconds.includes('.') ? { duration_ms: milliseconds(seconds) } : {}
}

/** Returns seconds with a fraction as milliseconds, without binary rounding errors. */
export function milliseconds(seconds: string | undefined): number | undefined {
  const number = numberOf(seconds)
  return number === undefined ? undefined : Math.round(number * 1e9) / 1e6
}

/** Amazon S3 server access logs. */
export const s3Form: TextForm = {
  name: 'S3 access log',
  starts: '0a',
  read: (line, context) => {
    const cursor = new Cursor(line)
    const owner = cursor.word()
    if (owner.length !== 64 || !/^[\da-f]+$/.test(owner)) return undefined
    const bucket = cursor.word()
    if (!cursor.skip('[')) return undefined
    const time = instantOf(cursor.until('] '), context)
    if (time === undefined) return undefined
    const [client, user, request_id, operation, key] = words(cursor, 5)
    const request = cursor.field()
    const [status, error_code, bytes, objectSize, total, turnaround] = words(cursor, 6)
    const referrer = cursor.field()
    const userAgent = cursor.field()
    const [version_id, host_id, signature_version, cipher_suite, authentication_type, host, tls_version] = words(
      cursor,
      7,
    )
    const [access_point_arn, acl_required] = words(cursor, 2)
    return rowOf({
      _time: time,
      bucket,
      client,
      user,
      request_id,
      operation,
      key,
      ...requestFields(request),
      status: wholeOf(status),
      error_code,
      bytes: wholeOf(bytes),
      duration_ms: wholeOf(total),
      object_size: wholeOf(objectSize),
      turnaround_ms: wholeOf(turnaround),
      referrer,
      user_agent: userAgent,
      version_id,
      host_id,
      signature_version,
      cipher_suite,
      authentication_type,
      host,
      tls_version,
      access_point_arn,
      acl_required,
    })
  },
}

function words(cursor: Cursor, count: number): readonly string[] {
  return Array.from({ length: count }, () => cursor.word())
}

/** The native log format of Squid. */
export const squidForm = patternForm({
  name: 'Squid access log',
  starts: '0',
  pattern:
    /^(?<time>\d{10}\.\d{3}) {1,9}(?<duration_ms>-?\d{1,10}) (?<client>\S{1,64}) (?<result_code>[A-Z_]{1,64})\/(?<status>\d{3}) (?<bytes>\d{1,15}) (?<method>[A-Z_-]{1,32}) (?<url>\S{1,8192}) (?<user>\S{1,256}) (?<hierarchy_code>[A-Z_]{1,64})\/(?<peer>\S{1,256}) (?<content_type>\S{1,256})/,
  headChars: Infinity,
  more: ({ duration_ms, status, bytes }) => ({
    duration_ms: wholeOf(duration_ms),
    // Status 000 means a connection without an answer.
    status: status === '000' ? undefined : wholeOf(status),
    bytes: wholeOf(bytes),
  }),
})

const LOAD_BALANCER_TYPES: ReadonlySet<string> = new Set(['http', 'https', 'h2', 'grpcs', 'ws', 'wss'])

/**
 * Logs of Elastic load balancers. Lines of application load balancers begin with the type of connection, those of
 * classic ones with the time.
 */
export const loadBalancerForm: TextForm = {
  name: 'ELB access log',
  starts: '0a',
  read: (line, context) => {
    const cursor = new Cursor(line)
    let first = cursor.word()
    const kind = LOAD_BALANCER_TYPES.has(first) ? first : undefined
    if (kind !== undefined) first = cursor.word()
    if (first.length < 20 || first.length > 40 || !first.endsWith('Z')) return undefined
    const time = instantOf(first, context)
    if (time === undefined) return undefined
    const [balancer = '', client, target, before, taken, after, status, targetStatus, received, bytes] = words(
      cursor,
      10,
    )
    if (levelOfName(balancer) !== undefined) return undefined
    // A time of -1 means that no target answered the request.
    const times = [before, taken, after].map((each) => (each === '-1' ? -1 : numberOf(each)))
    const [request_processing_time, target_processing_time, response_processing_time] = times
    if (times.includes(undefined) || wholeOf(received) === undefined) return undefined
    const request = cursor.quoted()
    if (request === undefined) return undefined
    cursor.skipBlanks()
    const userAgent = cursor.field()
    return rowOf({
      _time: time,
      type: kind,
      balancer,
      client: addressOf(client),
      target,
      request_processing_time,
      target_processing_time,
      response_processing_time,
      duration_ms: times.includes(-1)
        ? undefined
        : Math.round(times.reduce((sum: number, each) => sum + (each ?? 0), 0) * 1e6) / 1e3,
      status: wholeOf(status),
      target_status: wholeOf(targetStatus),
      received_bytes: wholeOf(received),
      bytes: wholeOf(bytes),
      ...requestFields(request),
      user_agent: userAgent,
      ...tracesOf(cursor),
    })
  },
}

function tracesOf(cursor: Cursor): Record<string, string | undefined> {
  const root = cursor.line.indexOf('"Root=', cursor.at)
  const end = root === -1 ? -1 : cursor.line.indexOf('"', root + 6)
  const trace = end === -1 ? undefined : /^[\w-]{8,64}/.exec(cursor.line.slice(root + 6, Math.min(end, root + 80)))?.[0]
  return { trace_id: trace }
}

/** Flow logs of VPCs, version 2. */
export const flowForm: TextForm = {
  name: 'VPC flow log',
  starts: '0',
  read: (line, context) => {
    if (!/^2 \d{12} eni-/.test(line)) return undefined
    const [
      ,
      account,
      interfaceId,
      source,
      target,
      sourcePort,
      targetPort,
      protocol,
      packets,
      bytes,
      start,
      end,
      action,
      state,
    ] = line.slice(0, 512).split(' ')
    const time = instantOf(start, context)
    if (time === undefined || state === undefined) return undefined
    return rowOf({
      _time: time,
      account,
      interface: interfaceId,
      client: source,
      target,
      client_port: wholeOf(sourcePort),
      target_port: wholeOf(targetPort),
      protocol: wholeOf(protocol),
      packets: wholeOf(packets),
      bytes: wholeOf(bytes),
      end: wholeOf(end),
      action,
      state,
    })
  },
}

/** The default format of Envoy. */
export const envoyForm: TextForm = {
  name: 'Envoy access log',
  starts: '[',
  read: (line, context) => {
    const cursor = new Cursor(line)
    if (!cursor.skip('[')) return undefined
    const time = instantOf(cursor.until('] "', 40), context)
    if (time === undefined) return undefined
    cursor.at--
    const request = cursor.quoted()
    if (request === undefined || !cursor.skip(' ')) return undefined
    const status = wholeOf(cursor.word())
    if (status === undefined) return undefined
    let flags = cursor.word()
    // Newer versions write details of the response and the connection here.
    let received = cursor.field()
    while (wholeOf(received) === undefined && !cursor.isAtEnd) received = cursor.field()
    const [bytes, duration] = [cursor.field(), cursor.field(), cursor.field()]
    const [forwarded, userAgent, requestId, host, upstream] = Array.from({ length: 5 }, () => cursor.field())
    if (flags === '-') flags = ''
    return rowOf({
      _time: time,
      ...requestFields(request),
      status,
      response_flags: flags,
      received_bytes: wholeOf(received),
      bytes: wholeOf(bytes),
      duration_ms: wholeOf(duration),
      client: forwarded?.split(',')[0],
      user_agent: userAgent,
      request_id: requestId,
      host,
      upstream,
    })
  },
}
