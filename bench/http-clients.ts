/**
 * Clients as cheap as they can be, in a process of their own: connections that stay open, requests that were built before, and
 * of an answer only its status and length are read. So what is measured is the server.
 */
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { BodyEnd } from './body-end.ts'

/** A request, head and body, and where it goes. */
export interface Target {
  readonly port: number
  readonly request: string
}

/** What the clients are to do. */
export type Task =
  /** Each request `times` times, by turns; answered with the milliseconds of each, by target. */
  | { readonly kind: 'time'; readonly targets: readonly Target[]; readonly times: number }
  /** Connections that send without a pause, each its own list of requests again and again. */
  | {
      readonly kind: 'load'
      readonly port: number
      readonly requests: readonly (readonly string[])[]
      readonly seconds: number
    }

export interface LoadResult {
  readonly count: number
  readonly seconds: number
  /** Processor milliseconds of this process. */
  readonly processorMs: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** A connection with one request at a time. */
class Connection {
  readonly #socket: Socket
  #body: BodyEnd | undefined
  #done: () => void = () => undefined

  constructor(port: number) {
    const buffer = Buffer.alloc(256 * 1024)
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (count) => {
          this.#take(buffer, count)
          return true
        },
      },
    })
    this.#socket.on('error', (error) => {
      throw error
    })
  }

  send(request: string): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(buffer: Buffer, count: number): void {
    let at = 0
    if (this.#body === undefined) {
      const end = buffer.subarray(0, count).indexOf(HEAD_END)
      const head = buffer.toString('latin1', 0, end === -1 ? count : end)
      if (end === -1 || !head.startsWith('HTTP/1.1 200')) throw new Error(buffer.toString('latin1', 0, count))
      this.#body = new BodyEnd(head)
      at = end + HEAD_END.length
    }
    if (!this.#body.take(buffer, at, count)) return
    this.#body = undefined
    this.#done()
  }
}

async function time({ targets, times }: Extract<Task, { kind: 'time' }>): Promise<number[][]> {
  const connections = targets.map(({ port }) => new Connection(port))
  const all: number[][] = targets.map(() => [])
  for (let i = 0; i < times; i++) {
    for (const [which, connection] of connections.entries()) {
      const startMs = performance.now()
      await connection.send(targets[which]?.request ?? '')
      all[which]?.push(performance.now() - startMs)
    }
  }
  for (const connection of connections) connection.close()
  return all
}

async function load({ port, requests, seconds }: Extract<Task, { kind: 'load' }>): Promise<LoadResult> {
  const used = process.cpuUsage()
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  let count = 0
  await Promise.all(
    requests.map(async (list) => {
      const connection = new Connection(port)
      for (let i = 0; performance.now() < endMs; i++) {
        await connection.send(list[i % list.length] ?? '')
        count++
      }
      connection.close()
    }),
  )
  const { user, system } = process.cpuUsage(used)
  return { count, seconds: (performance.now() - startMs) / 1000, processorMs: (user + system) / 1000 }
}

process.on('message', (task: Task) => {
  void (task.kind === 'time' ? time(task) : load(task)).then((result) => process.send?.(result))
})
