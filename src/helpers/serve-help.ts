import { parentPort, type MessagePort } from 'node:worker_threads'
import { Budget, invariant, present, workFor } from '../base/index.ts'
import { helpingWith, type Helping } from '../backends/columnar/index.ts'
import { SegmentListener, type OpenStored } from '../store/index.ts'
import { POSTED_WORD, STOP_WORD, takePiece, type FromHelper, type ToHelper, type ToldWork } from './protocol.ts'

/** All buffers in plain data that belong to this thread alone: they are handed over, not copied. */
function buffersIn(plain: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (typeof plain !== 'object' || plain === null) return found
  if (ArrayBuffer.isView(plain)) {
    if (plain.buffer instanceof ArrayBuffer) found.add(plain.buffer)
  } else if (Array.isArray(plain)) {
    // Lists of values have no buffers among them.
    if (typeof plain[0] === 'object') for (const each of plain) buffersIn(each, found)
  } else for (const each of Object.values(plain)) buffersIn(each, found)
  return found
}

/** What this thread has worked, milliseconds of processor time; by the clock where Node (before 22.19) does not tell. */
function processorMs(): number {
  const system: { readonly threadCpuUsage?: (this: void) => NodeJS.CpuUsage } = process
  const used = system.threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}

/** Work of another thread that this one takes part in. */
class Help {
  readonly #id: number
  readonly #work: ToldWork
  readonly #tell: (message: FromHelper) => void
  readonly #passes: Extract<ToHelper, { readonly kind: 'pass' }>[] = []
  #told: PromiseWithResolvers<void> | undefined
  #isOver = false
  #workedMs = 0

  constructor(id: number, work: ToldWork, tell: (message: FromHelper) => void) {
    this.#id = id
    this.#work = work
    this.#tell = tell
  }

  go(pass: Extract<ToHelper, { readonly kind: 'pass' }>): void {
    this.#passes.push(pass)
    this.#told?.resolve()
  }

  end(): void {
    this.#isOver = true
    this.#told?.resolve()
  }

  /** Until there is nothing more to do. Whoever asked does again what fails here, and meets the same error. */
  async run(listener: SegmentListener): Promise<void> {
    const { task, segments, limits, control } = this.#work
    let { pass } = this.#work
    let told: unknown
    let pieces: number[] = []
    let helping: Helping | undefined
    try {
      const word = new Int32Array(control.buffer, STOP_WORD * 4, 1)
      const budget = new Budget(limits, () => performance.now(), undefined, undefined, word)
      const make = (): Helping => helpingWith(task, listener.segments(segments), budget)
      while (!this.#isOver) {
        pieces = []
        // Nothing is made ready where no piece is left.
        let piece = takePiece(this.#work, pass)
        if (piece !== undefined) {
          helping ??= workFor(budget, make)
          if (told !== undefined) workFor(budget, () => helping?.hear(pass, told))
          const next = (): number | undefined => {
            const taken = piece
            if (taken !== undefined) {
              pieces.push(taken)
              piece = takePiece(this.#work, pass)
            }
            return taken
          }
          const beforeMs = processorMs()
          try {
            workFor(budget, () => helping?.work(next))
          } finally {
            this.#workedMs += processorMs() - beforeMs
          }
        }
        this.#give(pass, pieces, pieces.length === 0 ? undefined : helping?.give())
        const following = await this.#following()
        if (following === undefined) return
        ;({ pass, told } = following)
      }
    } catch {
      this.#give(pass, pieces, undefined)
    } finally {
      await helping?.end()
    }
  }

  /** As it stands after this pass. */
  #give(pass: number, pieces: readonly number[], part: unknown): void {
    this.#tell({ id: this.#id, pass, pieces, part, workedMs: this.#workedMs })
    this.#workedMs = 0
    Atomics.add(this.#work.control, POSTED_WORD, 1)
    Atomics.notify(this.#work.control, POSTED_WORD)
  }

  async #following(): Promise<Extract<ToHelper, { readonly kind: 'pass' }> | undefined> {
    if (this.#passes.length === 0 && !this.#isOver) {
      this.#told = Promise.withResolvers()
      await this.#told.promise
    }
    return this.#passes.shift()
  }
}

/** Opens what lies in files; `removed` is told of files that need not be open any more. */
type OpenFiles = OpenStored & { readonly removed: (paths: readonly string[]) => void }

/** Answers one thread that asks for help, until the port closes. */
function serve(port: MessagePort, open: OpenFiles | undefined): void {
  const listener = new SegmentListener(open)
  const helps = new Map<number, Help>()
  const tell = (message: FromHelper): void => port.postMessage(message, [...buffersIn(message.part)])
  port.on('message', (message: ToHelper) => {
    switch (message.kind) {
      case 'news':
        return listener.hear(message.news)
      case 'removed':
        return open?.removed(message.paths)
      case 'work': {
        const help = new Help(message.id, message.work, tell)
        helps.set(message.id, help)
        return void help.run(listener)
      }
      case 'pass':
        return helps.get(message.id)?.go(message)
      case 'end':
        helps.get(message.id)?.end()
        return void helps.delete(message.id)
      default:
        return invariant(false, 'a message of another kind')
    }
  })
}

/** Takes part in the work of other threads, whose ports come as messages, until the thread is ended; `open` reads segments in files. */
export function serveHelp(open?: OpenFiles): void {
  present(parentPort ?? undefined, 'the port of a worker').on('message', (port: MessagePort) => serve(port, open))
}
