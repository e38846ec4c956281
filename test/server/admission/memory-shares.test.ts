import { expect, test } from 'vitest'
import { MIB } from '../../../src/base/index.ts'
import { createServer } from '../../../src/server/index.ts'
import { divideMemory, memoryShares } from '../../../src/server/admission/memory-shares.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { availableBytes } from '../../../src/system/index.ts'
import { cores } from '../../../src/workers/index.ts'

const GIB = 1024 * MIB
const sum = (shares: Readonly<Record<string, number>>): number => Object.values(shares).reduce((a, b) => a + b, 0)

test.each([
  [640 * MIB, undefined, false],
  [640 * MIB, undefined, true],
  [2 * GIB, GIB, true],
  [24 * GIB, undefined, true],
  [24 * GIB, 16 * MIB, false],
])('the shares of %i bytes, with %s for rows, add up to at most that', (memoryBytes, storeBytes, hasFiles) => {
  for (const workers of [0, 1, 4, 64]) {
    const budget = divideMemory({ memoryBytes, storeBytes, hasFiles, workers })
    expect(sum(budget.shares)).toBeLessThanOrEqual(memoryBytes)
    expect(sum(budget.shares)).toBeGreaterThan(memoryBytes - 2 * memoryShares.length)
    expect(budget.maxWorkers * budget.workerBytes).toBeLessThanOrEqual(budget.shares.heaps)
    expect(budget.maxWorkers * budget.workerBytes).toBeLessThanOrEqual(budget.shares.queries)
    expect(budget.queryBytes).toBeLessThan(budget.workerBytes)
    if (storeBytes !== undefined) expect(budget.shares.store).toBe(storeBytes)
  }
})

test('the memory bounds the number of workers', () => {
  const of = (memoryBytes: number) => divideMemory({ memoryBytes, hasFiles: true, workers: 8 })
  expect(of(600 * MIB)).toMatchObject({ workers: 1, hasReserved: false, maxWorkers: 1 })
  expect(of(GIB)).toMatchObject({ workers: 1, hasReserved: true, maxWorkers: 2 })
  expect(of(2 * GIB)).toMatchObject({ workers: 4, hasReserved: true, maxWorkers: 5 })
  expect(of(1024 * GIB)).toMatchObject({ workers: 8, hasReserved: true, maxWorkers: Math.max(9, 4 * cores()) })
})

test('too little memory for one worker is refused with the least that it takes', async () => {
  const refusal = async (options: { memoryBytes: number; storeBytes?: number }): Promise<string> =>
    await createServer({ keys: ['secret'], ...options }).then(
      () => 'none',
      ({ code, diagnostics: [{ message, notes }] }) => `${code}: ${message} ${notes}`,
    )
  expect(await refusal({ memoryBytes: 100 * MIB })).toBe(
    'setup/memory: The memory of the server, 100 MiB, is too little for one query worker. It needs 470 MiB at least: `--memory 470MiB`.',
  )
  expect(await refusal({ memoryBytes: GIB, storeBytes: GIB })).toBe(
    'setup/memory: The memory of the server, 1024 MiB, is too little for one query worker. With 1024 MiB for rows (`--store-memory`) it needs 1344 MiB at least: `--memory 1344MiB`.',
  )
})

test('the limit of a control group counts where it is less than the memory of the machine', () => {
  expect(availableBytes(16 * GIB, 0)).toBe(16 * GIB)
  expect(availableBytes(16 * GIB, 2 ** 63)).toBe(16 * GIB)
  expect(availableBytes(16 * GIB, 2 * GIB)).toBe(2 * GIB)
  expect(divideMemory({ availableBytes: 2 * GIB, hasFiles: true, workers: 2 }).totalBytes).toBe(1.5 * GIB)
  // Without memory options a server starts even if little memory is available.
  expect(divideMemory({ availableBytes: 256 * MIB, hasFiles: true, workers: 2 }).workers).toBe(1)
})

test('metrics show each share and its use', async () => {
  const server = await createServer({ keys: ['secret'], memoryBytes: GIB, workers: 1 })
  const figures = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const headers = { Authorization: 'Bearer secret' }
    const text = await (await server.fetch(new Request('http://localhost/metrics', { headers }))).text()
    const found = text.matchAll(new RegExp(`^${name}{share="(\\w+)"} (\\S+)$`, 'gm'))
    return Object.fromEntries(Array.from(found, ([, share = '', value]) => [share, Number(value)]))
  }
  try {
    await server.loaded
    const { shares } = divideMemory({ memoryBytes: GIB, hasFiles: false, workers: 1 })
    expect(await figures('sluice_memory_limit_bytes')).toEqual(shares)
    await expect
      .poll(async () => (await figures('sluice_memory_bytes'))['heaps'], { timeout: PATIENCE_MS })
      .toBeGreaterThan(MIB)
    expect(Object.keys(await figures('sluice_memory_bytes'))).toEqual(expect.arrayContaining(['process', 'answers']))
  } finally {
    await server.close()
  }
})
