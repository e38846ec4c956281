import type { Dispatcher } from '../dispatcher.ts'
import type { Delivery, SendOutcome } from '../types.ts'
import type { SendClock } from './clock.ts'

/**
 * Maximum number of deliveries in flight; each holds a socket and a body of up to 1 MiB. An integration with no
 * delivery in flight may start one beyond this limit, so that receivers that hang never delay the others.
 */
const MAX_IN_FLIGHT = 32

/**
 * Maximum number of deliveries in flight to one integration, so that an integration that hangs leaves capacity for
 * others.
 */
const MAX_PER_INTEGRATION = 8

/** Maximum delay of Node's timers, ms. Waking too early is harmless. */
const MAX_DELAY_MS = 2 ** 31 - 1

export interface RunnerTools {
  readonly dispatcher: Dispatcher
  readonly clock: SendClock
  /** Attempts a delivery once; must not reject. */
  readonly send: (delivery: Delivery) => Promise<SendOutcome>
  /** Writes the dispatcher's state to disk before a delivery is sent. If it rejects, the delivery is retried later. */
  readonly persist?: (delivery: Delivery) => Promise<void>
  readonly onOutcome?: (delivery: Delivery, outcome: SendOutcome) => void
}

function integrationKey({ receiver, integration }: Delivery): string {
  return `${receiver}/${integration.id}`
}

/** Advances a dispatcher when due and sends its deliveries, one at a time for each group. */
export class DeliveryRunner {
  readonly #tools: RunnerTools
  readonly #queue: Delivery[] = []
  readonly #inFlight = new Map<string, number>()
  #count = 0
  #cancelTimer: () => void = () => {}
  #isClosed = false
  /** Callers of `idle` that wait until no delivery is in flight. */
  #waiting: (() => void)[] = []

  constructor(tools: RunnerTools) {
    this.#tools = tools
  }

  /** Advances the dispatcher now. Call it after alerts were received or silences changed. */
  wake(): void {
    if (this.#isClosed) return
    const { dispatcher, clock } = this.#tools
    this.#cancelTimer()
    this.#queue.push(...dispatcher.advance(clock.nowMs()))
    this.#startQueued()
    const delayMs = dispatcher.nextWakeMs - clock.nowMs()
    if (delayMs !== Infinity)
      this.#cancelTimer = clock.schedule(Math.min(MAX_DELAY_MS, Math.max(0, delayMs)), () => this.wake())
  }

  /** Resolves when no delivery is in flight. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((done) => this.#waiting.push(done))
  }

  /** Starts no further delivery. Resolves when none is in flight. */
  close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    this.#queue.length = 0
    return this.idle()
  }

  #startQueued(): void {
    for (let i = 0; i < this.#queue.length;) {
      const delivery = this.#queue[i]
      const own = delivery === undefined ? 0 : (this.#inFlight.get(integrationKey(delivery)) ?? 0)
      const hasCapacity = own === 0 || (own < MAX_PER_INTEGRATION && this.#count < MAX_IN_FLIGHT)
      if (delivery === undefined || !hasCapacity) i++
      else {
        this.#queue.splice(i, 1)
        void this.#attempt(delivery)
      }
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { dispatcher, clock, onOutcome } = this.#tools
    const key = integrationKey(delivery)
    this.#count++
    this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1)
    const outcome = await this.#persistAndSend(delivery)
    this.#count--
    const others = (this.#inFlight.get(key) ?? 1) - 1
    if (others === 0) this.#inFlight.delete(key)
    else this.#inFlight.set(key, others)
    dispatcher.answered(delivery, outcome, clock.nowMs())
    onOutcome?.(delivery, outcome)
    this.wake()
    if (this.#count > 0) return
    for (const done of this.#waiting.splice(0)) done()
  }

  async #persistAndSend(delivery: Delivery): Promise<SendOutcome> {
    const { persist, send } = this.#tools
    try {
      await persist?.(delivery)
    } catch {
      return { kind: 'retry', reason: 'The delivery could not be written to disk before it is sent.' }
    }
    return send(delivery)
  }
}
