import { serveCalls } from '../ask/rpc.ts'
import type { Source, SourceMethod } from '../ask/ask.ts'

/**
 * Worker thread that queries the data source and keeps the rows. The worker's URL names the source: `#server` or
 * `#files`.
 */
const scope = globalThis as unknown as Worker & { readonly location: Location }

async function openSource(): Promise<Source> {
  if (scope.location.hash === '#files') return (await import('./local/local-source.ts')).openLocalSource()
  const { RemoteSource } = await import('./remote/remote-source.ts')
  return new RemoteSource()
}

const opened = openSource()

serveCalls(scope, (method) => async (request, asking) => {
  const source = await opened
  return source[method as SourceMethod](request as never, asking)
})
