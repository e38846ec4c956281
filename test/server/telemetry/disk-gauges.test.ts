import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { addDiskGauges } from '../../../src/server/telemetry/disk-gauges.ts'
import { Telemetry } from '../../../src/server/telemetry/telemetry.ts'
import { DiskReserve, diskFiles, type DiskSpace } from '../../../src/store/durable/index.ts'

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('sluice_disk'))

test('the free space of the disk and its reserve are figures of the server, as they are when it is asked', async () => {
  const telemetry = new Telemetry()
  let space: DiskSpace | undefined = { freeBytes: 300, totalBytes: 1000 }
  const files = {
    ...diskFiles,
    space: () => {
      if (space === undefined) throw new Error('no such folder')
      return space
    },
  }
  addDiskGauges(telemetry, new DiskReserve(files, '/data'))
  const lines = async (): Promise<readonly string[]> => linesOf(await telemetry.registry.metrics())
  expect(await lines()).toEqual(['sluice_disk_free_bytes 300', 'sluice_disk_reserve_bytes 50'])
  space = { freeBytes: 20, totalBytes: 1000 }
  expect(await lines()).toEqual(['sluice_disk_free_bytes 20', 'sluice_disk_reserve_bytes 50'])
  space = undefined
  expect(await lines()).toEqual(['sluice_disk_free_bytes Nan', 'sluice_disk_reserve_bytes 50'])
})

test.each([0, 1])('a server with a data folder has them, with %i workers', async (workers) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-gauges-'))
  const server = await createServer({ data: folder, keys: ['secret'], workers, diskReserveBytes: 12_345 })
  try {
    const headers = { Authorization: 'Bearer secret' }
    const answer = await server.fetch(new Request('http://localhost/metrics', { headers }))
    const [free = '', reserve] = linesOf(await answer.text())
    expect(Number(free.split(' ')[1])).toBeGreaterThan(0)
    expect(reserve).toBe('sluice_disk_reserve_bytes 12345')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
