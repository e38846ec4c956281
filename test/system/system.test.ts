import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { ownBytes, processTimes, threadTimes, ThreadTimes, type ScheduledTimes } from '../../src/system/index.ts'
import { threadNumber } from '../../src/workers/index.ts'

describe.runIf(process.platform === 'linux')('what the system counts', () => {
  let times: ThreadTimes | undefined
  afterAll(() => times?.close())

  test.each<[string, () => ScheduledTimes | undefined]>([
    ['this thread', () => threadTimes(present(threadNumber()))],
    ['this thread, asked again and again', () => (times ??= new ThreadTimes(present(threadNumber()))).now()],
    ['the main thread of a process', () => processTimes(process.pid)],
  ])('grows while %s works', (_, timesNow) => {
    const before = present(timesNow())
    let now = before
    // Wait as long as necessary, because the system updates its counters in steps.
    while (now.processorMs <= before.processorMs) now = present(timesNow())
    expect(now.coreWaitMs).toBeGreaterThanOrEqual(before.coreWaitMs)
    expect(now.processorMs).toBeLessThan(1e12)
  })

  test('is reported for a thread until it ends, and until nobody asks', async () => {
    const told = `require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))`
    const worker = new Worker(`setInterval(() => {}, 1000); ${told}`, { eval: true })
    const [thread] = (await once(worker, 'message')) as [string]
    const ofWorker = new ThreadTimes(Number(thread.slice(thread.lastIndexOf('/') + 1)))
    const own = new ThreadTimes(present(threadNumber()))
    expect([ofWorker.now(), own.now()]).toEqual([expect.anything(), expect.anything()])
    await worker.terminate()
    while (ofWorker.now() !== undefined) await setImmediate()
    ofWorker.close()
    own.close()
    own.close()
    expect(own.now()).toBeUndefined()
    expect(new ThreadTimes(2 ** 30).now()).toBeUndefined()
  })

  test('is reported for a process that is there, of no other', () => {
    expect(ownBytes(process.pid)).toBeGreaterThan(2 ** 20)
    const { pid } = spawnSync(process.execPath, ['--version'])
    expect([ownBytes(pid), processTimes(pid), threadTimes(pid)]).toEqual([undefined, undefined, undefined])
  })
})
