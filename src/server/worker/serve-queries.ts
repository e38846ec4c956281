import { threadId } from 'node:worker_threads'
import { SluiceError, budgetDiagnostic, nowhere, present } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import {
  BlockPool,
  MorselLines,
  isStream,
  linesOfPool,
  runBackground,
  serveJobs,
  serveLine,
  startData,
  workedForJobs,
} from '../../workers/index.ts'
import { watchedBody } from '../http/answer.ts'
import { AnswerMemory } from '../http/answer-memory.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { parse } from '../../lang/log/index.ts'
import { fault } from '../errors/http-fault.ts'
import { queryServices, tenantFinder } from '../routes/definition/query-services.ts'
import { monitorCheck } from '../resources/monitor-queries.ts'
import { monitorPick } from '../resources/monitor-filter.ts'
import { internalRoutes, routes } from '../routes/index.ts'
import { CallAnswerer } from './answer-call.ts'
import type { QueryWorkerData, QueryWorkerDelta, QueryWorkerRequest, QueryWorkerMessage } from './messages.ts'
import { ReplicationClient } from './replication-client.ts'
import { fileReader } from '../data-folder/table-persister.ts'
import { openServed } from '../backends/served-opener.ts'
import { SharedBlocks } from '../../store/segments/index.ts'
import type { StoredReader } from '../../store/persistence/index.ts'
import type { Served } from '../backends/tenant.ts'
import { TenantReplica } from './replica.ts'

/** Replicas of the backends, their updates, and the routes over them. */
interface Answering {
  readonly reader: ReplicationClient<QueryWorkerDelta>
  readonly answerer: CallAnswerer
  /** Replicated backends by id. */
  readonly replicas: ReadonlyMap<string, TenantReplica>
  /** Reads the segment files of the replicas. */
  readonly open: StoredReader
  readonly close: () => void
}

/** Maximum time for which a query waits for a replay of the log, ms. */
const READ_BACK_MS = 20_000

function answering(
  { backends, limits, cacheBytes, sharedBlocks }: QueryWorkerData,
  opened: ReadonlyMap<string, Served>,
  clock: Clock,
  message: QueryWorkerMessage,
  memory: AnswerMemory,
): Answering {
  const open = fileReader(
    cacheBytes,
    (path, error) => reader.tell({ damagedGroup: path, reasons: error.diagnostics }),
    sharedBlocks && new SharedBlocks(sharedBlocks, threadId),
  )
  const lines = new MorselLines(linesOfPool(), { onWorked: workedForJobs })
  const replicas = new Map<string, TenantReplica>()
  for (const each of backends)
    if ('tables' in each) replicas.set(each.id, new TenantReplica(each.tables, clock, open, lines))
  const tenants = new Map(backends.map(({ id }) => [id, present(replicas.get(id) ?? opened.get(id), 'a backend')]))
  const tenantOf = tenantFinder(tenants)
  const context: ServerContext = {
    clock: { nowMs: () => Date.now() },
    randomBytes: () => new Uint8Array(),
    log: { info: () => undefined, error: () => undefined },
    limits,
    keys: { size: 0, find: () => undefined, records: () => [] },
    backends: [...tenants.keys()],
    access: undefined,
    isReady: () => true,
    ...queryServices(tenants, limits, lines),
    pickMonitors: monitorPick(tenantOf(undefined).engine),
    checkMonitor: monitorCheck((backend) => tenantOf(backend).engine),
  }
  const reader: ReplicationClient<QueryWorkerDelta> = new ReplicationClient(
    message.news,
    (news) => present(replicas.get(news.backend), 'a backend').apply(news),
    (paths) => open.removed(paths),
  )
  const close = (): void => {
    reader.close()
    lines.close()
  }
  const answerer = new CallAnswerer(
    [...routes, ...internalRoutes],
    context,
    (backend) => tenantOf(backend).engine,
    memory,
  )
  return { reader, replicas, open, close, answerer }
}

/** Settles with the promise, or rejects if the caller disconnects or it takes too long. */
async function patiently(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<never>()
  const onAbort = (): void => gone.reject(new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)]))
  const onLate = (): void =>
    gone.reject(fault('busy', { reason: 'it reads back what it has stored' }, { 'Retry-After': '1' }))
  const timer = setTimeout(onLate, READ_BACK_MS)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    await Promise.race([promise, gone.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Main function of a query worker: answers queries over replicas of the backends until the thread is ended. */
export function serveQueries(): void {
  const start = startData() as QueryWorkerData
  // The server passes the current time with each request, so that relative times count from its arrival.
  let nowNs = 0n
  const clock: Clock = { nowMs: () => performance.now(), nowNs: () => nowNs }
  const loaded = Promise.withResolvers<void>()
  let current: Answering | undefined
  /** The replicas of a new data owner, until they are complete enough to replace the current ones. */
  let next: Answering | undefined

  const blocks = new BlockPool(start.answers)
  const memory = new AnswerMemory(start.limits.answersBytes, blocks)

  const opening = Promise.all(
    start.backends.flatMap((each) =>
      'opener' in each ? [openServed(each.opener, clock).then((served) => [each.id, served] as const)] : [],
    ),
  )
  const connect = async (what: QueryWorkerMessage): Promise<void> => {
    const opened = new Map(await opening)
    const made = answering(start, opened, clock, what, memory)
    next?.close()
    next = made
    await made.reader.upToDate()
    if (next !== made) return
    current?.close()
    current = made
    next = undefined
    loaded.resolve()
  }
  /** Resolves when the replicas contain everything that a query must see. */
  const ready = async (): Promise<Answering> => {
    for (;;) {
      // The current replicas stay in use until the replacement has its first data.
      const isLatest = next === undefined || next.reader.version === 0
      if (isLatest && current?.reader.isCurrent === true) return current
      await present(next ?? current, 'a source of news').reader.upToDate()
    }
  }
  /** Returns the current replicas, and a function that ends the read of files. */
  const answeringNow = async (signal: AbortSignal): Promise<readonly [Answering, () => void]> => {
    for (;;) {
      if (next !== undefined || current?.reader.isCurrent !== true) await patiently(ready(), signal)
      const found = current
      const endRead = found?.reader.beginRead()
      if (found !== undefined && endRead !== undefined) return [found, endRead]
    }
  }
  // Builds the parser now, because it would delay the first query.
  parse('*')
  serveJobs({
    blocks,
    ready: loaded.promise,
    onMessage: (what) => void connect(what as QueryWorkerMessage),
    line: (port, isWanted) => serveLine(port, (current ?? next)?.open, isWanted),
    background: runBackground,
    answer: async (given, signal) => {
      const request = given as QueryWorkerRequest
      let answers: Answering
      let endRead: () => void
      try {
        ;[answers, endRead] = await answeringNow(signal)
      } catch (error) {
        return present(current ?? next).answerer.refuse(request, error, signal)
      }
      try {
        const answer = await answers.answerer.answer(request, signal, () => {
          nowNs = request.nowNs
        })
        if (!isStream(answer.body)) return answer
        const body = watchedBody(answer.body, endRead)
        endRead = () => undefined
        return { ...answer, body }
      } finally {
        endRead()
      }
    },
  })
}
