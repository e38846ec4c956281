import { BUDGET_WATCH_MS } from '../base/index.ts'
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { Budget } from '../base/index.ts'
import {
  SHARE_AFTER_MS,
  type MorselWork,
  type Parallelism,
  type RemoteResult,
  type SharedMorsels,
} from '../backends/columnar/index.ts'
import { SegmentSender, type Segment } from '../store/index.ts'
import { type PoolLines, type SharedResult, type SharedTask, taskWord } from './protocol.ts'

/** The share of a query's remaining memory that all its helpers get together. */
const MEMORY_SHARE = 0.25
/**
 * Milliseconds without a heartbeat after which a helper counts as lost and its morsels are computed again. A heartbeat
 * comes about every millisecond.
 */
const LOST_MS = 1000

/** A message channel to one worker. */
class Line {
  readonly #port: MessagePort
  readonly #sender = new SegmentSender()
  readonly #onResult: (result: SharedResult) => void

  constructor(port: MessagePort, onResult: (result: SharedResult) => void, onClose: () => void) {
    this.#port = port
    this.#onResult = onResult
    // Results that arrive after the end of their query are received too, because their processor time counts.
    port.on('message', onResult)
    port.on('close', onClose)
    port.unref()
  }

  /** Receives all results that have arrived. */
  receive(): void {
    for (
      let message = receiveMessageOnPort(this.#port);
      message !== undefined;
      message = receiveMessageOnPort(this.#port)
    )
      this.#onResult(message.message as SharedResult)
  }

  /** Sends a task. Returns false when the segments can only be read in this thread. */
  send(segments: readonly Segment[], task: Omit<SharedTask, 'news' | 'segments'>): boolean {
    const sent = this.#sender.send(segments)
    if (sent === undefined) return false
    const message: SharedTask = { ...task, news: sent.news, segments: sent.numbers }
    this.#port.postMessage(message, [])
    return true
  }

  close(): void {
    this.#port.close()
  }
}

/** A worker that computes morsels of shared work. */
interface Helper {
  readonly worker: number
  readonly line: Line
  heartbeat: number
  /** The time when the heartbeat was last seen to change, by `performance.now`. */
  movedMs: number
  isDone: boolean
}

/** The shared morsels of one operator. Workers take them through message channels. */
class LineMorsels implements SharedMorsels {
  readonly id: number
  readonly #work: MorselWork
  readonly #task: unknown
  readonly #lines: MorselLines
  readonly #control: Int32Array
  readonly #helpers: Helper[] = []
  readonly #results: RemoteResult[] = []
  readonly #unwatch: () => void
  #canInvite = true

  constructor(id: number, work: MorselWork, task: unknown, lines: MorselLines) {
    this.id = id
    this.#work = work
    this.#task = task
    this.#lines = lines
    this.#control = new Int32Array(new SharedArrayBuffer((taskWord.heartbeats + lines.idle.length) * 4))
    this.#control[taskWord.next] = work.firstMorsel
    this.#unwatch = work.budget.onCancel(() => this.#stop())
  }

  next(): number | undefined {
    if (this.#canInvite) this.#invite()
    const morsel = Atomics.add(this.#control, taskWord.next, 1)
    return morsel < this.#work.morselCount ? morsel : undefined
  }

  /** Sends the task to workers that have become idle, at most once to each. */
  #invite(): void {
    const { segments, morselCount, budget } = this.#work
    for (const worker of this.#lines.idleWorkers()) {
      const helper = this.#helpers.length
      if (helper === this.#lines.idle.length || this.#helpers.some((each) => each.worker === worker)) continue
      const line = this.#lines.to(worker)
      const limits = limitsFor(budget, this.#lines.idle.length)
      const { id } = this
      this.#canInvite = line.send(segments, {
        id,
        task: this.#task,
        morselCount,
        control: this.#control,
        helper,
        limits,
      })
      if (!this.#canInvite) return
      this.#helpers.push({ worker, line, heartbeat: 0, movedMs: 0, isDone: false })
    }
  }

  receive({ helper, morsels, partial, workedMs }: SharedResult): void {
    const found = this.#helpers[helper]
    if (found === undefined || found.isDone) return
    found.isDone = true
    this.#results.push({ morsels, partial, workedMs })
  }

  received(): RemoteResult | undefined {
    return this.#results.shift()
  }

  settle(): void {
    this.#canInvite = false
    for (;;) {
      const sent = Atomics.load(this.#control, taskWord.sentResults)
      for (const { line } of this.#helpers) line.receive()
      if (!this.#helpers.some((each, index) => this.#isAwaited(each, index))) return
      Atomics.wait(this.#control, taskWord.sentResults, sent, BUDGET_WATCH_MS)
      this.#work.budget.checkpoint()
    }
  }

  /** True if a helper has taken part, still works and has not returned its result. */
  #isAwaited(helper: Helper, index: number): boolean {
    const heartbeat = Atomics.load(this.#control, taskWord.heartbeats + index)
    if (heartbeat === 0 || helper.isDone) return false
    const nowMs = performance.now()
    if (heartbeat !== helper.heartbeat) {
      helper.heartbeat = heartbeat
      helper.movedMs = nowMs
    }
    if (nowMs - helper.movedMs > LOST_MS) helper.isDone = true
    return !helper.isDone
  }

  #stop(): void {
    Atomics.store(this.#control, taskWord.stop, 1)
  }

  end(): void {
    this.#unwatch()
    this.#stop()
    this.#lines.forget(this)
  }
}

function limitsFor({ limits, valueLimits, usedBytes, remainingMs }: Budget, helpers: number): SharedTask['limits'] {
  const memoryBytes = Math.floor(((limits.memoryBytes - usedBytes) * MEMORY_SHARE) / helpers)
  return { ...valueLimits, memoryBytes, timeoutMs: remainingMs, scanRows: limits.scanRows }
}

export interface MorselLinesOptions {
  /** Milliseconds after which work is shared; `SHARE_AFTER_MS` by default. */
  readonly shareAfterMs?: number | undefined
  /** Called with the processor time in milliseconds that other threads have used for this thread's queries. */
  readonly onWorked?: ((milliseconds: number) => void) | undefined
}

/** Channels from one thread to the workers of a pool. Idle workers take morsels of the thread's queries. */
export class MorselLines implements Parallelism {
  readonly shareAfterMs: number
  readonly idle: Int32Array
  readonly #pool: PoolLines
  readonly #onWorked: ((milliseconds: number) => void) | undefined
  readonly #lines = new Map<number, Line>()
  readonly #works = new Map<number, LineMorsels>()
  #nextId = 0

  constructor(pool: PoolLines, { shareAfterMs = SHARE_AFTER_MS, onWorked }: MorselLinesOptions = {}) {
    this.#pool = pool
    this.idle = pool.idle
    this.shareAfterMs = shareAfterMs
    this.#onWorked = onWorked
  }

  get hasIdle(): boolean {
    return this.idle.some((_, index) => Atomics.load(this.idle, index) !== 0)
  }

  share(work: MorselWork): SharedMorsels | undefined {
    const task = work.task()
    if (task === undefined) return undefined
    const shared = new LineMorsels(this.#nextId++, work, task, this)
    this.#works.set(shared.id, shared)
    return shared
  }

  /** Returns the ids of workers that may take morsels now. */
  idleWorkers(): readonly number[] {
    return Array.from(this.idle, (_, index) => Atomics.load(this.idle, index)).filter((worker) => worker !== 0)
  }

  /** Returns the channel to a worker. */
  to(worker: number): Line {
    let line = this.#lines.get(worker)
    if (line === undefined) {
      const onClose = (): void => void this.#lines.delete(worker)
      line = new Line(this.#pool.connect(worker), (result) => this.#receive(result), onClose)
      this.#lines.set(worker, line)
    }
    return line
  }

  #receive(result: SharedResult): void {
    this.#onWorked?.(result.workedMs)
    this.#works.get(result.id)?.receive(result)
  }

  /** Removes shared work that has ended. */
  forget(shared: LineMorsels): void {
    this.#works.delete(shared.id)
  }

  close(): void {
    for (const line of this.#lines.values()) line.close()
    this.#lines.clear()
  }
}
