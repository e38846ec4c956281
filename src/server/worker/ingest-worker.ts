import { keepCompiled } from './compiled.ts'

// What the thread runs is loaded behind this, so that the next one starts from compiled code.
keepCompiled()
const { serveIngest } = await import('./serve-ingest.ts')
serveIngest()
