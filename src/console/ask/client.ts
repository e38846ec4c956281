import type { Source, SourceMethod } from './ask.ts'
import { RpcCaller, type CallOptions } from './rpc.ts'

type RequestOf<M extends SourceMethod> = Parameters<Source[M]>[0]
type EventOf<M extends SourceMethod> =
  Parameters<Source[M]> extends [unknown, { onEvent: (event: infer E) => void }] ? E : never
type AnswerOf<M extends SourceMethod> = Awaited<ReturnType<Source[M]>>

/** Sends a request to the data source. Rejects with AskError. */
export type Ask = <M extends SourceMethod>(
  method: M,
  request: RequestOf<M>,
  options?: CallOptions<EventOf<M>>,
) => Promise<AnswerOf<M>>

/** Returns a function that sends requests to the data source in a worker. */
export function askWorker(worker: Worker): Ask {
  const caller = new RpcCaller(worker)
  return (method, request, options) => caller.call(method, request, options)
}
