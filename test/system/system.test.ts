import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { ownBytes, processTimes, threadTimes, type ScheduledTimes } from '../../src/system/index.ts'
import { threadNumber } from '../../src/workers/index.ts'

describe.runIf(process.platform === 'linux')('what the system counts', () => {
  test.each<[string, () => ScheduledTimes | undefined]>([
    ['this thread', () => threadTimes(present(threadNumber()))],
    ['the main thread of a process', () => processTimes(process.pid)],
  ])('grows while %s works', (_, timesNow) => {
    const before = present(timesNow())
    let now = before
    // As long as it takes: the system counts by its own steps.
    while (now.processorMs <= before.processorMs) now = present(timesNow())
    expect(now.coreWaitMs).toBeGreaterThanOrEqual(before.coreWaitMs)
    expect(now.processorMs).toBeLessThan(1e12)
  })

  test('is told of a process that is there, of no other', () => {
    expect(ownBytes(process.pid)).toBeGreaterThan(2 ** 20)
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect([ownBytes(pid), processTimes(pid), threadTimes(pid)]).toEqual([undefined, undefined, undefined])
  })
})
