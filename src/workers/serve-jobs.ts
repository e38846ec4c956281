import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { invariant, present, watchCancelWord } from '../base/index.ts'
import {
  BEAT_MS,
  BEAT_WORD,
  WINDOW_BYTES,
  cancelWordAt,
  jobState,
  stateWordAt,
  type AnswerHead,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts'

export interface WorkerAnswer {
  readonly head: AnswerHead
  /** Complete, or as it comes: then a reader who takes nothing stops it. It throws when it breaks off. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  /** Asked at the end of a body that came in pieces: whether it tells of an error. */
  readonly hasFailed?: () => boolean
}

/** What a worker does. */
export interface JobServer {
  /** Jobs come once this resolves; at once unless given. */
  readonly ready?: Promise<void>
  readonly told: (what: unknown) => void
  /** Never rejects. */
  readonly answer: (request: unknown, signal: AbortSignal) => Promise<WorkerAnswer>
}

interface Job {
  readonly controller: AbortController
  /** Bytes that may be sent before the reader takes some. */
  credit: number
  onCredit: (() => void) | undefined
}

/** Bytes in memory of their own, to be handed over without a copy. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
  return isOwn ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

/** What a worker was started with: to be read once, before `serveJobs`. */
export function startData(): unknown {
  return (workerData as WorkerStart).data
}

/** Answers jobs until the thread is ended. */
export function serveJobs({ ready, told, answer }: JobServer): void {
  const port: MessagePort = present(parentPort ?? undefined, 'the port of a worker')
  const { words } = workerData as WorkerStart
  const jobs = new Map<number, Job>()
  let beat: NodeJS.Timeout | undefined

  const tell = (message: FromWorker, bytes?: Uint8Array<ArrayBuffer> | null): void => {
    port.postMessage(message, bytes === undefined || bytes === null ? [] : [bytes.buffer])
  }
  const beatWhileBusy = (): void => {
    if (jobs.size > 0) beat ??= setInterval(() => Atomics.add(words, BEAT_WORD, 1), BEAT_MS)
    else {
      clearInterval(beat)
      beat = undefined
    }
  }
  const sendBody = async (id: number, job: Job, { head, body, hasFailed }: WorkerAnswer): Promise<void> => {
    if (body === null || body instanceof Uint8Array) {
      const bytes = body && ownBytes(body)
      return tell({ kind: 'head', job: id, head, body: bytes, isWhole: true }, bytes)
    }
    tell({ kind: 'head', job: id, head, body: null, isWhole: false })
    let isBroken = false
    try {
      for await (const chunk of body) {
        const bytes = ownBytes(chunk)
        job.credit -= bytes.byteLength
        tell({ kind: 'chunk', job: id, bytes }, bytes)
        const { signal } = job.controller
        while (job.credit <= 0 && !signal.aborted) await new Promise<void>((resolve) => (job.onCredit = resolve))
        signal.throwIfAborted()
      }
    } catch {
      isBroken = true
    }
    tell({ kind: 'end', job: id, isBroken, hasFailed: hasFailed?.() ?? false })
  }
  const run = async (id: number, slot: number, request: unknown): Promise<void> => {
    if (Atomics.compareExchange(words, stateWordAt(slot), jobState.sent, jobState.begun) !== jobState.sent)
      return tell({ kind: 'withdrawn', job: id })
    const controller = new AbortController()
    const job: Job = { controller, credit: WINDOW_BYTES, onCredit: undefined }
    jobs.set(id, job)
    beatWhileBusy()
    watchCancelWord(controller.signal, new Int32Array(words.buffer, words.byteOffset + cancelWordAt(slot) * 4, 3))
    await sendBody(id, job, await answer(request, controller.signal))
    jobs.delete(id)
    beatWhileBusy()
  }

  port.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'tell':
        return told(message.what)
      case 'run':
        return void run(message.job, message.slot, message.request)
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
  void Promise.resolve(ready).then(() => tell({ kind: 'ready' }))
}
