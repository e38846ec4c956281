import type { ServerResponse } from 'node:http'
import { WholeBody, dropBody, isStream, type StreamBody } from '../../workers/index.ts'
import { headersOf, type HttpAnswer } from '../http/answer.ts'
import type { StepwiseTask } from '../admission/turns.ts'

/** Resolves to true when the system has accepted a chunk; to false, or never, if the connection closes first. */
function written(outgoing: ServerResponse, chunk: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => outgoing.write(chunk, (error) => resolve(!error && !outgoing.destroyed)))
}

async function sendWhole(
  outgoing: ServerResponse,
  body: WholeBody,
  turn: () => Promise<void> | undefined,
): Promise<void> {
  if (body.blocks.length <= 1) return void outgoing.end(body.next())
  for (let chunk = body.next(); chunk !== undefined; chunk = body.next()) {
    if (!(await written(outgoing, chunk))) return
    await turn()
  }
  outgoing.end()
}

async function sendStream(
  outgoing: ServerResponse,
  body: StreamBody,
  turn: () => Promise<void> | undefined,
): Promise<void> {
  outgoing.flushHeaders()
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
      if (!(await written(outgoing, chunk))) return
      await turn()
    }
    outgoing.end()
  } catch {
    // Breaks the connection, so that the client notices the incomplete answer.
    outgoing.destroy()
  }
}

/**
 * Writes an answer to its connection with backpressure. Releases the memory of the body once the system has accepted
 * the bytes or the connection is closed.
 */
export async function sendAnswer(outgoing: ServerResponse, answer: HttpAnswer, turns: StepwiseTask): Promise<void> {
  const { status, body, key = '' } = answer
  if (outgoing.destroyed) return dropBody(body)
  const headers = headersOf(answer)
  if (body === null) {
    outgoing.writeHead(status, headers)
    outgoing.end()
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    outgoing.end(body)
  } else {
    outgoing.once('close', () => body.cancel())
    outgoing.writeHead(status, headers)
    const turn = (): Promise<void> | undefined => turns.turn(key)
    await (isStream(body) ? sendStream(outgoing, body, turn) : sendWhole(outgoing, body, turn))
  }
}
