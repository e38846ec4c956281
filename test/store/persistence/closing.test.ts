import { expect, test } from 'vitest'
import { CrashFiles } from '../durable/crash-files.ts'
import { ALWAYS, openPersister } from './open-persister.ts'

const FOLDER = '/disk/data'
/** Unsealed rows are flushed when the folder is closed if there are at least this many. */
const CLOSING_ROWS = 4096

test.each([
  { rows: CLOSING_ROWS - 1, segments: 0 },
  { rows: CLOSING_ROWS, segments: 1 },
])(
  '$rows rows leave $segments segments behind when the folder is closed, and are all there again',
  async (expected) => {
    const files = new CrashFiles({}, new Map(), ['/disk'])
    const server = await openPersister(files, FOLDER, undefined, undefined, 1 << 20)
    server.persister.readBack()
    const lines = Array.from({ length: expected.rows }, (_, i) =>
      JSON.stringify({ _time: '2026-01-01T00:00:00Z', content: `row ${i}` }),
    )
    await server.send(lines.join('\n'))
    expect(server.parts()).toHaveLength(0)
    await server.persister.close()
    expect(server.parts()).toHaveLength(expected.segments)

    const again = await openPersister(files, FOLDER, undefined, undefined, 1 << 20)
    again.persister.readBack()
    const rows = await again.tenant.engine.query('* | stats count() n', { range: ALWAYS, table: 'logs' }).toArray()
    expect(rows).toEqual([{ n: expected.rows }])
    await again.persister.close()
  },
)
