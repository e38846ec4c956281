import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { invariant, present, watchCancelWord } from '../base/index.ts'
import { BlockPool, BlockWriter, type Block } from './blocks.ts'
import { WholeBody, isStream, type Body } from './body.ts'
import { threadNumber } from './thread.ts'
import {
  WINDOW_BYTES,
  type AnswerHead,
  type BlockList,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts'

export interface WorkerAnswer {
  readonly head: AnswerHead
  /** Complete, in blocks of the worker's pool if it is long, or as it comes: then a reader who takes nothing stops it. */
  readonly body: Body
}

/** What a worker does. */
export interface JobServer {
  /** Jobs come once this resolves; at once unless given. */
  readonly ready?: Promise<void>
  readonly told: (what: unknown) => void
  /** Never rejects. */
  readonly answer: (request: unknown, signal: AbortSignal) => Promise<WorkerAnswer>
  /** Where the bytes of answers lie. */
  readonly blocks?: BlockPool
}

interface Job {
  readonly controller: AbortController
  /** Bytes that may be sent before the reader takes some. */
  credit: number
  onCredit: (() => void) | undefined
}

function listOf(blocks: readonly Block[]): BlockList {
  return blocks.flatMap(({ slab, index, lengthBytes }) => [slab.id, index, lengthBytes])
}

/** What a worker was started with: to be read once, before `serveJobs`. */
export function startData(): unknown {
  return (workerData as WorkerStart).data
}

/** Counts processor time that another thread has spent on the job of this one, milliseconds: its caller is charged. */
export function workedForJobs(milliseconds: number): void {
  Atomics.add((workerData as WorkerStart).othersMicros, 0, Math.round(milliseconds * 1000))
}

/** Answers jobs until the thread is ended. */
export function serveJobs({ ready, told, answer, blocks = new BlockPool() }: JobServer): void {
  const port: MessagePort = present(parentPort ?? undefined, 'the port of a worker')
  const jobs = new Map<number, Job>()

  const tell = (message: FromWorker): void => port.postMessage(message, [])
  blocks.onSlab = ({ id, memory }) => tell({ kind: 'slab', slab: id, memory })
  blocks.onDrop = ({ id }) => tell({ kind: 'dropped', slab: id })
  const inBlocks = (bytes: string | Uint8Array): readonly Block[] => {
    const writer = new BlockWriter(() => blocks.take())
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
      for (let piece = await body.next(); piece !== undefined; piece = await body.next()) {
        const sent = inBlocks(piece)
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
    switch (message.kind) {
      case 'tell':
        return told(message.what)
      case 'run':
        return void run(message.job, message.words, message.request)
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
  void Promise.resolve(ready).then(() => tell({ kind: 'ready', thread: threadNumber() }))
}
