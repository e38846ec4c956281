import { serveIndexing } from './serve-indexing.ts'

serveIndexing()
