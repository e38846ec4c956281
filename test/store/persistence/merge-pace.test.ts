import { describe, expect, test } from 'vitest'
import { BackgroundThrottle } from '../../../src/store/persistence/merging/background-throttle.ts'

describe('the pace of merges', () => {
  test('a merge is followed by nine times as long without one', async () => {
    let nowMs = 100
    const pace = new BackgroundThrottle(() => nowMs)
    expect(pace.isTime).toBe(true)
    await pace.run(async () => {
      nowMs += 5
    })
    nowMs += 44
    expect(pace.isTime).toBe(false)
    nowMs += 1
    expect(pace.isTime).toBe(true)
  })

  test('another share of the time is waited for just as well', async () => {
    let nowMs = 0
    const pace = new BackgroundThrottle(() => nowMs)
    await pace.run(async () => {
      nowMs += 10
    }, 4)
    expect(pace.waitMs).toBe(30)
    nowMs += 40
    expect(pace.waitMs).toBe(0)
    expect(pace.isTime).toBe(true)
  })

  test('also one that fails', async () => {
    let nowMs = 0
    const pace = new BackgroundThrottle(() => nowMs)
    const failing = pace.run(async () => {
      nowMs += 2
      throw new Error('disk')
    })
    await expect(failing).rejects.toThrow('disk')
    expect(pace.isTime).toBe(false)
    nowMs += 18
    expect(pace.isTime).toBe(true)
  })
})
