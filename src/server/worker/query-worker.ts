import { enableCompileCache } from 'node:module'

// Caches the compiled modules, which shortens the start of the thread. Node enables the cache for each thread
// separately.
enableCompileCache()
const { serveQueries } = await import('./serve-queries.ts')
serveQueries()
