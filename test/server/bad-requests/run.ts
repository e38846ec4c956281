import type { App } from '../../../src/server/index.ts'
import { yardstick, type Spent } from '../../harness/yardstick.ts'
import { typesOfErrors } from '../contract.ts'
import { KEY } from '../harness.ts'
import { KEY_HEADER, typeOf, type Operation } from './operations.ts'
import type { BadCall, RequestClass } from './request-class.ts'

export interface Cell {
  count: number
  slowestMs: number
}

export interface MatrixReport {
  /** By class, then by operation. */
  readonly cells: Map<string, Map<string, Cell>>
  readonly faults: string[]
  total: number
  slowestMs: number
  /** How often each status came. */
  readonly statuses: Map<number, number>
}

/** How many times the processor time of the yardstick an answer may take, some 2 s. */
const MAX_WORK = 60
/** How many times its time by the clock, some 7 s: others have the processor too. */
const MAX_WAIT = 240

export function longestWaitMs(yardstick: Spent): number {
  return MAX_WAIT * yardstick.wallMs
}

/** Whether an answer took so long that others had to wait for it, measured by what the same machine does meanwhile. */
export function isFreeze(spent: Spent, yardstick: Spent): boolean {
  return spent.processorMs > MAX_WORK * yardstick.processorMs || spent.wallMs > longestWaitMs(yardstick)
}

interface Answer {
  readonly status: number
  readonly contentType: string | null
  /** `undefined` where a request that is none gets no id in its headers. */
  readonly requestId: string | null | undefined
  readonly text: string
}

/** Errors of protocols that have a form of their own and nothing beside it, by the types that the document names. */
const OWN_FORMS: ReadonlyMap<string, (type: string, text: string) => boolean> = new Map([
  ['text/plain', (_: string, text: string) => /^[^{\n][^\n]*\n$/.test(text)],
  [
    'application/json,application/x-protobuf',
    (type: string, text: string) =>
      type === 'application/json'
        ? /^\{"code":\d+,"message":"[^"]/.test(text)
        : // Its code, then its message.
          text.charCodeAt(0) === 8 && text.charCodeAt(2) === 18 && text.length > 4,
  ],
])

/** Everything about an answer that is not as promised. */
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
  // A path or a method that is not there is nobody's own.
  const own = status === 404 || status === 405 ? undefined : OWN_FORMS.get(types.join())
  const [type = ''] = contentType?.split(';') ?? []
  if (!(own === undefined ? ['application/json'] : types).includes(type)) faults.push(`type ${contentType}`)
  if (text === '') return [...faults, 'no answer']
  if (Buffer.byteLength(text) > 16 * 1024) faults.push(`${text.length} characters`)
  if (/node_modules|\.ts:\d|at \w+ \(|SELECT |sqlite/i.test(text)) faults.push('tells internals')
  if (text.includes(KEY)) faults.push('tells the key')
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

type Asking = Pick<App, 'fetch'>

interface Asked {
  readonly spent: Spent
  readonly status: number
  readonly faults: readonly string[]
}

/** As `asked`; what is slow is asked once more, since other work of the process may have been in it. */
async function timed(app: Asking, operation: Operation, call: BadCall, beside: typeof yardstick): Promise<Asked> {
  const first = await asked(app, operation, call)
  if (!isFreeze(first.spent, beside())) return first
  const again = await asked(app, operation, call)
  const { processorMs, wallMs } = again.spent
  if (!isFreeze(again.spent, beside(true))) return again
  const took = `took ${processorMs.toFixed(0)} ms of the processor, ${wallMs.toFixed(0)} ms by the clock`
  return { ...again, faults: [...again.faults, took] }
}

async function asked(app: Asking, operation: Operation, call: BadCall): Promise<Asked> {
  const method = call.method ?? operation.method
  const type = typeOf[operation.takes]
  const headers = new Headers()
  const given = { ...KEY_HEADER, ...(type === '' ? {} : { 'Content-Type': type }), ...call.headers }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value)
  const canHaveBody = method !== 'GET' && method !== 'HEAD'
  const startedMs = performance.now()
  const before = process.cpuUsage()
  const response = await app.fetch(
    new Request(`http://localhost${call.path ?? operation.path}`, {
      method,
      headers,
      body: canHaveBody ? (call.body ?? null) : null,
    }),
  )
  const text = await response.text()
  // Of all threads: packed bodies are unpacked by others.
  const { user, system } = process.cpuUsage(before)
  const spent = { processorMs: (user + system) / 1000, wallMs: performance.now() - startedMs }
  const answer = {
    status: response.status,
    contentType: response.headers.get('content-type'),
    requestId: response.headers.get('x-request-id'),
    text,
  }
  const faults = faultsOf(answer, method, call.statuses, typesOfErrors(operation))
  return { spent, status: response.status, faults }
}

/** Sends every class of bad requests to every operation that it applies to; what takes long is told from `beside`. */
export async function runMatrix(
  app: Asking,
  operations: readonly Operation[],
  classes: readonly RequestClass[],
  beside = yardstick,
): Promise<MatrixReport> {
  const report: MatrixReport = { cells: new Map(), faults: [], total: 0, slowestMs: 0, statuses: new Map() }
  for (const each of classes) {
    const row = new Map<string, Cell>()
    report.cells.set(each.name, row)
    for (const operation of operations) {
      const cell: Cell = { count: 0, slowestMs: 0 }
      for (const call of each.of(operation)) {
        const { spent, status, faults } = await timed(app, operation, call, beside)
        cell.count++
        cell.slowestMs = Math.max(cell.slowestMs, spent.wallMs)
        report.total++
        report.slowestMs = Math.max(report.slowestMs, spent.wallMs)
        report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
        report.faults.push(
          ...faults.map((fault) => `${each.name} · ${operation.name} · ${JSON.stringify(call.name)}: ${fault}`),
        )
      }
      if (cell.count > 0) row.set(operation.name, cell)
    }
  }
  return report
}

/** The table of classes by operations, with the number of requests in each cell. */
export function printMatrix(report: MatrixReport, operations: readonly Operation[]): string {
  const names = [...report.cells.keys()]
  const width = Math.max(...names.map((name) => name.length))
  const line = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(3)).join(' ')
  const legend = operations.map(({ name }, i) => `${String(i + 1).padStart(3)}  ${name}`)
  const rows = names.map((name) => {
    const row = report.cells.get(name) ?? new Map<string, Cell>()
    return `${name.padEnd(width)} ${line(operations.map((operation) => String(row.get(operation.name)?.count ?? '·')))}`
  })
  const statuses = [...report.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
  return [
    ...legend,
    '',
    `${''.padEnd(width)} ${line(operations.map((_, i) => String(i + 1)))}`,
    ...rows,
    '',
    `${report.total} bad requests in ${names.length} classes over ${operations.length} operations: ${statuses.join(', ')}; slowest ${report.slowestMs.toFixed(0)} ms; ${report.faults.length} faults`,
  ].join('\n')
}
