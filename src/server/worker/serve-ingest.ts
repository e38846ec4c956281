import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { BUFFER_BYTES, POLL_MS, runCooperatively, present, type StepwiseTask } from '../../base/index.ts'
import { lowerPriority, threadNumber } from '../../workers/index.ts'
import { openKeptData } from '../data-folder/data-folder.ts'
import { createDeleter } from '../deletion/deleter.ts'
import { tablePersister, loadInto, memoryRetention, readBackInto, storeMemory } from '../data-folder/table-persister.ts'
import { HalfStored, Ingester } from '../ingest/ingest-service.ts'
import { newTarget, newTenant } from '../backends/tenant.ts'
import { StoreFigures } from '../data-folder/store-gauges.ts'
import { isUsedAgain } from './body-buffers.ts'
import {
  INGEST_BEAT_MS,
  ingestWords,
  type FromIngest,
  type IngestWorkerData,
  type ToIngest,
} from './ingest-messages.ts'
import { ReplicationServer } from './replication-server.ts'
import { PoolPacker } from './pool-packer.ts'
import { serializedError } from './serialized-error.ts'

const toBackground = (port: MessagePort): FromIngest => ({ kind: 'background', port })

const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n

/**
 * Main function of the ingest thread. The thread owns the backends: it decodes bodies, writes the log, stores rows, and
 * replicates changes to query workers. It ends on request.
 */
export function serveIngest(): void {
  const port: MessagePort = present(parentPort ?? undefined, 'the port of a worker')
  const { backends, limits, folder, lock, keepTo, keeping, load, words, newsWords, figures } =
    workerData as IngestWorkerData
  const tell = (message: FromIngest): void => port.postMessage(message, 'memory' in message ? message.memory : [])
  Atomics.store(words, ingestWords.thread, threadNumber() ?? 0)
  setInterval(() => Atomics.add(words, ingestWords.beat, 1), INGEST_BEAT_MS)

  const packing = folder === undefined ? { cacheBytes: BUFFER_BYTES } : undefined
  const targets = new Map(backends.map((id) => [id, newTarget(limits.series, packing)]))
  const desk = new ReplicationServer(targets, newsWords)
  const bodies = new Map<number, Uint8Array<ArrayBuffer>[]>()
  const taking = new Set<Promise<void>>()
  /** Workers that wait until the data is complete; `undefined` once it is complete. */
  let readers: Extract<ToIngest, { kind: 'reader' }>[] | undefined = []
  const start = open()

  /** Publishes the id of the current body at each step, so that the cause of a crash is known. */
  function* marked<T>(id: number, turns: StepwiseTask<T>): StepwiseTask<T> {
    for (;;) {
      Atomics.store(words, ingestWords.current, id)
      const next = turns.next()
      Atomics.store(words, ingestWords.current, 0)
      if (next.done === true) return next.value
      yield
    }
  }
  async function open() {
    const log = folder === undefined ? undefined : openKeptData(folder, { keepTo, lock }, keeping.diskReserveBytes)
    tell({ kind: 'opened', notices: log?.notices ?? [] })
    const persister =
      log &&
      tablePersister({
        ...log,
        ...keeping,
        targets,
        keepsSegments: true,
        readers: desk.readers,
        packer: new PoolPacker((task) => port.postMessage(toBackground(task), [task])),
        nowNs,
        onChange: () => desk.changed(),
        onFailure: (error) => tell({ kind: 'trouble', error: serializedError(error) }),
      })
    const held = { targets, batches: log?.batches, persister }
    tell({ kind: 'read-back', ...(await readBackInto(held)) })
    await loadInto(held, load, (message) => tell({ kind: 'loading', message }))
    for (const { packer } of targets.values()) if (packer !== undefined) await runCooperatively(packer.settle())
    desk.changed()
    for (const { port: reader, reads } of readers ?? []) desk.serve(reader, reads)
    readers = undefined
    lowerPriority()
    const memory = storeMemory(keeping, targets, persister, (dropped) => tell({ kind: 'dropped', ...dropped }))
    const retention = memoryRetention(keeping, targets, persister, nowNs)
    retention?.start(() => desk.changed())
    const noted = new StoreFigures(figures)
    noted.note(persister, memory, retention)
    setInterval(() => noted.note(persister, memory, retention), POLL_MS)
    tell({ kind: 'ready', ends: log?.ends })
    const [first] = targets.values()
    const targetOf = (id: string | undefined) => present(id === undefined ? first : targets.get(id), 'a backend')
    const makeRoom = memory && ((bytes: number, mostBytes?: number) => memory.makeRoom(bytes, mostBytes))
    const deleter = createDeleter({
      targets,
      engineOver: (target) => newTenant(undefined, target).engine,
      persister,
      onChange: () => desk.changed(),
      beginRead: () => desk.readers.begin(),
    })
    return {
      log,
      persister,
      deleter,
      ingester: new Ingester({ targetOf, log: log?.batches, limits, watch: persister, makeRoom }),
    }
  }
  async function remove({ id, request }: Extract<ToIngest, { kind: 'delete' }>): Promise<void> {
    try {
      const { deleter } = await start
      tell({ kind: 'deleted', id, rows: await deleter.delete(request) })
    } catch (error) {
      tell({ kind: 'refused', id, error: serializedError(error), memory: [] })
    }
  }
  async function take({ id, request, receivedNs }: Extract<ToIngest, { kind: 'ingest' }>): Promise<void> {
    const { encoding, keyId, ...rest } = request
    const chunks = bodies.get(id) ?? []
    const body = { chunks, encoding, keyId }
    bodies.delete(id)
    // Decompression may still be reading a rejected body, so its buffers are not reused.
    const memory = encoding === 'identity' ? chunks.map(({ buffer }) => buffer).filter(isUsedAgain) : []
    try {
      const { ingester, persister } = await start
      await persister?.capacity()
      const { report, mark } = await ingester.take({ ...rest, body }, receivedNs, (turns) =>
        runCooperatively(marked(id, turns)),
      )
      desk.changed()
      tell({ kind: 'done', id, report, mark, memory })
      if (mark !== undefined) persister?.acknowledge(mark)
    } catch (error) {
      if (error instanceof HalfStored) {
        // The thread is inconsistent now. Another thread replaces it and replays the log without this body.
        Atomics.compareExchange(words, ingestWords.broken, 0, id)
        setImmediate(() => {
          throw error
        })
        return
      }
      tell({ kind: 'refused', id, error: serializedError(error), memory })
    }
  }
  async function close(): Promise<void> {
    const opened = await start.catch(() => undefined)
    await Promise.all(taking)
    await opened?.persister?.close()
    await opened?.log?.batches.close()
    await opened?.log?.manifest.close()
    tell({ kind: 'closed' })
  }

  start.catch((error: unknown) => tell({ kind: 'failed', error: serializedError(error) }))
  port.on('message', (message: ToIngest) => {
    switch (message.kind) {
      case 'bytes': {
        const body = bodies.get(message.id) ?? []
        body.push(message.bytes)
        return void bodies.set(message.id, body)
      }
      case 'ingest': {
        const taken = take(message)
        taking.add(taken)
        return void taken.then(() => taking.delete(taken))
      }
      case 'delete':
        return void remove(message)
      case 'reader':
        return readers === undefined ? desk.serve(message.port, message.reads) : void readers.push(message)
      case 'close':
        return void close()
    }
  })
}
