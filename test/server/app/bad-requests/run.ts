import type { App } from '../../../../src/server/index.ts'
import { typesOfErrors } from '../../harness/contract.ts'
import { KEY } from '../../harness/harness.ts'
import { KEY_HEADER, typeOf, type Operation } from './operations.ts'
import type { BadCall, RequestClass } from './request-class.ts'

export interface MatrixReport {
  /** Number of requests by class, then by operation. */
  readonly cells: Map<string, Map<string, number>>
  readonly faults: string[]
  total: number
  /** Number of answers by status. */
  readonly statuses: Map<number, number>
}

interface Answer {
  readonly status: number
  readonly contentType: string | null
  /**
   * Request id in the response headers. `undefined` if the bytes were no valid HTTP request, because then there is
   * none.
   */
  readonly requestId: string | null | undefined
  readonly text: string
}

/** Matches a single line of text that is not JSON. */
const PLAIN = /^[^{\n][^\n]*\n$/

/** Checks for protocols with an error format of their own, by the content types that the document lists, sorted. */
const OWN_FORMS: ReadonlyMap<string, (type: string, text: string) => boolean> = new Map([
  ['text/plain', (_: string, text: string) => PLAIN.test(text)],
  [
    'application/json,text/plain',
    (type: string, text: string) =>
      type === 'application/json' ? /^\{"status":"invalid-query","error":"[^"]/.test(text) : PLAIN.test(text),
  ],
  [
    'application/json,application/x-protobuf',
    (type: string, text: string) =>
      type === 'application/json'
        ? /^\{"code":\d+,"message":"[^"]/.test(text)
        : // Its code, then its message.
          text.charCodeAt(0) === 8 && text.charCodeAt(2) === 18 && text.length > 4,
  ],
])

/** Alertmanager's form of an invalid parameter. Its codes start at 600. */
const ALERTMANAGER_FORM = /^\{"code":60\d,"message":"[^"]+.*"\}\n?$/

/** Returns every deviation of an answer from the documented form. */
export function faultsOf(
  { status, contentType, requestId, text }: Answer,
  method: string,
  statuses: readonly number[] | undefined,
  types: readonly string[] = ['application/json'],
): readonly string[] {
  const faults: string[] = []
  const isRight = statuses?.includes(status) ?? (status >= 400 && status < 500)
  if (!isRight) return [`status ${status} instead of ${statuses?.join(' or ') ?? '4xx'}: ${text.slice(0, 200)}`]
  if (method === 'HEAD') return faults
  // For an unknown path or method, the error has the protocol's own form only if it is plain text.
  const isOfPath = (status === 404 || status === 405) && contentType?.startsWith('text/plain') !== true
  const own = isOfPath ? undefined : OWN_FORMS.get([...types].sort().join())
  const [type = ''] = contentType?.split(';') ?? []
  if (!(own === undefined ? ['application/json'] : types).includes(type)) faults.push(`type ${contentType}`)
  if (text === '') return [...faults, 'no answer']
  if (Buffer.byteLength(text) > 16 * 1024) faults.push(`${text.length} characters`)
  if (/node_modules|\.ts:\d|at \w+ \(|SELECT |sqlite/i.test(text)) faults.push('tells internals')
  if (text.includes(KEY)) faults.push('tells the key')
  if (status === 422 && ALERTMANAGER_FORM.test(text)) return faults
  if (own !== undefined) return own(type, text) ? faults : [...faults, `not of the protocol's form: ${text}`]
  try {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    for (const member of ['message', 'code', 'type', 'details', 'trace_id'])
      if (!Object.hasOwn(body, member)) faults.push(`no ${member}`)
    if (requestId !== undefined && body['trace_id'] !== requestId) faults.push('trace id')
  } catch {
    faults.push('no JSON')
  }
  return faults
}

type AppFetch = Pick<App, 'fetch'>

interface Asked {
  readonly status: number
  readonly faults: readonly string[]
}

async function asked(app: AppFetch, operation: Operation, call: BadCall): Promise<Asked> {
  const method = call.method ?? operation.method
  const type = typeOf[operation.takes]
  const headers = new Headers()
  const given = { ...KEY_HEADER, ...(type === '' ? {} : { 'Content-Type': type }), ...call.headers }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value)
  const canHaveBody = method !== 'GET' && method !== 'HEAD'
  const response = await app.fetch(
    new Request(`http://localhost${call.path ?? operation.path}`, {
      method,
      headers,
      body: canHaveBody ? (call.body ?? null) : null,
    }),
  )
  const text = await response.text()
  const answer = {
    status: response.status,
    contentType: response.headers.get('content-type'),
    requestId: response.headers.get('x-request-id'),
    text,
  }
  // Unknown paths below these prefixes are rejected in plain text.
  const isOfText =
    /^\/(select|loki)\//.test(operation.template) && answer.contentType?.startsWith('text/plain') === true
  const types = isOfText ? ['text/plain'] : typesOfErrors(operation)
  const faults = faultsOf(answer, method, call.statuses, types)
  return { status: response.status, faults }
}

/** Sends every class of bad requests to every operation to which it applies. */
export async function runMatrix(
  app: AppFetch,
  operations: readonly Operation[],
  classes: readonly RequestClass[],
): Promise<MatrixReport> {
  const report: MatrixReport = { cells: new Map(), faults: [], total: 0, statuses: new Map() }
  for (const each of classes) {
    const row = new Map<string, number>()
    report.cells.set(each.name, row)
    for (const operation of operations) {
      let count = 0
      for (const call of each.of(operation)) {
        const { status, faults } = await asked(app, operation, call)
        count++
        report.total++
        report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
        report.faults.push(
          ...faults.map((fault) => `${each.name} · ${operation.name} · ${JSON.stringify(call.name)}: ${fault}`),
        )
      }
      if (count > 0) row.set(operation.name, count)
    }
  }
  return report
}
