import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorized, search, startServer } from '../../test/ingest/server-process.ts'
import { datasetChunks } from '../datasets.ts'

/**
 * Times what `serve --data` takes in: `node bench/suites/ingest.ts [rows] [writers] [batch rows]`. Every row is
 * acknowledged durably; then the server is killed, started again and asked for the number of rows.
 */
const given = process.argv.slice(2).map(Number)
const [rows, writers, batchRows] = [given[0] ?? 1_000_000, given[1] ?? 8, given[2] ?? 1_000]
