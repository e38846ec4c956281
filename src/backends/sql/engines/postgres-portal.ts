import type { Client, Connection, Submittable } from 'pg'
import { CHUNK_BYTES } from '../../../base/index.ts'
import type { RawRows } from './postgres-rows.ts'

/**
 * One request in a protocol message: starts a statement, or fetches more rows from an open portal (PostgreSQL's cursor
 * of a running statement).
 */
export interface PortalRequest {
  /** The statement to start. Without it, the request fetches more rows of the portal. */
  readonly text?: string
  readonly values?: readonly (string | null)[]
  readonly portal: string
  /** The maximum number of rows to return; 0 means all. */
  readonly rows: number
  /** True if the server must send the answer to this request before it starts the next request. */
  readonly isUrgent?: boolean
}

export interface PortalRows extends RawRows {
  /** True if the portal has returned all rows. */
  readonly isLast: boolean
  /** Bytes of the strings in the answer. */
  readonly bytes: number
}

/** The members of a connection that send portal requests. The package's types do not declare them. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { readonly text: string }): void
  bind(message: { readonly portal: string; readonly values: readonly (string | null)[] }): void
  execute(message: { readonly portal: string; readonly rows: number }): void
  flush(): void
  sync(): void
}

/** Callbacks during the answer to a message. */
export interface Listener {
  /** Called with the number of string bytes that arrived since the last call. An error thrown here ends the message. */
  charge(bytes: number): void
  /** Called with the answer to the request at position `at` of the message. */
  answered?(answer: PortalRows, at: number): void
}

/**
 * A message of several requests, in the form that the package submits; collects the answered rows as strings. Requests
 * no row descriptions, since the types are known.
 */
class Message implements Submittable {
  readonly #asked: readonly PortalRequest[]
  readonly #listener: Listener
  readonly #end: (answers: readonly PortalRows[], error?: unknown) => void
  readonly #answers: PortalRows[] = []
  #rows: (readonly (string | null)[])[] = []
  #bytes = 0
  #chargedBytes = 0
  #failure: unknown

  constructor(
    asked: readonly PortalRequest[],
    listener: Listener,
    end: (answers: readonly PortalRows[], error?: unknown) => void,
  ) {
    this.#asked = asked
    this.#listener = listener
    this.#end = end
  }

  submit(connection: Connection): null {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    for (const { text, values = [], portal, rows, isUrgent } of this.#asked) {
      if (text !== undefined) {
        wire.parse({ text })
        wire.bind({ portal, values })
      }
      wire.execute({ portal, rows })
      if (isUrgent === true) wire.flush()
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  #charge(): void {
    const bytes = this.#bytes - this.#chargedBytes
    this.#chargedBytes = this.#bytes
    try {
      this.#listener.charge(bytes)
    } catch (error) {
      this.#failure = error
      this.#rows = []
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure !== undefined) return
    for (const text of fields) if (text !== null) this.#bytes += 2 * text.length
    this.#rows.push(fields)
    if (this.#bytes - this.#chargedBytes > CHUNK_BYTES) this.#charge()
  }

  #answered(isLast: boolean): void {
    if (this.#failure === undefined) this.#charge()
    const answer = { rows: this.#rows, isLast, bytes: this.#bytes }
    this.#rows = []
    this.#bytes = 0
    this.#chargedBytes = 0
    this.#answers.push(answer)
    this.#listener.answered?.(answer, this.#answers.length - 1)
  }

  handleCommandComplete(): void {
    this.#answered(true)
  }

  handlePortalSuspended(): void {
    this.#answered(false)
  }

  handleEmptyQuery(): void {
    this.#answered(true)
  }

  handleError(error: unknown): void {
    this.#end([], this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.#end(this.#answers, this.#failure)
  }
}

/**
 * Sends all requests in one message and resolves to their answers. Rejects with the error of the server, the connection
 * or the listener. The server skips all requests after the first error.
 */
export function ask(
  client: Client,
  asked: readonly PortalRequest[],
  listener: Listener,
): Promise<readonly PortalRows[]> {
  return new Promise((resolve, reject) => {
    const end = (answers: readonly PortalRows[], error?: unknown): void => {
      if (error === undefined) resolve(answers)
      else reject(error instanceof Error ? error : new Error('the connection is lost', { cause: error }))
    }
    client.query(new Message(asked, listener, end))
  })
}
