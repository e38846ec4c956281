import { enableCompileCache } from 'node:module'

// To compile the modules takes 240 ms of a core, to load them compiled 40 ms. Node keeps the cache for each thread apart.
enableCompileCache()
const { serveQueries } = await import('./serve-queries.ts')
serveQueries()
