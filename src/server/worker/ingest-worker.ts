import { serveIngest } from './serve-ingest.ts'

serveIngest()
