import { expect, test } from 'vitest'
import { SluiceError, nowhere, present } from '../../../src/base/index.ts'
import { ReplicationServer } from '../../../src/server/worker/replication-server.ts'
import { ReplicationClient } from '../../../src/server/worker/replication-client.ts'
import { newTenant } from '../../../src/server/backends/tenant.ts'
import { durableDiagnostic } from '../../../src/store/durable/index.ts'

test('a reader reports a damaged filter to the owner of the file, and still receives changes', async () => {
  const tenant = newTenant({ nowMs: () => 0, nowNs: () => 0n })
  const desk = new ReplicationServer(new Map([['default', tenant]]))
  const told = Promise.withResolvers<readonly [path: string, error: SluiceError]>()
  tenant.store.table('logs').segments.onDamagedFile = (path, error) => told.resolve([path, error])
  const tables: string[] = []
  const reader = new ReplicationClient<{ readonly table?: { readonly table: string } }>(desk.connect(), ({ table }) => {
    if (table !== undefined) tables.push(table.table)
  })
  const damage = durableDiagnostic('damaged', { part: 'logs-7.part', what: 'it is torn' }, nowhere)
  reader.tell({ damagedGroup: '/data/logs-7.part', reasons: [damage] })
  const [path, error] = await told.promise
  expect(path).toBe('/data/logs-7.part')
  expect(present(error.diagnostics[0])).toMatchObject({ code: 'durable/damaged' })
  expect(error.message).toContain('logs-7.part')
  tenant.store.table('logs').writer.appendRows([{ timeNs: 1n, row: new Map([['content', 'a']]) }])
  desk.changed()
  await reader.upToDate()
  expect(tables).toContain('logs')
  reader.close()
})
