import type { Source, SourceMethod } from '../ask/ask.ts'
import { serveCalls } from '../ask/rpc.ts'

/** Answers the page's calls, in a worker thread, by the methods of a source. */
export function serveSource(source: Source): void {
  serveCalls(globalThis, (method) => (request, asking) => source[method as SourceMethod](request as never, asking))
}
