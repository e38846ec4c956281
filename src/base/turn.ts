interface Globals {
  readonly setImmediate?: (then: () => void) => unknown
  readonly MessageChannel: new () => {
    readonly port1: { addEventListener(type: 'message', then: () => void): void; start(): void; close(): void }
    readonly port2: { postMessage(message: unknown): void }
  }
}

const { setImmediate: immediate, MessageChannel } = globalThis as unknown as Globals

/** Lets the event loop run its pending work. Uses a message, since browsers delay timers by milliseconds. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate !== undefined) return void immediate(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
