import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Budget, HEARTBEAT_MS, RESPONSE_TIMEOUT_MS, SluiceError } from '../../../base/index.ts'
import type { ForeignEngine } from '../foreign/engine.ts'
import { type FromEngine, type ToEngine } from './engine-messages.ts'
import { FrameSocket } from './frames.ts'
import { packBatch } from './packed-batch.ts'
import { BATCHES_IN_FLIGHT } from '../tuning.ts'

type Run = Extract<ToEngine, { kind: 'run' }>

/** A running statement, and the milliseconds since its deadline or cancel. */
interface Running {
  readonly budget: Budget
  overMs: number
}

/** The server's side of a connection, which has one call at a time. A connection that closes ends its running call. */
class Caller {
  readonly #engine: ForeignEngine
  readonly #running: Set<Running>
  readonly #frames: FrameSocket
  #current: Running | undefined
  #credit = 0
  #wake: (() => void) | undefined

  constructor(socket: Socket, engine: ForeignEngine, running: Set<Running>) {
    this.#engine = engine
    this.#running = running
    this.#frames = new FrameSocket(socket, {
      onMessage: (message) => this.#take(message as ToEngine),
      onClose: () => {
        this.#current?.budget.cancel()
        this.#wake?.()
      },
    })
    // A process that is ending still accepts connections for a moment. The greeting shows that this process will
    // answer.
    this.#send({ kind: 'hello' })
  }

  #take(message: ToEngine): void {
    if (message.kind !== 'next') return void this.#answer(message)
    this.#credit++
    this.#wake?.()
  }

  #send(message: FromEngine): void {
    this.#frames.send(message)
  }

  async #answer(message: Exclude<ToEngine, { kind: 'next' }>): Promise<void> {
    try {
      switch (message.kind) {
        case 'describe':
          return this.#send({ kind: 'value', value: await this.#engine.describe(message.source) })
        case 'settle':
          return this.#send({
            kind: 'value',
            value: (await this.#engine.settle?.(message.source)) ?? message.source,
          })
        case 'explain':
          return this.#send({ kind: 'value', value: await this.#engine.explain(message.statement) })
        default:
          return await this.#run(message)
      }
    } catch (error) {
      const failure = error instanceof SluiceError ? { diagnostics: error.diagnostics } : {}
      this.#send({ kind: 'failed', reason: String(error), ...failure })
    }
  }

  async #run({ statement, batchRows, limits, remainingMs }: Run): Promise<void> {
    const startedMs = performance.now() + remainingMs - limits.timeoutMs
    const budget = new Budget(limits, () => performance.now(), undefined, startedMs)
    const running: Running = { budget, overMs: 0 }
    this.#credit = BATCHES_IN_FLIGHT
    this.#current = running
    this.#running.add(running)
    try {
      for await (const batch of this.#engine.run(statement, { budget, batchRows })) {
        await this.#room(running)
        if (this.#frames.isEnded) return
        this.#credit--
        this.#send({ kind: 'batch', batch: packBatch(batch) })
      }
      this.#send({ kind: 'end' })
    } finally {
      this.#running.delete(running)
      this.#current = undefined
    }
  }

  /**
   * Waits until the reader requests another batch or has disconnected, or the deadline has passed. The memory of the
   * statement stays allocated meanwhile.
   */
  async #room(running: Running): Promise<void> {
    while (this.#credit <= 0 && !this.#frames.isEnded) {
      running.budget.checkpoint()
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, running.budget.remainingMs + 1)
      await promise
      clearTimeout(timer)
      this.#wake = undefined
    }
  }
}

/**
 * Listens at a socket and runs calls on the database. Calls `onStuck` if a statement still runs `stuckMs` milliseconds
 * after its cancel or deadline.
 */
export async function serveEngine(
  engine: ForeignEngine,
  path: string,
  onStuck: () => void,
  stuckMs = RESPONSE_TIMEOUT_MS,
): Promise<Server> {
  const running = new Set<Running>()
  const server = createServer((socket) => void new Caller(socket, engine, running))
  server.listen(path)
  await once(server, 'listening')
  setInterval(() => {
    for (const each of running) {
      if (!each.budget.isCancelled && each.budget.remainingMs > 0) continue
      each.overMs += HEARTBEAT_MS
      if (each.overMs > stuckMs) onStuck()
    }
  }, HEARTBEAT_MS).unref()
  return server
}
