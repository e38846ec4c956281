import { serveQueries } from './serve-queries.ts'

serveQueries()
