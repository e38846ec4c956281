/**
 * HTTP clients in a process of their own that do as little as possible, so that the server is measured. Connections
 * stay open, requests are built in advance, and only the status and length of an answer are read.
 */
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { BodyEnd } from './body-end.ts'

/** A complete request and its address. */
export interface Target {
  readonly port: number
  readonly request: string
}

/** A message to the client process. */
export type Task =
  /** Sends each request `times` times, in turns. The answer has the milliseconds of each request by target. */
  | { readonly kind: 'time'; readonly targets: readonly Target[]; readonly times: number }
  /** Opens connections, each of which sends its own list of requests again and again without a pause. */
  | {
      readonly kind: 'load'
      readonly port: number
      readonly requests: readonly (readonly string[])[]
      readonly seconds: number
    }

export interface LoadResult {
  readonly count: number
  readonly seconds: number
  /** Processor time of the client process in milliseconds. */
  readonly processorMs: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** A connection that sends one request at a time. */
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
