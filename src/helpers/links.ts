import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { present, type Budget } from '../base/index.ts'
import type { GivenPart, Helpers, OfferedWork, SharedWork } from '../backends/columnar/index.ts'
import { SegmentTeller, type Segment } from '../store/index.ts'
import {
  POSTED_WORD,
  STOP_WORD,
  controlWords,
  joinedWordOf,
  nextWordOf,
  type FromHelper,
  type ToHelper,
  type ToldWork,
} from './protocol.ts'

/** Work below this is done sooner alone: with a core to spare help saves half a millisecond of 3 ms, without one it costs a whole one. */
export const LEAST_MS = 5

/** What it takes to tell another thread of a segment in memory for the first time, with some hundred buffers, milliseconds. */
const TELL_MS = 0.3

/** The part of what a query may still hold that one helper gets. */
const MEMORY_SHARE = 4

/** So long a thread looks for what others post before it sleeps, milliseconds: to be woken takes about as long. */
const SPIN_MS = 0.1

/** One helper as the thread knows it that it helps. */
class Link {
  readonly #port: MessagePort
  readonly #teller = new SegmentTeller()
  readonly #works = new Map<number, Work>()
  readonly #onWorked: (milliseconds: number) => void
  isLost = false

  /** `onWorked` is told what the helper has worked, milliseconds of processor time, also where nothing came of it. */
  constructor(port: MessagePort, onWorked: (milliseconds: number) => void) {
    this.#port = port
    this.#onWorked = onWorked
    port.on('message', (message: FromHelper) => this.#came(message))
    port.on('close', () => {
      this.isLost = true
      for (const work of this.#works.values()) work.lost()
    })
    // It does not keep the process going.
    port.unref()
  }

  #came(message: FromHelper): void {
    this.#onWorked(message.workedMs)
    this.#works.get(message.id)?.came(this, message)
  }

  /** Takes in what has been posted by now. */
  hear(): void {
    for (let posted = receiveMessageOnPort(this.#port); posted !== undefined; posted = receiveMessageOnPort(this.#port))
      this.#came(posted.message as FromHelper)
  }

  #tell(message: ToHelper): void {
    this.#port.postMessage(message, [])
  }

  /** What it takes to tell of those segments that the helper has not heard of, milliseconds. */
  tellMs(segments: readonly Segment[]): number {
    return TELL_MS * this.#teller.untold(segments)
  }

  /** The numbers of segments for the helper; `undefined` when it cannot read them. */
  numbersOf(segments: readonly Segment[]): readonly number[] | undefined {
    const told = this.#teller.tell(segments)
    if (told === undefined) return undefined
    const { numbers, news } = told
    if (Object.values(news).some((some) => some.length > 0)) this.#tell({ kind: 'news', news })
    return numbers
  }

  begin(id: number, work: Work, told: ToldWork): void {
    this.#works.set(id, work)
    this.#tell({ kind: 'work', id, work: told })
  }

  go(id: number, pass: number, told: unknown): void {
    this.#tell({ kind: 'pass', id, pass, told })
  }

  end(id: number): void {
    this.#works.delete(id)
    this.#tell({ kind: 'end', id })
  }

  removed(paths: readonly string[]): void {
    this.#tell({ kind: 'removed', paths })
  }

  close(): void {
    this.#port.close()
  }
}

/** Work of a query that is under way in several threads. */
class Work implements SharedWork {
  readonly #id: number
  readonly #links: readonly Link[]
  readonly #control: Int32Array
  readonly #pieceCount: number
  readonly #unwatch: () => void
  #pass: number
  #given: GivenPart[] = []
  /** Those that have given what they have to give in this pass. */
  readonly #done = new Set<Link>()
  #isOver = false
  #coming: PromiseWithResolvers<void> | undefined

  constructor(id: number, links: readonly Link[], { pieceCount, nextPiece, pass, budget }: OfferedWork) {
    this.#id = id
    this.#links = links
    this.#pieceCount = pieceCount
    this.#pass = pass
    this.#control = new Int32Array(new SharedArrayBuffer(controlWords(links.length) * 4))
    this.#control[nextWordOf(pass)] = nextPiece
    this.#unwatch = budget.onCancel(() => this.#stop())
  }

  begin(tell: (link: Link) => Omit<ToldWork, 'control' | 'helper'>): void {
    for (const [helper, link] of this.#links.entries()) {
      link.begin(this.#id, this, { ...tell(link), control: this.#control, helper })
    }
  }

  next(): number | undefined {
    const piece = Atomics.add(this.#control, nextWordOf(this.#pass), 1)
    return piece < this.#pieceCount ? piece : undefined
  }

  given(): GivenPart | undefined {
    return this.#given.shift()
  }

  get isWaiting(): boolean {
    return this.#links.some(
      (link, helper) =>
        !link.isLost && !this.#done.has(link) && Atomics.load(this.#control, joinedWordOf(helper, this.#pass)) !== 0,
    )
  }

  settle(limitMs: number): void {
    const startMs = performance.now()
    while (this.isWaiting) {
      const posted = Atomics.load(this.#control, POSTED_WORD)
      for (const link of this.#links) if (!link.isLost) link.hear()
      const spentMs = performance.now() - startMs
      if (spentMs >= limitMs || !this.isWaiting) return
      if (spentMs > SPIN_MS) Atomics.wait(this.#control, POSTED_WORD, posted, limitMs - spentMs)
      else while (Atomics.load(this.#control, POSTED_WORD) === posted && performance.now() - startMs < SPIN_MS);
    }
  }

  come(): Promise<void> {
    this.#coming ??= Promise.withResolvers()
    return this.#coming.promise
  }

  came(link: Link, { pass, pieces, part, workedMs }: FromHelper): void {
    if (this.#isOver || pass !== this.#pass) return
    this.#done.add(link)
    this.#given.push({ pieces, part, workedMs })
    this.#tellNews()
  }

  lost(): void {
    this.#tellNews()
  }

  #tellNews(): void {
    this.#coming?.resolve()
    this.#coming = undefined
  }

  go(pass: number, told: unknown): void {
    this.#pass = pass
    this.#given = []
    this.#done.clear()
    for (const link of this.#links) if (!link.isLost) link.go(this.#id, pass, told)
  }

  #stop(): void {
    Atomics.store(this.#control, STOP_WORD, 1)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#given = []
    this.#unwatch()
    this.#stop()
    for (const link of this.#links) if (!link.isLost) link.end(this.#id)
    this.#tellNews()
  }
}

function limitsFor({ limits, valueLimits, usedBytes, remainingMs }: Budget, helpers: number): ToldWork['limits'] {
  const memoryBytes = Math.floor((limits.memoryBytes - usedBytes) / MEMORY_SHARE / helpers)
  return { ...valueLimits, memoryBytes, timeoutMs: remainingMs, scanRows: limits.scanRows }
}

export interface LinkOptions {
  /** Shorter work is not shared, milliseconds. */
  readonly leastMs?: number | undefined
  /** Asked before work is shared; it may be unless given. */
  readonly mayShare?: (() => boolean) | undefined
  /** Told what others have worked for this thread, milliseconds of processor time. */
  readonly onWorked?: ((milliseconds: number) => void) | undefined
  readonly onClose?: (() => void) | undefined
}

/** Helpers at the other ends of ports. */
export class HelperLinks implements Helpers {
  readonly leastMs: number
  readonly #mayShare: () => boolean
  readonly #onWorked: (milliseconds: number) => void
  readonly #onClose: (() => void) | undefined
  readonly #links: Link[]
  #nextId = 0
  /** What queries might have saved that were left alone because segments were not told yet, milliseconds. */
  #forgoneMs = 0

  constructor(ports: readonly MessagePort[], options: LinkOptions = {}) {
    const { leastMs = LEAST_MS, mayShare = () => true, onWorked = () => undefined, onClose } = options
    this.leastMs = leastMs
    this.#mayShare = mayShare
    this.#onWorked = onWorked
    this.#onClose = onClose
    this.#links = ports.map((port) => new Link(port, onWorked))
  }

  get count(): number {
    return this.#links.length
  }

  /** Another helper in the place of one that is lost. */
  replace(index: number, port: MessagePort): void {
    this.#links[index]?.close()
    this.#links[index] = new Link(port, this.#onWorked)
  }

  share(offered: OfferedWork): SharedWork | undefined {
    const links = this.#mayShare() ? this.#links.filter((link) => !link.isLost) : []
    if (links.length === 0 || !this.#isWorthTelling(links, offered)) return undefined
    const { segments, pieceCount, pass, budget } = offered
    const task = offered.task()
    if (task === undefined) return undefined
    const numbers = new Map<Link, readonly number[]>()
    for (const link of links) {
      const known = link.numbersOf(segments)
      if (known === undefined) return undefined
      numbers.set(link, known)
    }
    const work = new Work(this.#nextId++, links, offered)
    const limits = limitsFor(budget, links.length)
    work.begin((link) => ({ task, segments: present(numbers.get(link)), pieceCount, pass, limits }))
    return work
  }

  /** Where telling of segments takes longer than help would save, it waits until queries have gone without as much. */
  #isWorthTelling(links: readonly Link[], { segments, leftMs }: OfferedWork): boolean {
    const tellMs = this.leastMs === 0 ? 0 : links.reduce((sum, link) => sum + link.tellMs(segments), 0)
    if (tellMs === 0) return true
    this.#forgoneMs += (leftMs * links.length) / (links.length + 1)
    if (this.#forgoneMs < tellMs) return false
    this.#forgoneMs = 0
    return true
  }

  /** Files were removed that segments lay in: nobody needs them open any more. */
  removed(paths: readonly string[]): void {
    for (const link of this.#links) if (!link.isLost) link.removed(paths)
  }

  close(): void {
    for (const link of this.#links) link.close()
    this.#onClose?.()
  }
}
