import { enableCompileCache } from 'node:module'

// What the thread runs is loaded behind this, so that a second one starts from compiled code.
enableCompileCache()
const { serveQueries } = await import('./serve-queries.ts')
serveQueries()
