import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { defineTable, type Table } from 'sluice'

const DAY_NS = 86_400_000_000_000n

/** Told of each file that is opened. */
type Opened = (file: string) => void

/** The records of the files, one by one; a query that has enough rows reads no further. */
async function* records(folder: string, files: readonly string[], opened: Opened): AsyncGenerator<object> {
  for (const file of files) {
    opened(file)
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) }))
      if (line !== '') yield JSON.parse(line) as object
  }
}

/**
 * A table over a folder of files `2026-03-10.ndjson`, each with the records of one day of UTC. Files whose day lies outside
 * of the time range of a query are not opened.
 */
export function dailyFiles(name: string, folder: string, opened: Opened = () => undefined): Table {
  return defineTable({
    name,
    summary: 'Records in files by day.',
    timeField: 'time',
    textField: 'message',
    scan: ({ range }) => {
      const files = readdirSync(folder)
        .filter((file) => /^\d{4}-\d{2}-\d{2}\.ndjson$/.test(file))
        .filter((file) => {
          const startNs = BigInt(Date.parse(file.slice(0, 10))) * 1_000_000n
          return startNs < range.endNs && startNs + DAY_NS > range.startNs
        })
      return records(folder, files.toSorted(), opened)
    },
  })
}
