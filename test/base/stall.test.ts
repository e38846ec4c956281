import { expect, test } from 'vitest'
import { Stall } from '../../src/base/stall.ts'

test('silence is the time in which a thread could have moved its beat', () => {
  const silence = new Stall()
  expect(silence.observe(7, 0, 250)).toBe(0)
  // The thread had a core but its heartbeat did not advance: it computes, or waits for a disk.
  expect(silence.observe(7, 0, 250)).toBe(250)
  expect(silence.observe(7, 50, 250)).toBe(450)
  expect(silence.observe(7, 300, 250)).toBe(450)
  // A late check: the thread had no core for longer than the check interval.
  expect(silence.observe(7, 2300, 250)).toBe(450)
  expect(silence.observe(7, 2300, 250)).toBe(700)
  expect(silence.observe(8, 2400, 250)).toBe(0)
  expect(silence.observe(8, 2400, 250)).toBe(250)
})
