import { MessageChannel, parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { invariant, present, watchCancelWord } from '../base/index.ts'
import { BlockPool, SharedBlockWriter, type SharedBlock } from './blocks.ts'
import { WholeBody, isStream, type AnswerBody } from './body.ts'
import { threadNumber } from './thread.ts'
import {
  WINDOW_BYTES,
  type AnswerHead,
  type BlockList,
  type FromWorker,
  type PoolLines,
  type ToWorker,
  type WorkerStart,
  workerWord,
} from './protocol.ts'

export interface WorkerAnswer {
  readonly head: AnswerHead
  /**
   * The body: a complete body (in blocks of the worker's pool if it is long), or a stream. A stream pauses while its
   * reader consumes nothing.
   */
  readonly body: AnswerBody
}

/** The handlers by which a worker serves jobs. */
export interface JobServer {
  /** The worker receives requests once this promise resolves; immediately by default. */
  readonly ready?: Promise<void>
  readonly onMessage: (what: unknown) => void
  /** Answers a request. Never rejects. */
  readonly answer: (request: unknown, signal: AbortSignal) => Promise<WorkerAnswer>
  /** The pool of blocks for answer bodies. */
  readonly blocks?: BlockPool
  /** Serves a channel of another thread; `isWanted` returns whether this worker has other work. */
  readonly line?: (port: MessagePort, isWanted: () => boolean) => void
  /** Runs the background task whose message is in the port. */
  readonly background?: (port: MessagePort) => void
}

interface Job {
  readonly controller: AbortController
  /** The number of bytes that may be sent before the reader consumes some. */
  credit: number
  onCredit: (() => void) | undefined
}

function listOf(blocks: readonly SharedBlock[]): BlockList {
  return blocks.flatMap(({ slab, index, lengthBytes }) => [slab.id, index, lengthBytes])
}

/** Returns the data with which a worker was started. Must be called once, before `serveJobs`. */
export function startData(): unknown {
  return (workerData as WorkerStart).data
}

/** Charges the caller of this worker's job for processor time in milliseconds that another thread has spent on it. */
export function workedForJobs(milliseconds: number): void {
  Atomics.add((workerData as WorkerStart).words, workerWord.othersMicros, Math.round(milliseconds * 1000))
}

const portOfPool = (): MessagePort => present(parentPort ?? undefined, 'the port of a worker')

/** Returns access to the other workers of the pool to which this worker belongs. */
export function linesOfPool(): PoolLines {
  return {
    idle: (workerData as WorkerStart).idle,
    connect(worker) {
      const { port1, port2 } = new MessageChannel()
      const message: FromWorker = { kind: 'line', worker, port: port2 }
      portOfPool().postMessage(message, [port2])
      return port1
    },
  }
}

/** Answers jobs until the thread is ended. Between jobs it takes morsels of other threads and runs background tasks. */
export function serveJobs({ ready, onMessage, answer, blocks = new BlockPool(), line, background }: JobServer): void {
  const port = portOfPool()
  const { words: ownWords } = workerData as WorkerStart
  let receivedMessages = 0
  const isWanted = (): boolean => Atomics.load(ownWords, workerWord.sent) !== receivedMessages
  const jobs = new Map<number, Job>()

  const tell = (message: FromWorker): void => port.postMessage(message, [])
  blocks.onSlab = ({ id, counts, memory }) => tell({ kind: 'slab', slab: id, counts, memory })
  blocks.onDrop = ({ id }) => tell({ kind: 'dropped', slab: id })
  const inBlocks = (bytes: string | Uint8Array): readonly SharedBlock[] => {
    const writer = new SharedBlockWriter(() => blocks.take())
    writer.write(bytes)
    return writer.end()
  }
  const sendBody = async (id: number, job: Job, { head, body }: WorkerAnswer): Promise<void> => {
    if (body === null || typeof body === 'string') return tell({ kind: 'head', job: id, head, body, isWhole: true })
    if (!isStream(body)) {
      const list = listOf(body instanceof WholeBody ? body.blocks : inBlocks(body))
      return tell({ kind: 'head', job: id, head, body: list, isWhole: true })
    }
    tell({ kind: 'head', job: id, head, body: null, isWhole: false })
    const { signal } = job.controller
    let isBroken = false
    try {
      for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
        const sent = inBlocks(chunk)
        for (const { lengthBytes } of sent) job.credit -= lengthBytes
        tell({ kind: 'chunk', job: id, blocks: listOf(sent) })
        while (job.credit <= 0 && !signal.aborted) await new Promise<void>((resolve) => (job.onCredit = resolve))
        signal.throwIfAborted()
      }
    } catch {
      isBroken = true
      body.cancel()
    }
    tell({ kind: 'end', job: id, isBroken, hasFailed: isBroken || body.failure !== undefined })
  }
  const run = async (id: number, words: Int32Array, request: unknown): Promise<void> => {
    const controller = new AbortController()
    const job: Job = { controller, credit: WINDOW_BYTES, onCredit: undefined }
    jobs.set(id, job)
    watchCancelWord(controller.signal, words)
    await sendBody(id, job, await answer(request, controller.signal))
    jobs.delete(id)
    blocks.trim()
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'line') return line?.(message.port, isWanted)
    receivedMessages++
    switch (message.kind) {
      case 'tell':
        return onMessage(message.what)
      case 'run':
        return void run(message.job, message.words, message.request)
      case 'background':
        background?.(message.port)
        return tell({ kind: 'head', job: message.job, head: { status: 200, headers: {} }, body: null, isWhole: true })
      case 'credit': {
        const job = jobs.get(message.job)
        if (job === undefined) return undefined
        job.credit += message.bytes
        return job.onCredit?.()
      }
      case 'cancel': {
        const job = jobs.get(message.job)
        job?.controller.abort(new Error('the request was cancelled'))
        return job?.onCredit?.()
      }
      default:
        return invariant(false, 'a message of another kind')
    }
  })
  tell({ kind: 'started', thread: threadNumber() })
  void Promise.resolve(ready).then(() => tell({ kind: 'ready' }))
}
